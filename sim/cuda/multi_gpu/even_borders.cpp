#include "sim/cuda/multi_gpu/even_borders.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace orrery::sim::cuda {

namespace {

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

}  // namespace orrery::sim::cuda
