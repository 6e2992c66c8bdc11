#include "sim/bodies/partition.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/core/error.h"

namespace orrery::sim {

namespace {

void check_weights(std::span<const double> weights) {
  const bool positive = std::ranges::all_of(weights, [](double w) { return std::isfinite(w) && w > 0.0; });
  if (weights.empty() || !positive) throw Error("the weights of those who share the work must be positive");
}

/// `count` things dealt by weight: floors, then one more each to those with the largest remainder, the first
/// ones where remainders are equal.
std::vector<std::size_t> deal(std::size_t count, std::span<const double> weights) {
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::size_t> dealt;
  std::vector<double> left;
  for (const double weight : weights) {
    const double exact = static_cast<double>(count) * weight / all;
    dealt.push_back(static_cast<std::size_t>(std::floor(exact * (1.0 + 1e-12))));
    left.push_back(exact - static_cast<double>(dealt.back()));
  }
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](auto a, auto b) { return left[a] > left[b] + 1e-9; });
  const auto given = std::accumulate(dealt.begin(), dealt.end(), std::size_t{0});
  for (std::size_t k = 0; given + k < count; ++k) ++dealt[order[k % order.size()]];
  return dealt;
}

bool same_sizes(std::span<const GalaxyRange> galaxies) {
  return std::ranges::all_of(galaxies, [&](const auto& g) { return g.size() == galaxies.front().size(); });
}

/// Galaxies to each worker: whole ones, so that the sums of their interactions are near the weights.
std::vector<std::size_t> deal_by_work(std::span<const GalaxyRange> galaxies,
                                      std::span<const double> weights) {
  std::vector<double> upto{0.0};
  for (const auto& g : galaxies)
    upto.push_back(upto.back() + static_cast<double>(g.size()) * static_cast<double>(g.size()));
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::size_t> dealt;
  std::size_t begin = 0;
  double weight = 0.0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    weight += weights[k];
    const double wanted = upto.back() * weight / all;
    std::size_t end = begin;
    while (end < galaxies.size() && std::abs(upto[end + 1] - wanted) <= std::abs(upto[end] - wanted)) ++end;
    if (k + 1 == weights.size()) end = galaxies.size();
    dealt.push_back(end - begin);
    begin = end;
  }
  return dealt;
}

}  // namespace

std::vector<Partition> split_galaxies(std::span<const GalaxyRange> galaxies,
                                      std::span<const double> weights) {
  check_weights(weights);
  if (galaxies.empty()) return std::vector<Partition>(weights.size());
  const auto dealt = same_sizes(galaxies) ? deal(galaxies.size(), weights) : deal_by_work(galaxies, weights);
  std::vector<Partition> shares;
  std::size_t next = 0;
  for (const auto count : dealt) {
    const std::size_t first = next < galaxies.size() ? galaxies[next].first : galaxies.back().last;
    next += count;
    const BodyRange range{first, count > 0 ? galaxies[next - 1].last : first};
    shares.push_back({range, range});
  }
  return shares;
}

std::vector<Partition> split_bodies(std::span<const GalaxyRange> galaxies, std::span<const double> weights) {
  check_weights(weights);
  if (galaxies.empty()) return std::vector<Partition>(weights.size());
  const BodyRange all{galaxies.front().first, galaxies.back().last};
  std::vector<Partition> shares;
  if (same_sizes(galaxies)) {
    std::size_t first = all.first;
    for (const auto count : deal(all.size(), weights)) {
      shares.push_back({all, {first, first + count}});
      first += count;
    }
    return shares;
  }
  const double work = interactions_per_evaluation({galaxies.begin(), galaxies.end()});
  const double weight_sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::size_t first = all.first;
  double weight = 0.0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    weight += weights[k];
    double wanted = work * weight / weight_sum;
    std::size_t last = all.last;
    for (const auto& galaxy : galaxies) {
      const auto size = static_cast<double>(galaxy.size());
      if (wanted < size * size) {
        last = galaxy.first + static_cast<std::size_t>(std::lround(wanted / size));
        break;
      }
      wanted -= size * size;
    }
    if (k + 1 == weights.size()) last = all.last;
    shares.push_back({all, {first, std::max(first, last)}});
    first = shares.back().targets.last;
  }
  return shares;
}

}  // namespace orrery::sim
