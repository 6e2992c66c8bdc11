#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "lab/verify/multiscale_scenes.h"
#include "sim/core/vec3.h"
#include "sim/physics/diagnostics/force_error.h"
#include "sim/physics/physics.h"

namespace orrery::lab {

/// The force error of the bodies of one part of a scene: |a - a64| over |a64|, or over
/// ScenePart::kept_of_pulls of the sum of the sizes of all pulls if that is more.
struct PartError {
  std::string part;
  std::size_t sample = 0;
  double median = 0.0, p99 = 0.0, maximum = 0.0;
  double rounding = 0.0;  ///< ScenePart::rounding
};

/// The limits of a part where the kernel states errors for all bodies: twice the median and three times
/// the 99th percentile, plus what rounding costs there.
struct PartLimits {
  double median = 0.0, p99 = 0.0;
};
PartLimits part_limits(const PartError& part, const sim::StatedError& stated);
/// The larger numbers of each part, of the same parts.
std::vector<PartError> larger(std::span<const PartError> a, std::span<const PartError> b);
/// The error of a part over its limit: at most 1 if it is right. NaN counts as infinite.
double excess_of(const PartError& part, const sim::StatedError& stated);
/// The part that is the farthest above its limits, or the nearest to them. There must be one.
const PartError& worst_part(std::span<const PartError> parts, const sim::StatedError& stated);

/// A line for each part that is above its limits: which numbers, and how far.
std::vector<std::string> part_failures(std::span<const PartError> parts, const sim::StatedError& stated);

/// Sums in double precision for some bodies of each part, by gravity.
class PartReference {
 public:
  /// Computes the reference for bodies at these positions; at most `most` bodies of each part, evenly chosen.
  PartReference(std::span<const sim::Vec3> position, std::span<const float> mass, const sim::Physics& physics,
                std::span<const ScenePart> parts, std::size_t most);
  /// The force errors of each part, of these accelerations of all bodies of the scene. An acceleration that
  /// is no number counts as an infinite error.
  std::vector<PartError> errors(std::span<const sim::Vec3> acceleration) const;

 private:
  struct Pulls {
    std::size_t body = 0;
    sim::DVec3 sum;
    double sizes = 0.0;  ///< sum of the magnitudes of the pulls
  };
  struct Part {
    ScenePart part;
    std::vector<Pulls> pulls;
  };
  std::vector<Part> parts_;
};

/// The force errors of each part where a sample has all bodies.
std::vector<PartError> part_errors(const sim::ForceSample& sample, std::span<const ScenePart> parts,
                                   std::size_t most);

}  // namespace orrery::lab
