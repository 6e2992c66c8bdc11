#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/scene/scene.h"

// Bodies that tell wrong kernels from right ones: where all masses are equal, G is 1 and there is one galaxy,
// many mistakes do not show.
namespace orrery::lab {

/// Number of bodies and seed of a scene.
struct SceneSize {
  std::size_t bodies = 2000;
  std::uint64_t seed = 2;
};

/// Gives every body a mass of its own, from 1 to 10 times the smallest, and G = 4.3. G times the mass of a
/// galaxy stays, and so do all orbits but for their encounters.
void unequal_masses(sim::Scene& scene, std::uint64_t seed);

/// A Plummer sphere of unequal masses. At least 16 bodies.
sim::Scene unequal_plummer(const SceneSize& size);
/// Three such galaxies of different sizes in one place: about 5/9, 3/9 and 1/9 of the bodies. Throws
/// sim::UsageError below 64 bodies.
sim::Scene unequal_galaxies(const SceneSize& size);
/// A Plummer sphere beside one body of 1e9 times a body's mass, all others on circular orbits about it. At
/// least 16 bodies.
sim::Scene dominated_cloud(const SceneSize& size);

}  // namespace orrery::lab
