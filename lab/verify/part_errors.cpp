#include "lab/verify/part_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/core/percentile.h"

namespace orrery::lab {

namespace {

using sim::DVec3;

constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

PartReference::PartReference(std::span<const sim::Vec3> position, std::span<const float> mass,
                             const sim::Physics& physics, std::span<const ScenePart> parts,
                             std::size_t most) {
  const double eps2 = physics.softening * physics.softening, gravity = physics.gravitational_constant;
  const auto add_pulls = [&](Pulls& pulls) {
    const DVec3 here(position[pulls.body]);
    for (std::size_t j = 0; j < position.size(); ++j) {
      const DVec3 d = DVec3(position[j]) - here;
      const double squared = dot(d, d), softened = squared + eps2;
      if (squared == 0.0) continue;
      const double weight = gravity * static_cast<double>(mass[j]) / (softened * std::sqrt(softened));
      pulls.sum += weight * d;
      pulls.sizes += weight * std::sqrt(squared);
    }
  };
  for (const auto& part : parts) {
    const std::size_t count = part.bodies.size(), taken = std::min(count, most);
    auto& pulls = parts_.emplace_back(Part{part, std::vector<Pulls>(taken)}).pulls;
#pragma omp parallel for schedule(static)
    for (std::size_t k = 0; k < taken; ++k) {
      pulls[k].body = part.bodies.first + k * count / taken;
      add_pulls(pulls[k]);
    }
  }
}

std::vector<PartError> PartReference::errors(std::span<const sim::Vec3> acceleration) const {
  std::vector<PartError> all;
  for (const auto& [part, pulls] : parts_) {
    if (pulls.empty()) continue;
    std::vector<double> errors;
    for (const auto& each : pulls) {
      const double size = std::max(norm(each.sum), part.kept_of_pulls * each.sizes);
      const double error = norm(DVec3(acceleration[each.body]) - each.sum);
      errors.push_back(std::isfinite(error) ? error / (size > 0.0 ? size : 1.0) : infinite);
    }
    const auto p99 = static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(errors.size()))) - 1;
    all.push_back({part.name, errors.size(), sim::median(errors), sim::nth_smallest(errors, p99),
                   *std::ranges::max_element(errors), part.rounding});
  }
  return all;
}

std::vector<PartError> part_errors(const sim::ForceSample& sample, std::span<const ScenePart> parts,
                                   std::size_t most) {
  return PartReference(sample.position, sample.mass, sample.physics, parts, most).errors(sample.acceleration);
}

PartLimits part_limits(const PartError& part, const sim::StatedError& stated) {
  // Of the few bodies that are checked in a part the 99th percentile is one of the largest.
  constexpr double of_median = 2.0, of_tail = 3.0, tail_of_rounding = 20.0;
  // Each of a handful may be one of the few of all bodies that are off by more.
  constexpr std::size_t handful = 8;
  const double p99 = of_tail * stated.p99 + tail_of_rounding * part.rounding;
  return {part.sample < handful ? p99 : of_median * stated.median + part.rounding, p99};
}

std::vector<PartError> larger(std::span<const PartError> a, std::span<const PartError> b) {
  std::vector<PartError> all(a.begin(), a.end());
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k].median = std::max(all[k].median, b[k].median);
    all[k].p99 = std::max(all[k].p99, b[k].p99);
    all[k].maximum = std::max(all[k].maximum, b[k].maximum);
  }
  return all;
}

double excess_of(const PartError& part, const sim::StatedError& stated) {
  const auto limits = part_limits(part, stated);
  const double excess = std::max(part.median / limits.median, part.p99 / limits.p99);
  return std::isnan(excess) ? infinite : excess;
}

std::vector<std::string> part_failures(std::span<const PartError> parts, const sim::StatedError& stated) {
  std::vector<std::string> failures;
  const auto judge = [&](const PartError& part, const char* what, double value, double limit) {
    if (!(value <= limit))
      failures.push_back(
          fmt::format("{} of part '{}' {:.1e} is above {:.1e}", what, part.part, value, limit));
  };
  for (const auto& part : parts) {
    const auto limits = part_limits(part, stated);
    judge(part, "median force error", part.median, limits.median);
    judge(part, "99th percentile of force error", part.p99, limits.p99);
  }
  return failures;
}

const PartError& worst_part(std::span<const PartError> parts, const sim::StatedError& stated) {
  return *std::ranges::max_element(parts, {}, [&](const PartError& part) { return excess_of(part, stated); });
}

}  // namespace orrery::lab
