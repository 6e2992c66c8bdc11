#pragma once

#include <span>

#include "sim/core/vec3.h"
#include "sim/cpu/kernel.h"

namespace orrery::sim {

/// How fast the accelerations of gravity change while bodies move with problem.state.velocity,
/// da/dt = G sum_j m_j (u / R^3 - 3 (r.u) r / R^5) with r and u place and velocity of body j seen from the
/// body, R^2 = r^2 + eps^2 (Makino & Aarseth 1992, PASJ 44, 141, eq. 2), of problem.targets, in single
/// precision. Every pair is summed beside any kernel: with vector instructions if `kernel` has some, on as
/// many threads. The bits do not depend on their number. False if interrupted; the jerks are then unusable.
bool evaluate_jerks(const ForceProblem& problem, const CpuKernel& kernel, std::span<Vec3> jerk);

}  // namespace orrery::sim
