#pragma once

#include "sim/cpu/kernel.h"
#include "sim/cpu/tree/group_walk.h"

namespace orrery::sim {

/// Fills problem.acceleration by a tree for each galaxy, with `sum_group` for the sums of a group. Keeps the
/// tree in problem.memory, and says in problem.interactions how many pairs of a body and a body or cell were
/// summed. False if interrupted. Throws std::bad_alloc.
bool tree_forces(const ForceProblem& problem, GroupFunction* sum_group);

}  // namespace orrery::sim
