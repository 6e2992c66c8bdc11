#include "sim/cpu/simd/row_tasks.h"

#include <algorithm>
#include <cmath>

#include "sim/cpu/kernels/interaction.h"

namespace orrery::sim {

namespace {

/// Coordinates beyond this have squared distances that single precision may not hold.
constexpr float largest_coordinate = 1e18F;

/// Bodies a task: few enough that every thread gets several.
std::size_t targets_a_task(std::size_t bodies, int threads) {
  constexpr std::size_t least = 64;
  const auto share = bodies / (8 * static_cast<std::size_t>(threads)) / least * least;
  return std::clamp(share, least, most_targets);
}

RowTask task_of(const ForceProblem& problem, const GalaxyRange& galaxy, bool guarded) {
  return {.position = &problem.position.data()->x,
          .mass = problem.mass.data(),
          // Empty where rates of change are summed instead.
          .acceleration = problem.acceleration.empty() ? nullptr : &problem.acceleration.data()->x,
          .sources = problem.sources_in(galaxy),
          .first = galaxy.first,
          .last = galaxy.last,
          .softening_squared = problem.softening_squared,
          .gravitational_constant = problem.gravitational_constant,
          .guarded = guarded,
          .interrupt = problem.interrupt};
}

}  // namespace

bool needs_guard(const ForceProblem& problem) {
  if (!(problem.softening_squared > smallest_distance_squared)) return true;
  float largest = 0.0F;
  const auto& position = problem.position;
  constexpr std::size_t worth_threads = 20'000;
#pragma omp parallel for schedule(static) reduction(max        \
                                                    : largest) \
    num_threads(position.size() > worth_threads ? std::max(1, problem.threads) : 1)
  for (std::size_t i = 0; i < position.size(); ++i)  // NOLINT(modernize-loop-convert): OpenMP's
    largest = std::max({largest, std::abs(position[i].x), std::abs(position[i].y), std::abs(position[i].z)});
  return largest >= largest_coordinate;
}

std::vector<RowTask> row_tasks(const ForceProblem& problem) {
  std::vector<RowTask> tasks;
  const bool guarded = needs_guard(problem);
  const std::size_t step = targets_a_task(problem.position.size(), problem.threads);
  for (const auto& galaxy : problem.galaxies) {
    auto task = task_of(problem, galaxy, guarded);
    const auto rows = problem.targets_in(galaxy);
    for (std::size_t first = rows.first; first < rows.last; first += step) {
      task.first = first;
      task.last = std::min(first + step, rows.last);
      tasks.push_back(task);
    }
  }
  return tasks;
}

bool run_tasks(const ForceProblem& problem, const std::vector<RowTask>& tasks, RowFunction* function) {
  // One at a time: galaxies differ in size, and so may cores.
#pragma omp parallel for schedule(dynamic, 1) num_threads(problem.threads)
  for (const auto& task : tasks) function(task);
  return !problem.interrupted();
}

}  // namespace orrery::sim
