#include "lab/tuning/tuning_benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/core/threads.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"
#include "sim/simulation/approximate_kernels.h"

namespace orrery::lab {

namespace {

/// A careful measurement takes about this long; a first look one step.
constexpr double careful_ms = 200.0;
constexpr int most_steps = 50;
/// Below this the first look is mostly the launch.
constexpr double short_ms = 0.1;

constexpr std::size_t few_bodies = 4096;
/// Rates grow with the number of bodies, but not by this factor.
constexpr double hopeless = 0.02;
/// So much faster may many bodies be than few.
constexpr double growth_on_cpu = 1.5;
constexpr double growth_on_gpu = 30.0;

/// The first bodies of a scene, as one galaxy.
sim::Scene beginning_of(const sim::Scene& scene) {
  auto few = scene;
  few.bodies = {};
  few.bodies.resize(std::min(few_bodies, scene.bodies.size()));
  const auto copy = [&](auto& to, const auto& from) { std::copy_n(from.begin(), to.size(), to.begin()); };
  copy(few.bodies.position, scene.bodies.position);
  copy(few.bodies.velocity, scene.bodies.velocity);
  copy(few.bodies.mass, scene.bodies.mass);
  copy(few.bodies.charge, scene.bodies.charge);
  return few;
}

}  // namespace

/// The rate of a kernel that leaves pairs out, as if it had summed them: that is what the others are beside.
double TuningStopwatch::comparable_gips(const BenchmarkRow& row) const {
  if (!sim::uses_tree(row.configuration)) return row.gips_kernel;
  return 1e-6 * sim::interactions_per_evaluation(setup_.scene.bodies.galaxies()) / row.kernel_ms;
}

/// A flag that is set when the time is up, or a person interrupts.
class TuningStopwatch::Deadline {
 public:
  explicit Deadline(double seconds)
      : seconds_(seconds),
        thread_(sim::start_thread<std::jthread>("watching the time",
                                                [this](const std::stop_token& stop) { wait(stop); })) {}

  const std::atomic<bool>* flag() const { return &up_; }
  double left() const { return seconds_ - Seconds(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  void wait(const std::stop_token& stop) {
    constexpr std::chrono::milliseconds interval{20};
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any wake;
    while (!stop.stop_requested() && !up_) {
      wake.wait_for(lock, stop, interval, [] { return false; });
      up_ = left() <= 0.0 || sim::interrupted();
    }
  }

  double seconds_;
  Clock::time_point start_ = Clock::now();
  std::atomic<bool> up_{false};
  std::jthread thread_;  ///< last: it uses the rest
};

TuningStopwatch::TuningStopwatch(const BenchSetup& setup) : setup_(setup), few_(beginning_of(setup.scene)) {}

TuningMeasurement TuningStopwatch::measure(const sim::Configuration& configuration,
                                           const TuningEffort& effort) try {
  const Deadline deadline(effort.seconds);
  const auto row = time(configuration, effort.fastest, deadline);
  if (!row.problem.empty()) throw sim::Error(row.problem);
  return {.gips = comparable_gips(row),
          .error_median = row.force_error.median,
          .error_p99 = row.force_error.p99,
          .spread = row.spread,
          .busy = row.busy};
} catch (const sim::Cancelled&) {
  sim::stop_if_interrupted();
  throw TooSlow(fmt::format("it takes longer than the {:.1f} s that it was given", effort.seconds));
}

/// A kernel that is seen for the first time. False if that row is enough.
bool TuningStopwatch::look_at_few(const sim::Configuration& configuration, double fastest,
                                  const Deadline& deadline, BenchmarkRow& row) {
  auto control = timed_steps(1);
  control.interrupt = deadline.flag();
  row = time_configuration(setup_.table, configuration, few_, control);
  if (row.gips_kernel < hopeless * fastest) return false;
  const double evaluation =
      1e-9 * sim::interactions_per_evaluation(setup_.scene.bodies.galaxies()) / row.gips_kernel;
  const double growth = sim::is_on_cpu(configuration) ? growth_on_cpu : growth_on_gpu;
  if (evaluation > growth * deadline.left())
    throw TooSlow(fmt::format("one evaluation takes about {:.0f} s", evaluation));
  return true;
}

BenchmarkRow TuningStopwatch::time(const sim::Configuration& configuration, double fastest,
                                   const Deadline& deadline) {
  const auto& name = sim::computing_name(configuration);
  BenchmarkRow few;
  // Few bodies say nothing of a tree.
  const bool tree = sim::uses_tree(configuration);
  if (setup_.scene.bodies.size() > 2 * few_bodies && !tree && !promising_.contains(name)) {
    if (!look_at_few(configuration, fastest, deadline, few)) return few;
    promising_.insert(name);
  }
  const double interactions = sim::interactions_per_evaluation(setup_.scene.bodies.galaxies());
  const auto evaluations = static_cast<double>(sim::physics_of(configuration).integrator->evaluations());
  TimingControl control;
  control.interrupt = deadline.flag();
  control.next = [&](int timed, double kernel_ms) {
    const double fitting = 1e3 * deadline.left() / std::max(kernel_ms * evaluations, 1e-3);
    if (timed == 0) return fitting < 1.0 ? 0 : 1;
    const bool slow = kernel_ms > short_ms && 1e-6 * interactions / kernel_ms < 0.5 * fastest;
    if (timed > 1 || slow) return 0;
    const double wanted = std::clamp(careful_ms / std::max(kernel_ms, 1e-3), 2.0, double{most_steps});
    return static_cast<int>(std::clamp(fitting, 0.0, wanted));
  };
  return time_configuration(setup_.table, configuration, setup_.scene, control);
}

}  // namespace orrery::lab
