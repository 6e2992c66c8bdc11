#include "sim/simulation/sampled_error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sim/cpu/cpu_options.h"
#include "sim/options/tree_options.h"
#include "sim/physics/reference_forces.h"

namespace orrery::sim {

namespace {

constexpr double most_pairs = 1e9;
constexpr std::size_t most_sampled = 256, least_sampled = 64;

double error_of(const Vec3& computed, const DVec3& exact) {
  const double size = norm(exact), error = norm(DVec3(computed) - exact);
  if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
  return size > 0.0 ? error / size : 0.0;
}

std::vector<double> errors_of(const ForceSample& sample) {
  const auto exact = reference_accelerations(sample.state(), sample.galaxies, sample.physics, sample.index,
                                             available_processors());
  std::vector<double> errors;
  for (std::size_t k = 0; k < exact.size(); ++k) errors.push_back(error_of(sample.acceleration[k], exact[k]));
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
  return std::max(median, p99 / relative_law.stated_p99);
}

}  // namespace orrery::sim
