#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/verify/part_errors.h"
#include "sim/options/configuration.h"
#include "sim/physics/diagnostics/force_error.h"
#include "sim/scene/scene.h"

namespace orrery::lab {

/// Error limits of a configuration (docs/physics.md has the reasons).
struct VerifyLimits {
  double force_median = 0.0;
  double force_p99 = 0.0;
  double position = 0.0;  ///< length
  double energy = 0.0;    ///< relative
  double dominant = 0.0;  ///< ForceError::dominant, where there is such a body
  /// If one body's weight decides all forces, its rounding does not average out: the limits of the forces
  /// are no less, and that of the positions no less than this part of the radius of half of the bodies.
  double dominated = 0.0;
};
/// The limits for the precision of the sums and that many bodies per galaxy.
VerifyLimits verify_limits(const sim::Configuration& configuration, std::size_t bodies);

/// Parameters of a verification on a scene.
struct VerificationTask {
  int steps = 100;
  double position_tolerance = 1e-3;
  bool of_radius = false;  ///< the limit is a multiple of the half-mass radius, else a length
  /// The scene's energy is conserved, and two bodies must go round each other as Kepler's do: what the
  /// reference run would share, a wrong integrator or G, shows too.
  bool known_answers = false;
  /// Parts of the scene, each of which an approximate kernel must have right by itself. Not empty: forces
  /// alone are judged, in few steps, and no reference run is made.
  std::vector<ScenePart> parts = {};
};

/// The verification of one configuration.
struct Verification {
  std::string ladder;  ///< empty: none
  std::string name;
  std::string skipped;  ///< not empty: it cannot run here, and why
  sim::Configuration configuration;
  std::size_t bodies = 0;  ///< bodies of all galaxies together
  std::size_t galaxies = 0;
  int steps = 0;
  sim::ForceError force_error;   ///< the larger one of the first and of the last evaluation
  std::vector<PartError> parts;  ///< likewise, of VerificationTask::parts
  double position_difference =
      0.0;  ///< largest difference of a coordinate to the reference run, after the steps
  double squared_distance = 0.0;   ///< sum over the bodies of |x - x_CPU|^2, the error of the ECE1782 report
  double energy_drift = 0.0;       ///< (E - E0) / |E0|
  double energy_difference = 0.0;  ///< to the drift of the reference run, relative to it if that is above 1
  /// Two bodies after a quarter of a circle: how far from where they should be, relative to their distance.
  std::optional<double> circle_error;
  VerifyLimits limits;
  std::vector<std::string> failures;  ///< one line each; empty: right

  bool failed() const { return !failures.empty(); }
};

/// Runs configurations on one scene and compares them with double precision and with a reference run: the
/// CPU kernel omp-bodies with the same physics, which is run once for each physics.
class Verifier {
 public:
  /// Scene and table must outlive it.
  Verifier(const sim::OptionTable& table, const sim::Scene& scene, const VerificationTask& task)
      : table_(table), scene_(scene), task_(task) {}

  /// `stepped` is told how many steps of a run are done.
  void on_step(std::function<void(int done)> stepped) { stepped_ = std::move(stepped); }

  /// Never throws for a configuration's own failure: what is refused here is skipped, whatever else goes
  /// wrong is a failure. Throws sim::Cancelled when a person interrupts (sim::interrupted).
  Verification verify(const std::string& name, const sim::Configuration& configuration);

 private:
  /// The outcome of a run.
  struct Outcome {
    sim::Bodies bodies;
    sim::ForceError force_error;
    std::vector<PartError> parts;
    double energy_drift = 0.0;
    double half_radius = 0.0;   ///< initial half-mass radius r50
    double acceleration = 0.0;  ///< median of its size, mean of the first and the last evaluation
    std::uint64_t steps = 0;
  };
  Outcome run(const sim::Configuration& configuration) const;
  void take_sample(Outcome& outcome, const sim::ForceSample& sample) const;
  const Outcome& reference(const sim::Configuration& configuration);
  void judge_forces(Verification& result, const Outcome& outcome) const;
  void compare(Verification& result, const Outcome& outcome, const Outcome& right) const;
  void judge_known_answers(Verification& result) const;

  const sim::OptionTable& table_;
  const sim::Scene& scene_;
  VerificationTask task_;
  std::function<void(int done)> stepped_;
  std::map<std::string, Outcome> references_;  ///< reference results by physics settings
};

/// {"version", "passed", "failed", "skipped", "rows": [...]}.
nlohmann::json verification_json(const sim::OptionTable& table, const std::vector<Verification>& results);
/// A line for each: its numbers, those of its worst part, and pass, FAIL with the reasons, or skipped with
/// the reason.
std::string verification_heading();
std::string verification_line(const Verification& result);
/// "42 passed, 1 failed, 3 skipped".
std::string verification_summary(const std::vector<Verification>& results);

}  // namespace orrery::lab
