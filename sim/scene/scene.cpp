#include "sim/scene/scene.h"

#include <algorithm>

#include "sim/bodies/bodies.h"
#include "sim/physics/sources.h"

namespace orrery::sim {

void put_in_order(Scene& scene, const std::vector<std::size_t>& order) {
  reorder(scene.names, order);
  reorder(scene.radii, order);
  for_each_array(scene.bodies, [&](auto& values) { reorder(values, order); });
}

std::size_t put_tracers_last(Scene& scene) {
  const auto [order, tracers] = tracers_last(scene.bodies);
  if (!std::ranges::is_sorted(order)) put_in_order(scene, order);
  return tracers;
}

}  // namespace orrery::sim
