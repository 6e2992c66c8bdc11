#pragma once

#include <cstdint>
#include <span>

#include "sim/core/vec3.h"

namespace orrery::sim {

/// A box with sides along the axes.
struct Box {
  Vec3 least, most;
};

/// The smallest box around positions, of which there is at least one.
Box box_around(std::span<const Vec3> positions);
/// The smallest box around positions, found on several threads.
Box box_around(std::span<const Vec3> positions, int threads);
/// The smallest box around both.
Box joined(const Box& a, const Box& b);
DVec3 middle_of(const Box& box);

/// The places of bodies on a grid over the cube at the least corner of a box that holds it, as keys of
/// Hilbert's curve (hilbert_key). What lies outside counts as of the outermost cells.
class CurveGrid {
 public:
  explicit CurveGrid(const Box& box);
  std::uint64_t key(const Vec3& position) const;

 private:
  DVec3 least_;
  double scale_ = 0.0;
};

}  // namespace orrery::sim
