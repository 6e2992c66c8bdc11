#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "sim/cpu/kernel.h"
#include "tests/sim/cuda/emulator/emulated_forces.h"
#include "tests/sim/cuda/emulator/tree_kernels.h"
#include "tests/sim/cuda/kernel_testing.h"

namespace orrery::sim::checks {

/// Forces by a tree, and how many interactions were summed.
struct TreeForces {
  std::vector<Vec3> acceleration;
  double interactions = 0.0;
};

/// One of the two walks of a tree.
struct TreeWalkKind {
  const char* name;
  TreeForces (*forces)(const Bodies& bodies, const TreeSettings& settings, float softening_squared);
};

/// By the CPU's kernel with these instructions; nullptr: the widest.
inline TreeForces forces_on_cpu(const Bodies& bodies, const TreeSettings& settings, float softening_squared,
                                const InstructionSet* instructions) {
  TreeForces forces{.acceleration = std::vector<Vec3>(bodies.size(), Vec3{NAN, NAN, NAN})};
  const auto galaxies = bodies.galaxies();
  std::unique_ptr<KernelMemory> memory;
  EXPECT_TRUE(find_cpu_kernel("tree")->evaluate({.position = bodies.position,
                                                 .mass = bodies.mass,
                                                 .galaxies = galaxies,
                                                 .softening_squared = softening_squared,
                                                 .threads = 2,
                                                 .acceleration = forces.acceleration,
                                                 .memory = &memory,
                                                 .interactions = &forces.interactions,
                                                 .tree = settings,
                                                 .instructions = instructions}));
  return forces;
}

/// By the GPU's kernels, which the emulator runs.
inline TreeForces forces_on_gpu(const Bodies& bodies, const TreeSettings& settings, float softening_squared) {
  cuda::emulator::EmulatedForces evaluation(bodies, settings, softening_squared, 1,
                                            cuda::kernel({"family=tree"}), cuda::emulator::tree_kernel);
  return {std::move(evaluation.queue.acceleration), static_cast<double>(evaluation.queue.interactions)};
}

inline const TreeWalkKind cpu_walk{
    .name = "Cpu", .forces = [](const Bodies& bodies, const TreeSettings& settings, float eps2) {
      return forces_on_cpu(bodies, settings, eps2, nullptr);
    }};
inline const TreeWalkKind gpu_walk{.name = "Gpu", .forces = forces_on_gpu};

/// Relative errors of every `stride`-th body, sorted.
inline std::vector<double> errors_of(const Bodies& bodies, const TreeForces& forces, float softening_squared,
                                     std::size_t stride = 7) {
  const ForceState state{bodies.position, bodies.velocity, bodies.mass, bodies.charge};
  std::vector<double> errors;
  for (const auto& galaxy : bodies.galaxies()) {
    for (std::size_t i = galaxy.first; i < galaxy.last; i += stride) {
      const auto exact = gravity_law.acceleration(state, {.softening_squared = softening_squared}, i, galaxy);
      const double size = norm(exact), error = norm(DVec3(forces.acceleration[i]) - exact);
      errors.push_back(size > 0.0 ? error / size : error);
    }
  }
  std::ranges::sort(errors);
  return errors;
}

}  // namespace orrery::sim::checks
