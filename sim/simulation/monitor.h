#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sim/core/triple_buffer.h"
#include "sim/core/vec3.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/physics/diagnostics/force_error.h"
#include "sim/physics/diagnostics/statement_test.h"
#include "sim/scene/scene.h"

namespace orrery::sim {

/// Two states of the same bodies, one step apart.
struct StepPair {
  std::vector<Vec3> position_before, velocity_before;
  std::vector<Vec3> position_after, velocity_after;
  double time_step = 0.0;

  bool empty() const { return position_before.empty(); }
};

/// Tests if bodies move as their velocities say: the median of |dx - dt v| / |dt v|, where v is the velocity
/// before the step, after it, or their mean, whichever fits best, because integrators differ in that. For a
/// step that resolves the orbits it is a few percent at most; infinite if a state is not finite. The possible
/// rounding of the positions is subtracted.
double motion_error(const StepPair& pair);

/// A state to be checked. Owns its data.
struct HealthCheck {
  ForceSample forces;   ///< may be empty: the force error then stays what it was
  StepPair motion;      ///< a step of what computed the forces; may be empty
  std::string problem;  ///< shortfall of the engine that computed the forces (EngineReport::shortfall)
  std::shared_ptr<const Scene> scene;  ///< scene of the bodies; null: the strata of the next sample are kept
  /// Bodies for the diagnostics, of which position, velocity, mass and charge are read. Empty: no
  /// diagnostics.
  Bodies bodies;
  std::vector<GalaxyRange> galaxies;
  Physics physics;  ///< physics in force
  double time = 0.0;
  std::uint64_t step = 0;      ///< step number of this state
  bool new_baseline = false;   ///< drifts are counted from this state on
  std::uint64_t baseline = 0;  ///< number of the baseline for its drifts
  std::string label;           ///< name of the kernel or engine that computed the forces
  std::uint64_t revision = 0;  ///< revision of the controls that computed the forces; 0: not known
};

/// The correctness of the result.
struct Health {
  ForceError force_error;
  std::string problem;  ///< HealthCheck::problem
  /// Motion error of the configuration in `label`, if one of its steps was compared.
  std::optional<double> motion_error;
  std::string label;           ///< the configuration that the force error is of
  std::uint64_t revision = 0;  ///< revision of the controls of the force error; 0: they changed meanwhile
  Diagnostics diagnostics;
  double time = 0.0;           ///< simulated time of the checked state
  std::uint64_t baseline = 0;  ///< from which the drifts are counted
  /// Step number of the state that has these drifts; none: no drift was measured.
  std::optional<std::uint64_t> drift_step;
  double energy_drift = 0.0;  ///< (E - E0) / |E0|; relative to K0 + |W0| where these nearly cancel
  double energy_drift_uncertainty = 0.0;  ///< one standard error, when the potential is sampled
  double momentum_drift = 0.0;          ///< |P - P0| / sqrt(2 K0 M), which is |P| if all bodies went one way
  double angular_momentum_drift = 0.0;  ///< |L - L0| / (r90 sqrt(2 K0 M))
  bool conserves_momentum = true;       ///< false: law or external field do not, and drifts say nothing
};

/// Drifts of `now` from `start`; fills the three drift members of `health`.
void set_drifts(Health& health, const Diagnostics& start, const Diagnostics& now);

/// Green, amber, red: what the badge shows.
enum class Verdict { good, doubtful, wrong };
/// The badge's limits. Single-precision sums reach 1e-6 to 1e-5 (docs/physics.md).
struct ForceErrorLimits {
  static constexpr double good_median = 1e-5;
  static constexpr double good_p99 = 1e-3;
  /// The 99th percentile of a few hundred bodies is one of the three largest errors: so far it may be above
  /// the one that a kernel states for all. That too many are above (breaks_statement) is judged apart.
  static constexpr double scatter_p99 = 2.0;
  static constexpr double doubtful_median = 1e-3;
  static constexpr double doubtful_p99 = 1e-1;
  /// Limit for a dominant body's own acceleration (ForceError::dominant). With such a body, the rounding of
  /// its weight does not average out: 1.2e-3 with half-precision weights. So up to this the median is only
  /// doubtful, too.
  static constexpr double good_dominant = 1e-3;
  static constexpr double doubtful_dominant = 1e-2;
};
/// An approximate kernel is right within the errors that it states (ForceError::stated), for all bodies and
/// for each stratum.
Verdict verdict(const ForceError& error);
/// Above this motion error bodies do not go where their velocities say, and the badge is red.
inline constexpr double most_motion_error = 0.25;
/// The energy may change by that much, and by three standard errors more, before the result counts as wrong.
inline constexpr double most_energy_drift = 0.01;
/// True if it has changed by more than that.
bool loses_energy(const Health& health);
/// The badge: the forces' verdict, but amber if the energy is lost; red if bodies do not move as they should,
/// or if the engine has a problem.
Verdict verdict(const Health& health);
/// |dE/E| below 1e-3 is good, below 1e-2 doubtful (docs/physics.md, error levels that people accept).
Verdict energy_verdict(double drift);

/// The pause before the potential energy is summed again, after that much work on it: 5 % of a core's time go
/// into it. After a new baseline the pause is shorter, because without a second sum there is no drift to
/// show.
std::chrono::duration<double> rest_after(std::chrono::duration<double> work, bool baseline);

/// The times by which the monitor rests: a test brings its own.
struct MonitorTimes {
  using Now = std::chrono::steady_clock::time_point;
  std::function<Now()> now;
  std::function<std::chrono::duration<double>()>
      worked;  ///< time that the requesting thread has worked, without waiting
};
MonitorTimes times_of_this_machine();

/// Checks states in the background at low priority. The force error is found for every check; the potential
/// energy, which takes much longer, as `rest_after` says, and on a thread of its own: forces do not wait for
/// it.
class Monitor {
 public:
  explicit Monitor(MonitorTimes times = times_of_this_machine());
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;
  ~Monitor();

  /// Called by the stepping thread: true if forces may be submitted now.
  bool takes_forces() const { return forces_.idle(); }
  /// Called by the stepping thread: true if bodies may be submitted now.
  bool takes_bodies() const { return bodies_.idle(); }
  /// Called by the stepping thread: true if bodies may be submitted now and their diagnostics are due.
  bool wants_bodies() const { return bodies_.idle() && times_.now() >= next_diagnosis_.load(); }
  bool idle() const { return takes_forces() && takes_bodies(); }
  /// Called by the stepping thread, only if the monitor takes the parts of the check.
  void submit(std::unique_ptr<HealthCheck> check);
  /// Called by the drawing thread: the newest result.
  bool receive(Health& health) { return results_.receive(health); }
  /// Called by the stepping thread: the newest strata, of the last sample with a scene.
  bool receive(ErrorStrata& strata) { return strata_.receive(strata); }

 private:
  /// A thread that takes one check at a time.
  class Lane {
   public:
    void start(std::function<void(const HealthCheck&)> examine);
    void end();
    bool idle() const { return inbox_.load() == nullptr && !busy_.load(); }
    void submit(std::unique_ptr<HealthCheck> check);

   private:
    void run();
    std::function<void(const HealthCheck&)> examine_;
    std::atomic<HealthCheck*> inbox_{nullptr};
    std::atomic<unsigned> signal_{0};  ///< changes when the thread has to look around
    std::atomic<bool> busy_{false};
    std::atomic<bool> quit_{false};
    std::thread thread_;
  };

  void examine_forces(const HealthCheck& check);
  void examine_bodies(const HealthCheck& check);
  void diagnose_state(const HealthCheck& check);
  void update(const std::function<void(Health&)>& change);

  std::atomic<bool> quit_{false};
  Mailbox<Health> results_;
  Mailbox<ErrorStrata> strata_;
  std::mutex mutex_;  ///< guards health_ and its delivery
  Health health_;
  Diagnostics baseline_;
  StatementTest statement_;  ///< of the checks of the configuration in health_
  MonitorTimes times_;
  std::atomic<MonitorTimes::Now> next_diagnosis_{};
  Lane forces_, bodies_;
};

}  // namespace orrery::sim
