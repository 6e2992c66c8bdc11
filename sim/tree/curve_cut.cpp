#include "sim/tree/curve_cut.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/tree/curve_grid.h"

namespace orrery::sim {

namespace {

constexpr std::size_t most_sampled = 1024;
/// Cells are even up to that many spreads from the middle.
constexpr double even_spreads = 3.0;

/// A grid's axis: where most bodies are, of a sample.
struct Axis {
  double middle = 0.0, spread = 0.0;
};

Axis axis_of(std::vector<float> sample) {
  std::ranges::sort(sample);
  const std::size_t left = sample.size() / 50;
  const double low = sample[left], high = sample[sample.size() - 1 - left];
  return {0.5 * (low + high), high - low};
}

std::uint32_t even_cell(double at, double middle, double scale) {
  constexpr double cells = 1U << hilbert_bits;
  const double from = (at - middle) * scale, far = std::abs(from);
  const double place = far <= 1.0 ? from : std::copysign(2.0 - 1.0 / far, from);
  return static_cast<std::uint32_t>(std::fmin(std::fmax((0.5 + 0.25 * place) * cells, 0.0), cells - 1.0));
}

}  // namespace

EvenGrid::EvenGrid(const Vec3& middle, float spread)
    : middle_(middle), spread_(spread), scale_(spread > 0.0F ? 1.0 / (even_spreads * double{spread}) : 0.0) {}

EvenGrid::EvenGrid(std::span<const Vec3> position) {
  const std::size_t samples = std::min(position.size(), most_sampled);
  float spread = 0.0F;
  const auto axis = [&](float Vec3::*along) {
    std::vector<float> sample;
    for (std::size_t k = 0; k < samples; ++k) {
      const float x = position[k * position.size() / samples].*along;
      if (std::isfinite(x)) sample.push_back(x);
    }
    if (sample.empty()) return 0.0F;
    const auto found = axis_of(std::move(sample));
    spread = std::max(spread, static_cast<float>(found.spread));
    return static_cast<float>(found.middle);
  };
  const Vec3 middle{axis(&Vec3::x), axis(&Vec3::y), axis(&Vec3::z)};
  *this = EvenGrid(middle, spread);
}

std::uint64_t EvenGrid::key(const Vec3& x) const {
  return hilbert_key(even_cell(x.x, middle_.x, scale_), even_cell(x.y, middle_.y, scale_),
                     even_cell(x.z, middle_.z, scale_));
}

std::vector<BodyRange> cut_order(std::span<const std::uint32_t> order, std::span<const float> work,
                                 std::span<const double> weights) {
  const auto work_of = [&](std::uint32_t body) { return work.empty() ? 1.0 : double{work[body]}; };
  double all = 0.0;
  for (const auto body : order) all += work_of(body);
  const double weight = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<BodyRange> stretches;
  std::size_t next = 0;
  double sum = 0.0, share = 0.0;
  for (std::size_t w = 0; w < weights.size(); ++w) {
    share += weights[w] / weight;
    const std::size_t first = next, others = weights.size() - 1 - w;
    // One body at least, and one for each of those to come.
    const std::size_t least = std::min(first + 1, order.size());
    const std::size_t most = std::max(order.size() - std::min(others, order.size()), least);
    while (next < least || (next < most && (others == 0 || sum + 0.5 * work_of(order[next]) < share * all)))
      sum += work_of(order[next++]);
    stretches.push_back({first, next});
  }
  return stretches;
}

}  // namespace orrery::sim
