#include "sim/tree/curve_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sim/core/pass_parts.h"
#include "sim/tree/shared/tree_numbers.h"

namespace orrery::sim {

namespace {

constexpr std::uint32_t axes = 3, octants = 8;

constexpr auto turns = [] {
  std::array<std::array<CurveTurn, octants>, octants * axes> table{};
  for (std::uint32_t state = 0; state < table.size(); ++state) {
    for (std::uint32_t octant = 0; octant < octants; ++octant)
      table[state][octant] = curve_turn(state, octant);
  }
  return table;
}();

/// Levels that one look into the table settles: fewer looks, each of which waits for the one before.
constexpr int levels_a_look = 3;
constexpr std::uint32_t coordinate_mask = (1U << levels_a_look) - 1;
constexpr unsigned state_bits = 5;
static_assert(hilbert_bits % levels_a_look == 0 && octants * axes <= 1U << state_bits);

/// A table entry for several levels at once: their digits, followed by the state of the next level.
constexpr std::uint16_t look_of(std::uint32_t state, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  std::uint32_t digits = 0;
  for (int level = levels_a_look - 1; level >= 0; --level) {
    const std::uint32_t octant = ((x >> level) & 1U) | ((y >> level) & 1U) << 1U | ((z >> level) & 1U) << 2U;
    const CurveTurn turn = turns[state][octant];
    digits = digits << 3U | turn.digit;
    state = turn.next;
  }
  return static_cast<std::uint16_t>(digits << state_bits | state);
}

constexpr std::uint32_t looks_a_state = 1U << (axes * levels_a_look);

const auto looks = []() noexcept {
  std::array<std::array<std::uint16_t, looks_a_state>, octants * axes> table{};
  for (std::uint32_t state = 0; state < table.size(); ++state) {
    for (std::uint32_t k = 0; k < looks_a_state; ++k)
      table[state][k] = look_of(state, k & coordinate_mask, (k >> levels_a_look) & coordinate_mask,
                                k >> (2 * levels_a_look));
  }
  return table;
}();

std::uint32_t grid_cell(double at) {
  constexpr std::uint32_t last = (1U << hilbert_bits) - 1;
  return std::min(static_cast<std::uint32_t>(std::max(at, 0.0)), last);
}

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

std::uint64_t hilbert_key(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  std::uint64_t key = 0;
  std::uint32_t state = 0;
  for (int level = hilbert_bits - levels_a_look; level >= 0; level -= levels_a_look) {
    const std::uint32_t at = ((x >> level) & coordinate_mask) |
                             ((y >> level) & coordinate_mask) << levels_a_look |
                             ((z >> level) & coordinate_mask) << (2 * levels_a_look);
    const std::uint32_t look = looks[state][at];
    key = key << (axes * levels_a_look) | look >> state_bits;
    state = look & ((1U << state_bits) - 1);
  }
  return key;
}

Box box_around(std::span<const Vec3> positions) {
  Box box{positions.front(), positions.front()};
  for (const auto& x : positions) {
    box.least = {std::min(box.least.x, x.x), std::min(box.least.y, x.y), std::min(box.least.z, x.z)};
    box.most = {std::max(box.most.x, x.x), std::max(box.most.y, x.y), std::max(box.most.z, x.z)};
  }
  return box;
}

Box joined(const Box& a, const Box& b) {
  return {{std::min(a.least.x, b.least.x), std::min(a.least.y, b.least.y), std::min(a.least.z, b.least.z)},
          {std::max(a.most.x, b.most.x), std::max(a.most.y, b.most.y), std::max(a.most.z, b.most.z)}};
}

Box box_around(std::span<const Vec3> positions, int threads) {
  const PassParts parts(positions.size(), 16'384, threads);
  std::vector<Box> boxes(parts.count());
#pragma omp parallel for schedule(static, 1) num_threads(parts.threads())
  for (std::size_t k = 0; k < parts.count(); ++k)
    boxes[k] = box_around(positions.subspan(parts.begin(k), parts.begin(k + 1) - parts.begin(k)));
  Box all = boxes.front();
  for (const auto& box : boxes) all = joined(all, box);
  return all;
}

DVec3 middle_of(const Box& box) {
  return (static_cast<DVec3>(box.least) + static_cast<DVec3>(box.most)) * 0.5;
}

CurveGrid::CurveGrid(const Box& box) : least_(box.least) {
  const DVec3 sides = static_cast<DVec3>(box.most) - static_cast<DVec3>(box.least);
  const double side = std::max({sides.x, sides.y, sides.z});
  constexpr double cells = 1U << hilbert_bits;
  if (side > 0.0) scale_ = cells / side;
}

std::uint64_t CurveGrid::key(const Vec3& position) const {
  const DVec3 at = (static_cast<DVec3>(position) - least_) * scale_;
  return hilbert_key(grid_cell(at.x), grid_cell(at.y), grid_cell(at.z));
}

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

}  // namespace orrery::sim
