#include "sim/tree/curve_grid.h"

#include <algorithm>
#include <vector>

#include "sim/core/pass_parts.h"
#include "sim/tree/hilbert.h"

namespace orrery::sim {

namespace {

std::uint32_t grid_cell(double at) {
  constexpr std::uint32_t last = (1U << hilbert_bits) - 1;
  return std::min(static_cast<std::uint32_t>(std::max(at, 0.0)), last);
}

}  // namespace

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

}  // namespace orrery::sim
