#include "sim/cuda/multi_gpu/galaxy_cut.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <thread>
#include <utility>

#include "sim/cuda/families/tree_domains.h"
#include "sim/tree/curve_sort.h"

namespace orrery::sim::cuda {

namespace {

constexpr std::string_view order_array = "domain-order", stretches_array = "domain-stretches",
                           grid_array = "domain-grid";

bool is_order(const std::vector<std::uint32_t>& order) {
  std::vector<bool> seen(order.size());
  for (const auto body : order) {
    if (body >= order.size() || seen[body]) return false;
    seen[body] = true;
  }
  return true;
}

/// Cost of a body besides what it sums, in interactions: its place in the tree.
constexpr double cost_of_place = 50.0;
/// So far a border moves towards where it should be: what bodies cost depends on the borders too.
constexpr double part_of_way = 0.5;

/// A piece with bodies, from its first key to that of the next one.
struct Stretch {
  std::uint64_t begin, end;
  double cost;
};

std::vector<Stretch> along_curve(std::span<const std::vector<tree::PieceCost>> pieces) {
  std::vector<Stretch> stretches;
  for (const auto& of_domain : pieces) {
    for (const auto& piece : of_domain) {
      if (piece.bodies == 0) continue;
      if (!stretches.empty()) stretches.back().end = piece.key;
      stretches.push_back({piece.key, end_of_keys, cost_of(piece)});
    }
  }
  return stretches;
}

/// Inside of a stretch the cost is taken as even.
std::uint64_t key_at(const Stretch& stretch, double cost) {
  if (stretch.end <= stretch.begin || stretch.cost <= 0.0) return stretch.begin;
  const double part = std::clamp(cost / stretch.cost, 0.0, 1.0);
  return stretch.begin + static_cast<std::uint64_t>(part * static_cast<double>(stretch.end - stretch.begin));
}

/// True if they follow each other through all bodies, with none behind an empty one.
bool is_cut(const std::vector<BodyRange>& stretches, std::size_t bodies) {
  std::size_t next = 0;
  for (const auto& stretch : stretches) {
    if (stretch.first != next || stretch.last < next) return false;
    if (stretch.empty() && next < bodies) return false;
    next = stretch.last;
  }
  return next == bodies;
}

/// The cost of each body, as its piece of the grid's curve has it on average; empty where none is known.
std::vector<float> work_of(std::span<const Vec3> position, std::span<const tree::PieceCost> costs,
                           const EvenGrid& grid, int threads) {
  if (costs.empty()) return {};
  std::vector<float> work(position.size());
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t i = 0; i < position.size(); ++i) {
    const auto after = std::ranges::upper_bound(costs, tree::curve_key(grid.key(position[i])), {},
                                                [](const auto& piece) { return std::uint64_t{piece.key}; });
    const auto& piece = after == costs.begin() ? *after : *std::prev(after);
    work[i] = static_cast<float>(cost_of(piece) / static_cast<double>(piece.bodies));
  }
  return work;
}

}  // namespace

double cost_of(const tree::PieceCost& piece) {
  return 32.0 * static_cast<double>(piece.work) + cost_of_place * static_cast<double>(piece.bodies);
}

double cost_of(std::span<const tree::PieceCost> pieces) {
  double cost = 0.0;
  for (const auto& piece : pieces) cost += cost_of(piece);
  return cost;
}

double largest_share(std::span<const std::vector<tree::PieceCost>> pieces, std::span<const double> weights) {
  double all = 0.0, largest = 0.0;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    const double cost = cost_of(std::span(pieces[k]));
    all += cost;
    largest = std::max(largest, cost / weights[k]);
  }
  return all > 0.0 ? largest * std::accumulate(weights.begin(), weights.end(), 0.0) / all : 1.0;
}

std::vector<std::uint64_t> even_borders(std::span<const std::vector<tree::PieceCost>> pieces,
                                        std::span<const double> weights,
                                        std::span<const std::uint64_t> begins) {
  std::vector<std::uint64_t> even(begins.begin(), begins.end());
  const auto stretches = along_curve(pieces);
  double all = 0.0;
  for (const auto& stretch : stretches) all += stretch.cost;
  if (!(all > 0.0)) return even;
  const double weight = std::accumulate(weights.begin(), weights.end(), 0.0);
  double before = 0.0, present = 0.0, share = 0.0;
  std::size_t at = 0;
  for (std::size_t k = 1; k < even.size(); ++k) {
    present += cost_of(std::span(pieces[k - 1]));
    share += weights[k - 1] / weight;
    const double wanted = std::lerp(present, share * all, part_of_way);
    while (at + 1 < stretches.size() && before + stretches[at].cost < wanted) before += stretches[at++].cost;
    even[k] = std::max(key_at(stretches[at], wanted - before), even[k - 1]);
  }
  return even;
}

void GalaxyCut::start() {
  costs_.clear();
  new_cuts_ = 0;
}

void GalaxyCut::cut(std::span<const Vec3> position, std::span<const double> weights) {
  // Their keys are those of the present grid: they serve one cut.
  const auto costs = std::exchange(costs_, {});
  if (std::exchange(is_given_, false)) return;
  const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const auto work = work_of(position, costs, grid_, threads);
  grid_ = EvenGrid(position);
  auto order = std::make_shared<std::vector<std::uint32_t>>(curve_order(position, grid_, threads));
  stretches_ = cut_order(*order, work, weights);
  begins_.clear();
  for (const auto& stretch : stretches_) {
    if (!stretch.empty())
      begins_.push_back(stretch.first == 0 ? 0
                                           : tree::curve_key(grid_.key(position[(*order)[stretch.first]])));
  }
  order_ = std::move(order);
}

void GalaxyCut::note_new_cut(double milliseconds) {
  ++new_cuts_;
  cut_ms_ = milliseconds;
}

tree::TreeCurve GalaxyCut::curve(std::size_t k) const {
  const auto& middle = grid_.middle();
  tree::TreeCurve curve{.center = {middle.x, middle.y, middle.z},
                        .spread = grid_.spread(),
                        .domains = static_cast<unsigned>(begins_.size()),
                        .own = static_cast<unsigned>(k),
                        .begin = {}};
  std::ranges::copy(begins_, std::begin(curve.begin));
  return curve;
}

void GalaxyCut::save(EngineState& state) const {
  state.add(order_array, *order_);
  state.add(stretches_array, stretches_);
  const std::array grid{grid_.middle().x, grid_.middle().y, grid_.middle().z, grid_.spread()};
  state.add(grid_array, grid);
}

bool GalaxyCut::take(const EngineState& state, std::size_t bodies, std::size_t gpus) {
  auto order = std::make_shared<std::vector<std::uint32_t>>(bodies);
  std::vector<BodyRange> stretches(gpus);
  if (!state.read(order_array, *order) || !state.read(stretches_array, stretches) || !is_order(*order) ||
      !is_cut(stretches, bodies))
    return false;
  const auto used = std::ranges::count_if(stretches, [](const auto& stretch) { return !stretch.empty(); });
  std::array<float, 4> grid{};
  if (!state.read(grid_array, grid)) return false;
  begins_.assign(static_cast<std::size_t>(used), 0);
  grid_ = EvenGrid({grid[0], grid[1], grid[2]}, grid[3]);
  order_ = std::move(order);
  stretches_ = std::move(stretches);
  is_given_ = true;
  return true;
}

void GalaxyCut::add_facts(EngineReport& report) const {
  report.facts.push_back({"domain_cuts", static_cast<std::int64_t>(new_cuts_), "domains cut again", "",
                          "How often, because work was uneven or bodies had moved away."});
  report.facts.push_back({"domain_cut_ms", cut_ms_, new_cuts_ > 0 ? "a cut took" : "", "ms",
                          "The last new cut: it goes through the host."});
}

}  // namespace orrery::sim::cuda
