#include "sim/simulation/sampled_error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "sim/cpu/cpu_options.h"
#include "sim/physics/reference_forces.h"
#include "sim/simulation/monitor.h"

namespace orrery::sim {

namespace {

constexpr double most_pairs = 1e9;
constexpr std::size_t most_sampled = 256, least_sampled = 64;
/// Bodies whose references are summed at once: each time all masses are made double.
constexpr std::size_t bodies_of_a_task = 16;

double error_of(const Vec3& computed, const DVec3& exact) {
  const double size = norm(exact), error = norm(DVec3(computed) - exact);
  if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
  return size > 0.0 ? error / size : 0.0;
}

std::vector<double> errors_of(const ForceSample& sample) {
  std::vector<double> errors(sample.index.size());
  const std::size_t tasks = (errors.size() + bodies_of_a_task - 1) / bodies_of_a_task;
#pragma omp parallel for schedule(dynamic) num_threads(available_processors())
  for (std::size_t task = 0; task < tasks; ++task) {
    const std::size_t first = task * bodies_of_a_task;
    const std::size_t count = std::min(bodies_of_a_task, errors.size() - first);
    const auto exact = reference_accelerations(sample.state(), sample.galaxies, sample.physics,
                                               std::span(sample.index).subspan(first, count));
    for (std::size_t k = 0; k < count; ++k)
      errors[first + k] = error_of(sample.acceleration[first + k], exact[k]);
  }
  return errors;
}

}  // namespace

std::size_t sampled_for_accuracy(std::size_t bodies) {
  const double fitting = most_pairs / static_cast<double>(std::max<std::size_t>(bodies, 1));
  return static_cast<std::size_t>(std::clamp(fitting, double{least_sampled}, double{most_sampled}));
}

double error_for_accuracy(const ForceSample& sample) {
  auto errors = errors_of(sample);
  if (errors.empty()) return 0.0;
  std::ranges::sort(errors);
  const double median = errors[(errors.size() - 1) / 2];
  const double p99 = errors[(errors.size() * 99 - 1) / 100];
  return std::max(median, p99 / ForceErrorLimits::stated_tail);
}

}  // namespace orrery::sim
