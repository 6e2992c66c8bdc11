#include "sim/simulation/step_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cpu/cpu_options.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"
#include "sim/simulation/approximate_kernels.h"
#include "sim/simulation/error_watch.h"

namespace orrery::sim {

namespace {

/// For every pair is summed the same way.
constexpr std::size_t evenly_checked_bodies = 256;
/// The first check of a kernel comes soon: half a second of all cores, which may be busy with steps.
constexpr double first_pairs_of_a_core = 1.5e8;
/// So that copying their states takes no time that is noticed.
constexpr std::size_t most_motion_checked = 1'000'000;
constexpr std::chrono::milliseconds check_interval{1000};
/// The part of its time that the stepping thread spends on checks is at most one over this.
constexpr int check_rest = 20;

/// True while a kernel of older options runs until that of the newest is compiled.
bool is_changing(const Engine& engine) { return engine.report().compiling; }

}  // namespace

StepChecks::StepChecks(std::shared_ptr<const Scene> scene, Monitor& monitor)
    : scene_(std::move(scene)), galaxies_(scene_->bodies.galaxies()), monitor_(monitor) {}

void StepChecks::restart() {
  motion_ = {};
  strata_ = {};
}

std::uint64_t StepChecks::ask_for_baseline() {
  baseline_due_ = true;
  return ++baseline_;
}

void StepChecks::ask_if_due(const SteppedRun& run, Clock::time_point now, bool owed) {
  if (owed) asked_revision_ = run.revision;
  if (owed || now < next_check_ || waiting_sample_ || is_changing(run.engine)) return;
  run.engine.observe(next_sample(run));
  asked_revision_ = run.revision;
  next_check_ = now + check_interval;
}

/// The bodies whose forces are checked next: of a tree those of all strata.
SampleRequest StepChecks::next_sample(const SteppedRun& run) {
  const auto& bodies = scene_->bodies;
  if (!uses_tree(run.configuration)) return {.forces = evenly_checked_bodies, .seed = ++seed_};
  monitor_.receive(strata_);
  if (strata_.groups().empty()) strata_ = strata_of(bodies, bodies.position);
  auto work = first_check;
  const bool first = checked_revision_ != run.revision;
  if (first) work.most_pairs = std::min(work.most_pairs, first_pairs_of_a_core * available_processors());
  return sample_of(strata_, checkable_bodies(bodies.size(), work), ++seed_, SampleFor::run);
}

ForceSample StepChecks::checked_part_of(const SteppedRun& run, const ForceSample& sample) {
  const auto wanted = next_sample(run);
  if (wanted.plan) return part_of(sample, wanted.plan);
  const auto bodies = scene_->bodies.size();
  return part_of(sample, std::make_shared<const StratifiedSample>(StratifiedSample{
                             bodies, sample_indices(bodies, wanted.forces, wanted.seed), {}}));
}

void StepChecks::take(const SteppedRun& run, ForceSample sample) {
  const auto start = Clock::now();
  const bool for_check = sample.plan || sample.index.size() <= evenly_checked_bodies;
  if (waiting_sample_ || !(for_check || start >= next_check_)) return;
  waiting_sample_ = for_check ? std::move(sample) : checked_part_of(run, sample);
  checked_revision_ = asked_revision_;
  waiting_label_ = computing_name(run.configuration);
  waiting_revision_ = asked_revision_ == run.revision && !is_changing(run.engine) ? asked_revision_ : 0;
  next_check_ = Clock::now() + std::max<Clock::duration>(check_interval, check_rest * (Clock::now() - start));
}

void StepChecks::submit(const SteppedRun& run) {
  if (baseline_due_ && monitor_.takes_bodies() && !is_changing(run.engine)) {
    baseline_due_ = false;
    submit_check(run, {}, computing_name(run.configuration));
  }
  if (waiting_sample_ && monitor_.takes_forces())
    submit_check(run, *std::exchange(waiting_sample_, std::nullopt), waiting_label_);
}

bool StepChecks::looks_at_motion(const SteppedRun& run) const {
  // A device makes several steps at once. The parts of other steps than fixed ones resolve the orbits.
  return run.engine.kind().target_space != VertexTarget::Space::device &&
         scene_->bodies.size() <= most_motion_checked &&
         physics_of(run.configuration).step->parts == StepParts::one;
}

void StepChecks::end_step(const SteppedRun& run) {
  if (motion_.empty() || !motion_.position_after.empty()) return;
  if (run.engine.status().steps != motion_steps_ + 1) {
    motion_ = {};
    return;
  }
  auto bodies = scene_->bodies;
  run.engine.read_back(bodies);
  motion_.position_after = std::move(bodies.position);
  motion_.velocity_after = std::move(bodies.velocity);
}

void StepChecks::submit_check(const SteppedRun& run, ForceSample sample, std::string label) {
  auto check = std::make_unique<HealthCheck>();
  check->new_baseline = sample.index.empty();
  check->forces = std::move(sample);
  if (!check->new_baseline && uses_tree(run.configuration)) check->scene = scene_;
  check->problem = run.engine.report().shortfall;
  if (!motion_.position_after.empty()) check->motion = std::move(motion_);
  const bool of_motion = looks_at_motion(run);
  if (check->new_baseline || monitor_.wants_bodies() || of_motion) {
    check->bodies = scene_->bodies;
    run.engine.read_back(check->bodies);
  }
  check->physics = physics_of(run.configuration);
  motion_ = {};
  if (of_motion) {
    // From this state on the next step is looked at.
    motion_.position_before = check->bodies.position;
    motion_.velocity_before = check->bodies.velocity;
    motion_.time_step = check->physics.time_step;
    motion_steps_ = run.engine.status().steps;
  }
  check->galaxies = galaxies_;
  check->time = run.engine.status().time;
  check->step = run.steps;
  // One that is asked for is not there yet.
  check->baseline = baseline_ - (baseline_due_ ? 1 : 0);
  check->label = std::move(label);
  check->revision = waiting_revision_;
  monitor_.submit(std::move(check));
}

void StepWatch::follow(const Control& control) {
  if (control.series != series_) end();
  series_ = control.series;
  timeline_ = control.timeline;
}

void StepWatch::before_step(const SteppedRun& run, Clock::time_point now) {
  constexpr std::chrono::milliseconds timeline_interval{500};
  const bool owed = series_ && series_->before_step(run.engine, run.steps,
                                                    physics_of(effective(options_, run.configuration)));
  checks_.ask_if_due(run, now, owed);
  if (timeline_ && now >= next_timeline_) {
    run.engine.observe({.timeline = true});
    next_timeline_ = now + timeline_interval;
  }
}

void StepWatch::finish_step(const SteppedRun& run) const {
  // The state and the forces of that step, not of one queued later.
  if (series_ && series_->concerns(run.steps + 1)) run.engine.finish();
}

void StepWatch::take(const SteppedRun& run, ForceSample sample) {
  if (series_) series_->take(sample);
  checks_.take(run, std::move(sample));
}

void StepWatch::record(const SteppedRun& run) const {
  if (series_)
    series_->after_step(run.engine, run.steps, physics_of(effective(options_, run.configuration)),
                        fmt::format("{}, {}", run.engine.kind().name, computing_name(run.configuration)));
}

}  // namespace orrery::sim
