#include "sim/physics/diagnostics/clumps.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>

#include "sim/core/vec3.h"

namespace orrery::sim {

namespace {

/// Thresholds of density rise by this factor (decimal logarithm).
constexpr double log_step = 1.0;
/// More thresholds are not looked at, whatever the range of densities.
constexpr int most_levels = 24;
/// Cells whose boxes are less than this number of mean distances apart are connected.
constexpr double linked_distances = 2.0;
constexpr auto none = std::numeric_limits<std::uint32_t>::max();

/// Decimal logarithm of the number density of a cell. `least_size` bounds that of bodies at one position.
double log_density(const TreeNode& node, double least_size) {
  return std::log10(static_cast<double>(node.count)) -
         3.0 * std::log10(std::max<double>(node.size, least_size));
}

double least_size_in(const Octree& tree) {
  constexpr double part = 1e-7;  // of the whole: what single precision tells apart
  return std::max<double>(part * tree.nodes().front().size, std::numeric_limits<float>::min());
}

double gap_squared(const Box& a, const Box& b) {
  const auto along = [](float least_a, float most_a, float least_b, float most_b) {
    const double gap = std::max({0.0, double{least_b} - double{most_a}, double{least_a} - double{most_b}});
    return gap * gap;
  };
  return along(a.least.x, a.most.x, b.least.x, b.most.x) + along(a.least.y, a.most.y, b.least.y, b.most.y) +
         along(a.least.z, a.most.z, b.least.z, b.most.z);
}

/// A connected region above a threshold.
struct Island {
  std::vector<std::uint32_t> nodes;  ///< the largest cells that are dense enough
  std::size_t parent = 0;            ///< the region of the threshold before in which it is
  std::size_t parts = 0;             ///< regions of the next threshold in it
};

/// The cells above one threshold, and which of them are connected.
class Level {
 public:
  /// `islands_before`: of each cell that is a member at the threshold before, the region.
  Level(const Octree& tree, std::span<const float> log_densities, double threshold)
      : tree_(tree),
        densities_(log_densities),
        threshold_(threshold),
        link_squared_(std::pow(linked_distances * std::pow(10.0, -threshold / 3.0), 2.0)),
        state_(tree.nodes().size(), State::empty),
        set_(tree.nodes().size(), none) {
    mark(0);
    link_within(0);
  }

  std::vector<Island> islands(const Level* before) {
    std::vector<Island> found;
    std::map<std::uint32_t, std::size_t> number_of_set;
    island_.assign(state_.size(), none);
    collect(0, before, 0, number_of_set, found);
    return found;
  }

 private:
  enum class State : std::uint8_t { empty, has_members, member };

  bool mark(std::uint32_t k) {
    const auto& node = tree_.nodes()[k];
    if (node.count < fewest_in_clump) return false;
    if (densities_[k] >= threshold_) {
      state_[k] = State::member;
      set_[k] = k;
      return true;
    }
    bool any = false;
    for (std::uint32_t c = node.child; c < node.child + node.children; ++c) any = mark(c) || any;
    if (any) state_[k] = State::has_members;
    return any;
  }

  std::uint32_t set_of(std::uint32_t k) {
    while (set_[k] != k) k = set_[k] = set_[set_[k]];
    return k;
  }

  /// Connects the members in one cell.
  void link_within(std::uint32_t k) {
    if (state_[k] != State::has_members) return;
    const auto& node = tree_.nodes()[k];
    for (std::uint32_t a = node.child; a < node.child + node.children; ++a) {
      link_within(a);
      for (std::uint32_t b = a + 1; b < node.child + node.children; ++b) link(a, b);
    }
  }

  /// Connects members in one cell with those in the other.
  void link(std::uint32_t a, std::uint32_t b) {
    if (state_[a] == State::empty || state_[b] == State::empty) return;
    if (gap_squared(tree_.boxes()[a], tree_.boxes()[b]) > link_squared_) return;
    const bool whole_a = state_[a] == State::member, whole_b = state_[b] == State::member;
    if (whole_a && whole_b) {
      const auto first = set_of(a), second = set_of(b);
      set_[std::max(first, second)] = std::min(first, second);
      return;
    }
    const auto& nodes = tree_.nodes();
    const bool open_a = !whole_a && (whole_b || nodes[a].size >= nodes[b].size);
    const auto opened = open_a ? a : b, other = open_a ? b : a;
    for (auto c = nodes[opened].child; c < nodes[opened].child + nodes[opened].children; ++c) link(c, other);
  }

  void collect(std::uint32_t k, const Level* before, std::size_t parent,
               std::map<std::uint32_t, std::size_t>& number_of_set, std::vector<Island>& found) {
    if (state_[k] == State::empty) return;
    if (before != nullptr && before->state_[k] == State::member) parent = before->island_[k];
    if (state_[k] == State::member) {
      const auto [place, is_new] = number_of_set.try_emplace(set_of(k), found.size());
      if (is_new) found.push_back({.nodes = {}, .parent = parent});
      found[place->second].nodes.push_back(k);
      island_[k] = static_cast<std::uint32_t>(place->second);
      return;
    }
    const auto& node = tree_.nodes()[k];
    for (auto c = node.child; c < node.child + node.children; ++c)
      collect(c, before, parent, number_of_set, found);
  }

  const Octree& tree_;
  std::span<const float> densities_;
  double threshold_, link_squared_;
  std::vector<State> state_;
  std::vector<std::uint32_t> set_, island_;
};

Clump clump_of(const Octree& tree, const Island& island) {
  Clump clump;
  for (const auto k : island.nodes) {
    const auto& node = tree.nodes()[k];
    clump.ranges.push_back({node.first, node.first + node.count});
    clump.bodies += node.count;
  }
  std::ranges::sort(clump.ranges, {}, &GalaxyRange::first);
  return clump;
}

/// Adds those regions of one threshold that are clumps: where at least two of them in one region of the
/// previous threshold continue above the next threshold.
void add_clumps(const Octree& tree, const std::vector<Island>& islands, std::size_t parents,
                std::vector<Clump>& clumps) {
  std::vector<std::size_t> lasting(parents, 0);
  for (const auto& island : islands) lasting[island.parent] += island.parts > 0 ? 1 : 0;
  for (const auto& island : islands)
    if (island.parts > 0 && lasting[island.parent] > 1) clumps.push_back(clump_of(tree, island));
}

std::vector<float> log_densities_of_nodes(const Octree& tree) {
  const double least = least_size_in(tree);
  std::vector<float> densities;
  densities.reserve(tree.nodes().size());
  for (const auto& node : tree.nodes()) densities.push_back(static_cast<float>(log_density(node, least)));
  return densities;
}

/// The bodies of a leaf that have a neighbour in it which is much nearer than the leaf is large.
void add_close_bodies(const Octree& tree, const TreeNode& leaf, std::vector<std::uint32_t>& found) {
  const auto last = leaf.first + leaf.count;
  for (auto i = leaf.first; i < last; ++i) {
    for (auto j = leaf.first; j < last; ++j) {
      if (i == j || !(tight_ratio * norm(tree.position()[j] - tree.position()[i]) < leaf.size)) continue;
      found.push_back(i);
      break;
    }
  }
}

}  // namespace

std::vector<Clump> find_clumps(const Octree& tree) {
  std::vector<Clump> clumps;
  const auto densities = log_densities_of_nodes(tree);
  double largest = densities.front();
  for (std::size_t k = 0; k < densities.size(); ++k)
    if (tree.nodes()[k].count >= fewest_in_clump) largest = std::max<double>(largest, densities[k]);
  const double step = std::max(log_step, (largest - densities.front()) / most_levels);
  auto level = std::make_unique<Level>(tree, densities, densities.front());
  auto islands = level->islands(nullptr);
  std::size_t parents = 1;
  for (double threshold = densities.front() + step; !islands.empty(); threshold += step) {
    auto next = std::make_unique<Level>(tree, densities, threshold);
    auto parts = next->islands(level.get());
    for (const auto& part : parts) ++islands[part.parent].parts;
    add_clumps(tree, islands, parents, clumps);
    parents = islands.size();
    islands = std::move(parts);
    level = std::move(next);
  }
  std::ranges::stable_sort(clumps, std::greater(), &Clump::bodies);
  return clumps;
}

std::vector<float> log_number_density(const Octree& tree) {
  const auto of_node = log_densities_of_nodes(tree);
  const auto nodes = tree.nodes();
  std::vector<float> local(of_node), density(tree.order().size(), of_node.front());
  // Parts come after the cells in which they are.
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const auto& node = nodes[k];
    for (auto c = node.child; c < node.child + node.children; ++c)
      if (nodes[c].count < fewest_in_clump) local[c] = local[k];
    if (node.is_leaf()) std::fill_n(density.begin() + node.first, node.count, local[k]);
  }
  return density;
}

std::vector<std::uint32_t> bodies_of_tight_groups(const Octree& tree) {
  std::vector<std::uint32_t> found;
  for (const auto& node : tree.nodes()) {
    for (auto c = node.child; c < node.child + node.children; ++c) {
      const auto& part = tree.nodes()[c];
      if (!part.is_leaf() || part.count < 2 || part.count >= fewest_in_clump) continue;
      if (tight_ratio * part.size < node.size)
        for (std::uint32_t i = 0; i < part.count; ++i) found.push_back(part.first + i);
      else
        add_close_bodies(tree, part, found);
    }
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace orrery::sim
