#pragma once

#include <array>
#include <cstddef>
#include <glm/glm.hpp>

#include "app/picture/framing.h"
#include "sim/bodies/bodies.h"

namespace orrery::app {

/// The disk of a scene: its gas and disk bodies; all luminous ones where it has neither.
struct DiskShape {
  std::size_t bodies = 0;  ///< number of bodies in the disk; 0 if the scene has no disk
  std::array<bool, sim::component_count> components{};  ///< components of the disk
  glm::dvec3 center{0.0};                               ///< median of the positions
  glm::dvec3 axis{0.0, 0.0, 1.0};                       ///< unit vector across it
  double half_radius = 0.0;                             ///< half of the bodies are within, from the axis
  double radius = 0.0;                                  ///< nearly all are
  double thickness = 0.0;  ///< nearly all are so near to the plane, on either side
};

/// The disk of a single galaxy; `light`: its luminous bodies. A scene whose bodies extend as far from the
/// plane as from the axis has no disk, nor one whose bodies do not go around it together: galaxies that meet.
/// Nor have several galaxies.
DiskShape disk_of(const sim::Bodies& bodies, const Luminous& light);

}  // namespace orrery::app
