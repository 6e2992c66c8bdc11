#pragma once

#include <cstddef>
#include <vector>

#include "sim/scene/scene.h"

namespace orrery::sim {

/// Puts the bodies in this order, with what the scene knows of each: body k is the one that was order[k].
void put_in_order(Scene& scene, const std::vector<std::size_t>& order);

/// put_tracers_last of its bodies (sim/physics/sources.h); their names and radii follow. Returns how many
/// tracers there are.
std::size_t put_tracers_last(Scene& scene);

}  // namespace orrery::sim
