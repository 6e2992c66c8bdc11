#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "sim/cpu/kernel.h"
#include "sim/cpu/tree/group_task.h"

namespace orrery::sim {

/// The groups of a galaxy, what they walk, and where their accelerations go. Views.
struct GalaxyGroups {
  const ForceProblem& problem;
  GalaxyRange galaxy;
  GroupWalk::Trees trees;
  std::span<const std::uint32_t> order;  ///< the body of the galaxy at each place
  GroupFunction* sum_group = nullptr;
  bool guarded = false;
  BodyRange targets = {};       ///< bodies whose accelerations are computed
  std::span<Vec3> places = {};  ///< results ordered by position on the curve; empty: written to
                                ///< problem.acceleration, ordered by body
  /// Called with the cost of each group, in any unit, as far as it depends on the bodies alone; may be empty.
  std::function<void(std::size_t group, double work)> note_work = {};
};

/// Bodies of a group.
std::size_t size_of_groups(const ForceProblem& problem);
/// All groups of that many bodies.
BodyRange all_groups(const ForceProblem& problem, std::size_t bodies);

/// The accelerations of these groups, on all threads. How many pairs of a body and a body or cell were
/// summed. What has begun is brought to its end if interrupted. Throws std::bad_alloc.
std::uint64_t sum_groups(const GalaxyGroups& all, BodyRange groups);

}  // namespace orrery::sim
