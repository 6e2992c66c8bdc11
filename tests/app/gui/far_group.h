#pragma once

#include "sim/galaxies/model.h"

namespace orrery::sim::checks {

/// A sphere with a compact group of a twentieth of the bodies at a distance of 30: the kernels
/// tree-loses-group and tree-always-loses-group (wrong_kernels.cpp) are wrong there, and right elsewhere.
inline Scene scene_with_far_group(std::size_t bodies = 2000, float distance = 30.0F) {
  auto scene = make_galaxy("plummer", {.bodies = bodies - bodies / 20, .seed = 1});
  auto group = make_galaxy("plummer", {.bodies = bodies / 20, .seed = 2}).bodies;
  for (auto& x : group.position) x = 0.05F * x + Vec3{distance, 0.0F, 0.0F};
  for (auto& m : group.mass) m *= 0.05F;
  for (auto& v : group.velocity) v = {};
  scene.bodies.append(group);
  scene.physics.time_step = 1e-4;
  return scene;
}

}  // namespace orrery::sim::checks
