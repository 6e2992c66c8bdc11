#include "lab/tuning/tuning_benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "lab/bench/benchmark.h"
#include "lab/bench/rates.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/core/threads.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"
#include "sim/simulation/approximate_kernels.h"

namespace orrery::lab {

using nlohmann::json;

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

std::string name_of(const TuningTrial& trial) { return trial.changes.empty() ? "the start" : trial.changes; }

json trial_json(const TuningTrial& trial) {
  json entry{{"changes", trial.changes}};
  if (!trial.rejected.empty()) entry["rejected"] = trial.rejected;
  if (trial.measurement.gips > 0.0) {
    entry["gips_kernel"] = trial.measurement.gips;
    entry["force_error_median"] = trial.measurement.error_median;
    entry["force_error_p99"] = trial.measurement.error_p99;
  }
  return entry;
}

std::string best_text(const BenchSetup& setup, const TuningResult& result) {
  if (result.best == setup.configuration)
    return fmt::format(
        "nothing is faster than the start: {} GInteractions/s in the kernel{}\n",
        rate_text(result.start_gips),
        result.no_difference ? "; what looked faster shows no difference, measured in turns" : "");
  const auto best = fmt::format("best: {}\n{} GInteractions/s in the kernel",
                                sim::differences(setup.table, setup.configuration, result.best),
                                rate_text(result.best_gips));
  if (result.start_gips <= 0.0) return best + "; the start is not right enough\n";
  return best + fmt::format(", {:.2f} times the start's {}\n", result.best_gips / result.start_gips,
                            rate_text(result.start_gips));
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

std::string tuning_heading() {
  return fmt::format("{:>9} {:>12} {:>9}  {}", "", "GI/s kernel", "error p99", "options against the start");
}

std::string tuning_line(const TuningTrial& trial, double seconds) {
  const auto head = fmt::format("{:7.1f} s", seconds);
  if (trial.rejected.empty())
    return fmt::format("{} {:>12} {:>9.1e}  {}", head, rate_text(trial.measurement.gips),
                       trial.measurement.error_p99, name_of(trial));
  return fmt::format("{} {:>12} {:>9}  {}: {}", head, "-", "-", name_of(trial), trial.rejected);
}

std::string tuning_text(const BenchSetup& setup, const TuningResult& result) {
  const auto tried = sim::counted(result.trials.size(), "configuration", "configurations") + " tried; ";
  if (!result.nothing.empty()) return tried + result.nothing + "\n";
  const char* ending = result.complete      ? "nothing better is near"
                       : result.interrupted ? "interrupted"
                                            : "the time was up before the search was at its end";
  const auto text = tried + ending + "\n";
  return text + best_text(setup, result) +
         fmt::format("its force error: median {:.1e}, 99th percentile {:.1e} (at most {:.1e} is taken)\n",
                     result.error_median, result.error_p99, result.error_limit);
}

json tuning_json(const BenchSetup& setup, const TuningResult& result, const TunedKey& key) {
  json document{{"version", ORRERY_VERSION},
                {"device", key.device},
                {"engine", key.engine},
                {"bodies", setup.context.bodies},
                {"galaxies", setup.context.galaxies},
                {"start", computing_options(setup.table, setup.configuration)},
                {"best", computing_options(setup.table, result.best)},
                {"changes", sim::differences(setup.table, setup.configuration, result.best)},
                {"gips_kernel", result.best_gips},
                {"gips_kernel_of_start", result.start_gips},
                {"speedup", result.start_gips > 0.0 ? json(result.best_gips / result.start_gips) : json()},
                {"force_error_median", result.error_median},
                {"force_error_p99", result.error_p99},
                {"force_error_limit", result.error_limit},
                {"no_difference", result.no_difference},
                {"complete", result.complete},
                {"interrupted", result.interrupted},
                {"remembered", result.nothing.empty()},
                {"trials", json::array()}};
  for (const auto& trial : result.trials) document["trials"].push_back(trial_json(trial));
  return document;
}

TunedResult tuned_result(const BenchSetup& setup, const TuningResult& result, const TunedKey& key) {
  TunedResult tuned{.key = key, .settings = {}, .gips = result.best_gips, .default_gips = result.start_gips};
  for (const auto& name : tunable_options(setup.table, result.best))
    tuned.settings.emplace_back(name, sim::to_string(result.best.value(name)));
  if (sim::uses_tree(result.best))
    tuned.settings.emplace_back("accuracy", sim::to_string(result.best.value("accuracy")));
  return tuned;
}

}  // namespace orrery::lab
