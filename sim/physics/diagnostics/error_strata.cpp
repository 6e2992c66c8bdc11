#include "sim/physics/diagnostics/error_strata.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <unordered_set>

#include "sim/core/counted.h"
#include "sim/core/random.h"
#include "sim/physics/diagnostics/clumps.h"

namespace orrery::sim {

namespace {

/// Bodies of a stratum that are kept to draw from.
constexpr std::size_t most_candidates = 1024;
/// Sampled bodies of a stratum, where there is room.
constexpr std::size_t enough_sampled = 24;
/// Galaxies that are looked at, the largest ones.
constexpr std::size_t most_galaxies = 8;
/// Clumps with a stratum of their own, the largest ones; smaller clumps of similar size share one.
constexpr std::size_t most_own_clumps = 12;
constexpr int most_decades = 12;

using Candidates = std::vector<std::uint32_t>;

/// About `count` of `size` indices, at most, or all; ascending, spread evenly and not periodic.
std::vector<std::size_t> spread_indices(std::size_t size, std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> chosen(std::min(size, count));
  if (chosen.size() == size) {
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    return chosen;
  }
  Random random(seed);
  const double stride = static_cast<double>(size) / static_cast<double>(count);
  for (std::size_t k = 0; k < count; ++k)
    chosen[k] =
        std::min(size - 1, static_cast<std::size_t>((static_cast<double>(k) + random.uniform()) * stride));
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

/// `count` of them, or all.
Candidates some_of(const Candidates& bodies, std::size_t count) {
  Candidates kept;
  for (const auto k : spread_indices(bodies.size(), count, bodies.size())) kept.push_back(bodies[k]);
  return kept;
}

/// The bodies of a galaxy that are looked at, with a tree.
struct Looked {
  Candidates bodies;
  Octree tree;
  double each_is = 1.0;  ///< the number of bodies that one of them stands for

  std::string count_text(double count) const {
    if (each_is == 1.0) return counted(static_cast<std::size_t>(count), "body", "bodies");
    return fmt::format("about {:.2g} bodies", count * each_is);
  }
  /// The bodies of the dataset at positions of the curve.
  Candidates at(std::span<const std::uint32_t> positions) const {
    Candidates found;
    for (const auto k : positions) found.push_back(bodies[tree.order()[k]]);
    return found;
  }
  Candidates in(const Clump& clump) const {
    Candidates found;
    for (const auto& range : clump.ranges)
      for (auto k = range.first; k < range.last; ++k) found.push_back(bodies[tree.order()[k]]);
    return found;
  }
};

Looked look_at(std::span<const Vec3> position, std::span<const float> mass, GalaxyRange galaxy,
               std::size_t most, int threads) {
  Looked looked;
  std::vector<Vec3> positions;
  std::vector<float> masses;
  for (const auto k : spread_indices(galaxy.size(), most, galaxy.size())) {
    const auto i = galaxy.first + k;
    if (!is_finite(position[i])) continue;
    looked.bodies.push_back(static_cast<std::uint32_t>(i));
    positions.push_back(position[i]);
    masses.push_back(mass[i]);
  }
  if (positions.empty()) return looked;
  looked.each_is = std::max(1.0, static_cast<double>(galaxy.size()) / static_cast<double>(most));
  looked.tree.build(positions, masses, {.leaf_size = fewest_in_clump}, threads);
  return looked;
}

using AddGroup = std::function<void(const std::string& name, Candidates bodies)>;

void add_clumps(const Looked& looked, const std::string& where, const AddGroup& add) {
  const auto clumps = find_clumps(looked.tree);
  std::map<int, Candidates> smaller;
  std::map<int, std::size_t> numbers;
  for (std::size_t k = 0; k < clumps.size(); ++k) {
    const auto bodies = static_cast<double>(clumps[k].bodies);
    if (k < most_own_clumps) {
      add(fmt::format("clump {}{} ({})", k + 1, where, looked.count_text(bodies)), looked.in(clumps[k]));
      continue;
    }
    const int decade = static_cast<int>(std::log10(bodies));
    // The same number of bodies from each.
    const auto some = some_of(looked.in(clumps[k]), fewest_in_clump);
    smaller[decade].insert(smaller[decade].end(), some.begin(), some.end());
    ++numbers[decade];
  }
  for (auto& [decade, bodies] : smaller)
    add(fmt::format("{}{} of {} or more", counted(numbers[decade], "smaller clump", "smaller clumps"), where,
                    looked.count_text(std::pow(10.0, decade))),
        std::move(bodies));
}

/// Only if there are several components.
void add_components(std::span<const Component> component, const AddGroup& add) {
  std::array<std::size_t, component_count> counts{};
  for (const auto each : component) ++counts.at(static_cast<std::size_t>(each));
  if (std::ranges::count_if(counts, [](auto count) { return count > 0; }) < 2) return;
  std::array<Candidates, component_count> of;
  for (std::size_t k = 0; k < of.size(); ++k) of.at(k).reserve(counts.at(k));
  for (std::size_t i = 0; i < component.size(); ++i)
    of.at(static_cast<std::size_t>(component[i])).push_back(static_cast<std::uint32_t>(i));
  for (std::size_t k = 0; k < of.size(); ++k)
    add(fmt::format("component {}", component_name(static_cast<Component>(k))), std::move(of.at(k)));
}

/// The bodies of each decade of the density, the densest first.
std::vector<Candidates> density_decades(const Looked& looked) {
  const auto density = log_number_density(looked.tree);
  const auto [least, most] = std::ranges::minmax(density);
  const double range = double{most} - double{least}, width = std::max(1.0, range / most_decades);
  std::vector<Candidates> decades(static_cast<std::size_t>(range / width) + 1);
  for (std::size_t k = 0; k < density.size(); ++k)
    decades[static_cast<std::size_t>((double{most} - double{density[k]}) / width)].push_back(
        looked.bodies[looked.tree.order()[k]]);
  return decades;
}

/// Decades with too few bodies go to the next one, the last to the one before.
std::vector<Candidates> joined(const std::vector<Candidates>& decades) {
  std::vector<Candidates> all(1);
  for (const auto& decade : decades) {
    if (all.back().size() >= ErrorStrata::fewest_judged) all.emplace_back();
    all.back().insert(all.back().end(), decade.begin(), decade.end());
  }
  if (all.size() == 1 || all.back().size() >= ErrorStrata::fewest_judged) return all;
  const auto last = std::move(all.back());
  all.pop_back();
  all.back().insert(all.back().end(), last.begin(), last.end());
  return all;
}

void add_densities(const Looked& looked, const std::string& where, const AddGroup& add) {
  auto decades = joined(density_decades(looked));
  for (std::size_t k = 0; decades.size() > 1 && k < decades.size(); ++k) {
    const auto* which =
        k == 0 ? "densest bodies" : (k + 1 == decades.size() ? "thinnest bodies" : "bodies by density");
    add(fmt::format("{}{} ({} of {})", which, where, k + 1, decades.size()), std::move(decades[k]));
  }
}

std::vector<std::size_t> union_of(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  std::vector<std::size_t> all;
  std::ranges::set_union(a, b, std::back_inserter(all));
  return all;
}

/// Draws the bodies of one stratum after another. Bodies that are in the sample already count.
class Drawing {
 public:
  /// `left`: how many bodies may still come in.
  Drawing(std::vector<std::size_t> chosen, std::size_t left, std::uint64_t seed)
      : chosen_(std::move(chosen)), left_(left), random_(seed) {}

  std::vector<std::size_t> draw(const Candidates& candidates, std::size_t wanted) {
    std::vector<std::size_t> bodies, others;
    for (const auto i : candidates) (std::ranges::binary_search(chosen_, i) ? bodies : others).push_back(i);
    const auto missing = std::min({wanted - std::min(wanted, bodies.size()), others.size(), left_});
    for (const auto k : sample_indices(others.size(), missing, random_.below(1ULL << 62)))
      bodies.push_back(others[k]);
    left_ -= missing;
    std::ranges::sort(bodies);
    chosen_ = union_of(chosen_, bodies);
    return bodies;
  }
  /// 0 to size - 1 in a random order.
  std::vector<std::size_t> order(std::size_t size) {
    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t k = size; k > 1; --k) std::swap(order[k - 1], order[random_.below(k)]);
    return order;
  }

 private:
  std::vector<std::size_t> chosen_;
  std::size_t left_;
  Random random_;
};

}  // namespace

std::vector<std::size_t> StratifiedSample::bodies() const {
  auto all = evenly;
  for (const auto& stratum : strata) all = union_of(all, stratum.bodies);
  return all;
}

ErrorStrata::ErrorStrata(std::span<const Vec3> position, std::span<const float> mass,
                         std::span<const Component> component, std::span<const GalaxyRange> galaxies,
                         int threads)
    : bodies_(position.size()) {
  const AddGroup add_group = [this](const std::string& name, Candidates bodies) {
    add(name, std::move(bodies));
  };
  std::vector<GalaxyRange> largest(galaxies.begin(), galaxies.end());
  std::ranges::stable_sort(largest, std::greater(), &GalaxyRange::size);
  largest.resize(std::min(largest.size(), most_galaxies));
  add_components(component, add_group);
  for (const auto& galaxy : largest) {
    const auto looked = look_at(position, mass, galaxy, most_looked_at / largest.size(), threads);
    if (looked.bodies.size() < fewest_judged) continue;
    const auto number = std::ranges::find(galaxies, galaxy) - galaxies.begin();
    const auto where = galaxies.size() > 1 ? fmt::format(" of galaxy {}", number + 1) : std::string();
    add_clumps(looked, where, add_group);
    add(fmt::format("bodies in groups of 2 to {}{}", fewest_in_clump - 1, where),
        looked.at(bodies_of_tight_groups(looked.tree)));
    add_densities(looked, where, add_group);
  }
}

void ErrorStrata::add(const std::string& name, Candidates bodies) {
  if (!std::ranges::is_sorted(bodies)) std::ranges::sort(bodies);
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  if (bodies.size() < fewest_judged) return;
  groups_.push_back({name, some_of(bodies, most_candidates)});
}

StratifiedSample ErrorStrata::sample(std::size_t count, std::uint64_t seed, SampleFor what) const {
  const bool all = bodies_ <= count;
  StratifiedSample sample{.of = bodies_, .evenly = {}, .strata = {}};
  sample.evenly = sample_indices(
      bodies_, all || groups_.empty() ? count : count - count / (what == SampleFor::run ? 3 : 2), seed);
  const auto left = all ? bodies_ : count - sample.evenly.size();
  const auto room =
      std::clamp(left / std::max<std::size_t>(1, groups_.size()), fewest_judged, enough_sampled);
  Drawing drawing(sample.evenly, left, ~seed);
  std::map<std::size_t, Stratum> drawn;
  for (const auto k : drawing.order(groups_.size())) {
    const bool whole = all || (what == SampleFor::run && groups_[k].bodies.size() <= most_whole);
    auto bodies = drawing.draw(groups_[k].bodies, whole ? most_candidates : room);
    if (bodies.size() >= fewest_judged) drawn[k] = {groups_[k].name, std::move(bodies), whole};
  }
  for (auto& [k, stratum] : drawn) sample.strata.push_back(std::move(stratum));
  return sample;
}

// Floyd's algorithm (Bentley & Floyd 1987): `count` draws whatever the size.
std::vector<std::size_t> sample_indices(std::size_t size, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::unordered_set<std::size_t> chosen;
  for (std::size_t last = size - std::min(size, count); last < size; ++last) {
    const std::size_t candidate = random.below(last + 1);
    chosen.insert(chosen.contains(candidate) ? last : candidate);
  }
  std::vector<std::size_t> indices(chosen.begin(), chosen.end());
  std::ranges::sort(indices);
  return indices;
}

}  // namespace orrery::sim
