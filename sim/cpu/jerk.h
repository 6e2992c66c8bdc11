#pragma once

#include <span>

#include "sim/core/vec3.h"
#include "sim/cpu/kernel.h"

namespace orrery::sim {

/// Computes the jerks of problem.targets under gravity while bodies move with problem.state.velocity: da/dt =
/// G sum_j m_j (u / R^3 - 3 (r.u) r / R^5), where r and u are position and velocity of body j relative to the
/// target and R^2 = r^2 + eps^2 (Makino & Aarseth 1992, PASJ 44, 141, eq. 2), in single precision. Every pair
/// is summed, whatever the kernel does: with its vector instructions, if it has some, and as many threads.
/// The bits do not depend on the number of threads. Returns false if interrupted; the jerks are then
/// unusable.
bool evaluate_jerks(const ForceProblem& problem, const CpuKernel& kernel, std::span<Vec3> jerk);

}  // namespace orrery::sim
