#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/core/vec3.h"
#include "sim/physics/diagnostics/error_strata.h"
#include "sim/physics/physics.h"

namespace orrery::sim {

/// The relative force errors that an approximate kernel states for itself; 0 where every pair is summed.
struct StatedError {
  double median = 0.0;
  double p99 = 0.0;  ///< 99 % of the bodies are below it

  friend bool operator==(const StatedError&, const StatedError&) = default;
};

/// The accelerations that an engine computed for a few bodies, with everything needed to check them: the
/// positions of all bodies at that very force evaluation, and velocities and charges if the law uses them.
/// Owns its data, so that it can be checked elsewhere.
struct ForceSample {
  std::vector<Vec3> position;  ///< positions of all bodies
  std::vector<float> mass;     ///< masses of all bodies
  std::vector<GalaxyRange> galaxies;
  Physics physics = {.softening = 0.0};
  std::vector<std::size_t> index;   ///< the sampled bodies
  std::vector<Vec3> acceleration;   ///< accelerations that the engine computed for them
  double time = 0.0;                ///< simulated time of the evaluation
  std::vector<Vec3> velocity = {};  ///< velocities of all bodies, for laws that use charges
  std::vector<float> charge = {};
  StatedError stated_error = {};
  /// Says which of `index` were drawn evenly and which from a stratum; null: all evenly.
  std::shared_ptr<const StratifiedSample> plan = nullptr;

  ForceState state() const { return {position, velocity, mass, charge}; }
};

/// The relative force errors of the sampled bodies of a stratum.
struct StratumError {
  std::string name;  ///< Stratum::name, or "all bodies"
  std::size_t sample = 0;
  double median = 0.0;
  double p99 = 0.0;  ///< 99th percentile; the largest error if there are fewer than 100 bodies
  /// The probability of that many errors above the stated ones, if these hold: half of the bodies may exceed
  /// the stated median, and 1 % the stated 99th percentile. 1 where none are stated. Over the checks of a
  /// run: StatementTest.
  double chance = 1.0;
  std::size_t above_median = 0, above_p99 = 0;  ///< sampled bodies above the stated errors
  bool whole = false;  ///< the sample has all bodies of the stratum: another check draws the same
};
/// The one for which the stated errors are least likely to hold; where none are stated, that with the largest
/// median. There must be one.
StratumError worst_of(const std::vector<StratumError>& strata);

/// Relative force errors |a - a64| / |a64| over the sampled bodies. Non-finite accelerations count as an
/// infinite error. Bodies whose reference is 0 (a lone body) count as error 0 if the engine says 0 too.
/// Median and 99th percentile are those of the bodies that were drawn evenly.
struct ForceError {
  std::size_t sample = 0;
  std::size_t evenly = 0;  ///< bodies of `sample` behind the median and the 99th percentile
  double median = 0.0;
  double p99 = 0.0;  ///< the largest of them if there are fewer than 100
  double maximum = 0.0;
  /// A body with more than half of its galaxy's mass (or charge, as the law has it) is dominant: its pull
  /// hides that of all others. It weighs that many times as much as the median body; 0: there is none.
  double mass_ratio = 0.0;
  /// The largest error of the dominant bodies' own accelerations. It is relative to that acceleration, or to
  /// the random residue of the pulls on it (the sum of their magnitudes over sqrt(N)) if that is larger.
  double dominant = 0.0;
  /// Median of |a - a64| relative to the pull of all but the dominant body; 0: there is none.
  double without_dominant = 0.0;
  StatedError stated = {};  ///< ForceSample::stated_error
  /// The stratum, or all bodies, for which the stated errors are least likely to hold; where none are stated,
  /// the one with the largest median.
  StratumError worst = {};
  std::vector<StratumError> strata = {};  ///< of all bodies that were drawn evenly, then of each stratum
};

/// The acceleration of body i by direct summation in double precision, as its force law says.
DVec3 reference_acceleration(const ForceSample& sample, std::size_t i);

/// Compares a sample with the double-precision reference. The result does not depend on `threads`.
ForceError force_error(const ForceSample& sample, int threads = 1);

/// The stated errors are rejected below this probability (StratumError::chance): a run with a thousand checks
/// of ten strata that just meet them has one false alarm.
inline constexpr double least_chance = 1e-4;
/// True if the stated errors do not hold, for all bodies or for a stratum.
inline bool breaks_statement(const ForceError& error) { return error.worst.chance < least_chance; }

/// The larger value of each number; of one kernel, whose statement stays.
ForceError larger(const ForceError& a, const ForceError& b);

/// The bodies of a sample of `count` out of `size`, by its masses or charges: random ones and always the few
/// heaviest, where they weigh ten times as much as the mean. If the sample has a plan for `size` bodies,
/// those of the plan and the heaviest.
std::vector<std::size_t> sampled_bodies(const ForceSample& sample, std::size_t size, std::size_t count,
                                        std::uint64_t seed);

/// The bodies of a sample that are in the plan, and the heaviest.
ForceSample part_of(const ForceSample& sample, std::shared_ptr<const StratifiedSample> plan);

}  // namespace orrery::sim
