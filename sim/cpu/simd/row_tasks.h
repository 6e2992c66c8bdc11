#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "sim/cpu/kernel.h"

namespace orrery::sim {

/// Largest number of targets per task; a multiple of every vector length. Their coordinates and sums stay in
/// the first-level cache.
inline constexpr std::size_t most_targets = 256;
/// Sources that are read over and over for the targets of a task (16 KiB). Their forces are added up before
/// they are added to those of the other tiles: smaller errors than one long sum.
inline constexpr std::size_t source_tile = 1024;

/// A piece of work for one thread: the accelerations of the targets [first, last) by all sources of their
/// galaxy. Plain pointers: what it calls is compiled for several instruction sets.
struct RowTask {
  const float* position = nullptr;  ///< 3 floats per body
  const float* mass = nullptr;
  float* acceleration = nullptr;    ///< 3 floats per body; written at the targets
  const float* velocity = nullptr;  ///< 3 floats per body; of jerks, which then stand for the accelerations
  GalaxyRange sources;
  std::size_t first = 0, last = 0;
  double softening_squared = 0.0;
  double gravitational_constant = 1.0;
  /// Squared distances may be zero or overflow: each is looked at.
  bool guarded = false;
  const std::atomic<bool>* interrupt = nullptr;

  bool interrupted() const { return interrupt != nullptr && interrupt->load(std::memory_order_relaxed); }
};
using RowFunction = void(const RowTask& task);

/// The rows of a problem in pieces. What a body gets does not depend on how they are cut.
std::vector<RowTask> row_tasks(const ForceProblem& problem);

/// Hands the tasks out to problem.threads threads. False if interrupted.
bool run_tasks(const ForceProblem& problem, const std::vector<RowTask>& tasks, RowFunction* function);

/// True where softening or coordinates allow squared distances whose inverse cube is no finite number.
bool needs_guard(const ForceProblem& problem);

}  // namespace orrery::sim
