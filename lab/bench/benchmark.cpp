#include "lab/bench/benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <utility>

#include "lab/setup/load_watch.h"
#include "lab/setup/starting_options.h"
#include "sim/activity/map_options.h"
#include "sim/core/error.h"
#include "sim/core/percentile.h"
#include "sim/core/time_account.h"
#include "sim/cpu/cpu_options.h"
#include "sim/cuda/options/schedule.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"
#include "sim/options/tree_options.h"
#include "sim/ranks/agreement.h"
#include "sim/ranks/world.h"
#include "sim/simulation/approximate_kernels.h"
#include "sim/simulation/energy_watch.h"
#include "sim/simulation/error_watch.h"
#include "sim/simulation/lost_run.h"
#include "sim/simulation/ranked_engine.h"

namespace orrery::lab {

namespace {

/// A target in plain memory: what publishing costs without a picture.
struct HostTarget {
  std::vector<float> position, velocity, map;
  std::size_t map_size;
  HostTarget(std::size_t bodies, std::size_t cells_a_side)
      : position(4 * bodies), velocity(4 * bodies), map_size(cells_a_side) {
    if (map_size > 0) map.resize(sim::map_header + map_size * map_size);
  }
  sim::VertexTarget target() {
    return {.position = position.data(),
            .velocity = velocity.data(),
            .bodies = position.size() / 4,
            .map = map.empty() ? nullptr : map.data(),
            .map_size = map_size};
  }
};

using Milliseconds = std::chrono::duration<double, std::milli>;

/// True if vertices are written to the host. A device engine's stay on the device, and it works on while the
/// host does something else.
bool on_host(const sim::Engine& engine) {
  return engine.kind().target_space == sim::VertexTarget::Space::host;
}

/// Some steps: the median of their force evaluations, and how long all took.
struct StepTimes {
  int steps = 0;
  double kernel_ms = 0.0;
  double elapsed_ms = 0.0;
  double mean_ms = 0.0;
  double deviation_ms = 0.0;
  double map_ms = 0.0;
  Spread spread;
};

/// The mean, and the standard deviation of a sample (n - 1), which for one number is 0.
std::pair<double, double> mean_and_deviation(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, values.size() > 1 ? std::sqrt(squares / (n - 1.0)) : 0.0};
}

/// Throws Cancelled where the flag ends it.
void queue_step(sim::Engine& engine, const TimingControl& control) {
  if (control.interrupt != nullptr && control.interrupt->load()) throw sim::Cancelled();
  engine.advance({.interrupt = control.interrupt});
}

/// Now, when all processes have come here: none measures how long it waited for what another one did before.
std::chrono::steady_clock::time_point start_together() {
  if (sim::world().size() > 1) sim::call_roll(sim::world());
  return std::chrono::steady_clock::now();
}

/// Makes the steps of a measurement one by one.
class Stepper {
 public:
  Stepper(sim::Engine& engine, const TimingControl& control, const sim::VertexTarget& target)
      : engine_(engine), control_(control), target_(target) {}

  StepTimes make(int steps) {
    std::vector<double> kernel_ms;
    std::vector<double> map_ms;
    const auto start = start_together();
    for (int step = 0; step < steps; ++step) {
      make_one();
      const auto timings = engine_.status().timings;
      kernel_ms.push_back(timings.force_ms);
      map_ms.push_back(timings.map_ms);
    }
    const double elapsed = Milliseconds(std::chrono::steady_clock::now() - start).count();
    const auto [mean, deviation] = mean_and_deviation(kernel_ms);
    const auto spread = spread_of_times(kernel_ms);
    return {steps, sim::median(kernel_ms), elapsed, mean, deviation, sim::median(map_ms), spread};
  }

 private:
  void make_one() {
    if (!engine_.advance({.interrupt = control_.interrupt}) && control_.interrupt->load())
      throw sim::Cancelled();
    // What a device engine publishes stays on the device; copying it to the host is no part of a step.
    if (on_host(engine_)) engine_.write_vertices(target_);
    engine_.finish();
    if (control_.progress) control_.progress(++done_);
  }

  sim::Engine& engine_;
  const TimingControl& control_;
  const sim::VertexTarget& target_;
  int done_ = 0;
};

/// The steps after the one that warms up.
StepTimes time_steps(Stepper& stepper, const TimingControl& control, StepTimes times) {
  int timed = 0;
  while (const int more = control.next(timed, times.kernel_ms)) {
    times = stepper.make(more);
    timed += more;
  }
  return times;
}

/// The kernel time of short steps. Made one at a time, their time includes the host's launches, for which the
/// device waits. Here steps follow each other, as in a simulation, and the engine times some of them; the
/// graph that it launches for that differs from the one before, which may cost more than the wait. The
/// shorter of both times is nearer to that of the kernels.
double busy_kernel_ms(sim::Engine& engine, const TimingControl& control, int steps, double one_by_one_ms) {
  constexpr double short_ms = 1.0;
  constexpr int enough_steps = 5;
  constexpr std::size_t samples = 9;
  constexpr int most_steps = 1000;
  if (on_host(engine) || one_by_one_ms >= short_ms || steps < enough_steps || sim::world().size() > 1)
    return one_by_one_ms;
  std::vector<double> kernel_ms;
  auto seen = engine.status().timings.evaluations;
  for (int step = 0; step < most_steps && kernel_ms.size() <= samples; ++step) {
    queue_step(engine, control);
    const auto evaluations = engine.status().timings.evaluations;
    if (std::exchange(seen, evaluations) != evaluations)
      kernel_ms.push_back(engine.status().timings.force_ms);
  }
  engine.finish();
  if (kernel_ms.size() < 2) return one_by_one_ms;
  // Nothing preceded the first one.
  kernel_ms.erase(kernel_ms.begin());
  return std::min(sim::median(kernel_ms), one_by_one_ms);
}

/// A device works on while the host queues the next steps: they are queued without a look in between. Steps
/// that are long enough not to notice are not made again.
double time_whole_steps(sim::Engine& engine, const TimingControl& control, int steps, double elapsed_ms) {
  constexpr double noticeable_ms = 20.0;
  if (on_host(engine) || elapsed_ms > noticeable_ms * steps) return elapsed_ms;
  // Steps that follow each other closely may need preparation of their own, such as capturing a graph.
  for (int step = 0; step < 3; ++step) queue_step(engine, control);
  engine.finish();
  const auto start = start_together();
  for (int step = 0; step < steps; ++step) queue_step(engine, control);
  engine.finish();
  return Milliseconds(std::chrono::steady_clock::now() - start).count();
}

/// One more step of a device, whose kernels are timed one by one. Several ranks wait for each other.
void time_parts(sim::Engine& engine, const TimingControl& control, BenchmarkRow& row) {
  if (on_host(engine)) {
    row.update_ms = engine.status().timings.update_ms;
    return;
  }
  engine.observe({.timeline = true});
  queue_step(engine, control);
  engine.finish();
  const auto timeline = engine.poll().timeline;
  if (!timeline) return;
  double forces = 0.0, sums = 0.0;
  for (const auto& span : timeline->spans) {
    const double ms = span.end_ms - span.start_ms;
    if (span.activity == sim::TimelineKind::forces) forces += ms;
    if (span.activity == sim::TimelineKind::sums) sums += ms;
    if (span.activity == sim::TimelineKind::update) row.update_ms += ms;
  }
  if (sums > 0.0) row.sums_share = sums / (forces + sums);
}

/// The bodies into the engine.
void load(sim::Engine& engine, const sim::Scene& scene) {
  const sim::TimedPhase phase("load");
  engine.load(scene.bodies, scene.time);
}

/// Makes the step that warms up. Returns its times, and puts the forces of some bodies into `sample`.
StepTimes warm_up(sim::Engine& engine, Stepper& stepper, const sim::SampleRequest& wanted,
                  std::optional<sim::ForceSample>& sample) {
  const sim::TimedPhase phase("first step");
  engine.observe(wanted);
  const auto times = stepper.make(1);
  sample = engine.poll().forces;
  return times;
}

sim::ForceError checked(const sim::ForceSample& sample) {
  const sim::TimedPhase phase("check forces");
  return sim::force_error(sample, sim::available_processors());
}

/// A tree whose cells serve several steps errs most with the oldest ones: the error of that step, where it is
/// larger than `fresh`.
sim::ForceError with_oldest_cells(sim::Engine& engine, const sim::Configuration& configuration,
                                  const TimingControl& control, const sim::SampleRequest& wanted,
                                  const sim::ForceError& fresh) {
  if (!sim::uses_tree(configuration)) return fresh;
  const auto shared = sim::tree_settings(configuration).rebuild;
  if (shared < 2) return fresh;
  while (engine.status().steps % shared != shared - 1) {
    queue_step(engine, control);
    engine.finish();
  }
  engine.observe(wanted);
  queue_step(engine, control);
  engine.finish();
  const auto sample = engine.poll().forces;
  return sample ? larger(fresh, checked(*sample)) : fresh;
}

/// Watches the cores through all measurements of this program: short ones share a look.
LoadWatch& load_watch() {
  static LoadWatch watch;
  return watch;
}

/// A device computes undisturbed by what the cores do.
void note_others(const sim::Engine& engine, BenchmarkRow& row) {
  if (!on_host(engine)) return;
  auto& watch = load_watch();
  watch.update(LoadWatch::Clock::now());
  row.busy = watch.busy();
  if (row.busy) row.others = watch.load()->processors;
}

/// The energy over all steps that were made.
void note_energy(sim::EnergyWatch& energy, sim::Engine& engine, BenchmarkRow& row) {
  row.all_steps = engine.status().steps;
  energy.end_at(row.all_steps);
  energy.look(engine, sim::physics_of(row.configuration));
  row.energy_drift = energy.drift();
  row.energy_problem = energy.problem();
}

BenchmarkRow time_engine(sim::Engine& its_engine, const sim::Configuration& configuration,
                         const sim::Scene& scene, const TimingControl& control,
                         const sim::VertexTarget& target) {
  auto& ranks = sim::world();
  auto* engine = &its_engine;
  Stepper stepper(*engine, control, target);
  load_watch().update(LoadWatch::Clock::now());
  load(*engine, scene);
  std::optional<sim::EnergyWatch> energy;
  if (control.energy) energy.emplace(scene.bodies, 1).look(*engine, sim::physics_of(configuration));
  const auto wanted = sim::first_sample(configuration, scene.bodies, sim::benchmark_check);
  std::optional<sim::ForceSample> sample;
  auto times = warm_up(*engine, stepper, wanted, sample);
  std::optional<sim::TimedPhase> phase("steps");
  times = time_steps(stepper, control, times);
  const int steps = times.steps;
  times.kernel_ms = busy_kernel_ms(*engine, control, steps, times.kernel_ms);
  // All ranks go by the time of the slowest: what is done and measured next depends on it.
  const auto of_slowest = [&](double own) {
    if (ranks.size() > 1) sim::find_largest(ranks, {&own, 1});
    return own;
  };
  const double elapsed = of_slowest(time_whole_steps(*engine, control, steps, of_slowest(times.elapsed_ms)));

  const double interactions = engine->status().timings.interactions;
  BenchmarkRow row{.label = sim::computing_name(configuration),
                   .configuration = configuration,
                   .bodies = scene.bodies.size(),
                   .galaxies = scene.bodies.galaxies().size(),
                   .steps = steps,
                   .ranks = ranks.size(),
                   .kernel_ms = times.kernel_ms,
                   .kernel_mean_ms = times.mean_ms,
                   .kernel_deviation_ms = times.deviation_ms};
  if (row.ranks > 1)
    row.split = sim::split_name(
        sim::cuda::split_of_processes(configuration, row.galaxies, static_cast<std::size_t>(row.ranks)));
  row.report = engine->report();
  row.spread = times.spread;
  note_others(*engine, row);
  row.interactions_per_body = interactions / static_cast<double>(std::max<std::size_t>(row.bodies, 1));
  const auto evaluations = static_cast<double>(steps) *
                           static_cast<double>(sim::physics_of(configuration).integrator->evaluations());
  // They are a part of the steps.
  row.kernel_ms = std::min(row.kernel_ms, elapsed / evaluations);
  const auto rates = rates_of({interactions, row.kernel_ms}, {interactions * evaluations, elapsed});
  row.gips_kernel = rates.kernel;
  row.gips_frame = rates.whole;
  time_parts(*engine, control, row);
  if (sample) row.force_error = checked(*sample);
  row.force_error = with_oldest_cells(*engine, configuration, control, wanted, row.force_error);
  phase.reset();
  row.map_size = engine->map().size;
  row.map_ms = times.map_ms;
  row.step_ms = elapsed / steps;
  row.beyond_statement = sim::statement_problem(row.force_error, configuration);
  row.problem = sim::FiniteWatch(scene.bodies).problem(*engine);
  if (row.problem.empty()) row.problem = row.report.shortfall;
  if (energy && row.problem.empty()) note_energy(*energy, *engine, row);
  return row;
}

std::unique_ptr<sim::Engine> start_engine(const sim::OptionTable& table,
                                          const sim::Configuration& configuration) {
  const sim::TimedPhase phase("start the engine");
  return sim::make_ranked_engine(table, configuration, sim::world());
}

}  // namespace

MeasuredSpeed measured_speed(const BenchmarkRow& row) {
  return {row.kernel_ms > 0.0 ? 1.0 / row.kernel_ms : 0.0, row.spread, row.busy};
}

void compare(BenchmarkRow& row, const BenchmarkRow& first) {
  row.speedup = first.kernel_ms / row.kernel_ms;
  row.compared = Factor(measured_speed(first), measured_speed(row)).says();
}

TimingControl timed_steps(int steps) {
  return {.next = [steps](int timed, double) { return timed == 0 ? steps : 0; }};
}

void refuse_problems(const std::vector<BenchmarkRow>& rows) {
  const auto bad = std::ranges::find_if(rows, [](const BenchmarkRow& row) { return !row.problem.empty(); });
  if (bad != rows.end()) throw sim::Error(fmt::format("{}: {}", bad->label, bad->problem));
}

BenchmarkRow time_configuration(const sim::OptionTable& table, const sim::Configuration& configuration,
                                const sim::Scene& scene, const TimingControl& control) {
  auto& ranks = sim::world();
  sim::together(ranks, [&] {
    table.check(configuration, option_context(scene));
    if (sim::physics_of(configuration).step != &sim::fixed_step)
      throw sim::UsageError(
          "with step=adaptive, even or block no two steps take as long; measure with step=fixed");
    return sim::Answer{};
  });
  const auto engine = start_engine(table, configuration);
  std::optional<HostTarget> memory;
  sim::together(ranks, [&] {
    if (on_host(*engine)) memory.emplace(scene.bodies.size(), sim::map_options(configuration).size);
    return sim::Answer{};
  });
  try {
    return time_engine(*engine, configuration, scene, control,
                       memory ? memory->target() : sim::VertexTarget{});
  } catch (const sim::DeviceLost& error) {
    throw sim::Error(sim::rescue_state(*engine, scene, sim::physics_of(configuration), {}, error.what()));
  }
}

}  // namespace orrery::lab
