#include "app/run/steps.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "lab/bench/engine_facts.h"
#include "lab/bench/rates.h"
#include "lab/setup/progress_line.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/core/time_account.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"
#include "sim/ranks/world.h"
#include "sim/simulation/approximate_kernels.h"
#include "sim/simulation/lost_run.h"

namespace orrery::app {

namespace {

using Clock = std::chrono::steady_clock;

/// The rates of the kernel, if it is known, and of whole steps.
std::string text_of(const StepWork& work) {
  const auto rates = lab::rates_of({work.interactions, work.kernel_ms}, {work.summed, 1e3 * work.seconds});
  if (rates.kernel <= 0.0) return fmt::format("{} GInteractions/s overall", lab::rate_text(rates.whole));
  return fmt::format("{} GInteractions/s in the kernel, {} overall", lab::rate_text(rates.kernel),
                     lab::rate_text(rates.whole));
}

/// False: a person interrupted, and the step is not complete.
bool advance(sim::Engine& engine) {
  const sim::TimedPhase phase("steps");
  if (!engine.advance({.interrupt = sim::interrupt_flag()}) && sim::interrupted()) return false;
  engine.finish();
  return true;
}

/// The configuration has changed because forces were wrong: later pictures say so.
void note_errors(RenderJob& job, const RunOutputs& keeping) {
  if (keeping.errors->note().empty()) return;
  if (job.state.force_problem.empty()) job.state.force_problem = keeping.errors->note();
  // Repeating all steps with these options gives another state, unless there was no other step.
  if (job.state.configuration != keeping.errors->configuration() && !keeping.errors->from_the_start())
    job.state.exact_replay = false;
  job.state.configuration = keeping.errors->configuration();
  keeping.series.compute_with(job.state.configuration);
}

enum class Stepped { interrupted, done, undone };

/// A step whose forces were wrong beyond what is stated may have been undone.
Stepped make_step(sim::Engine& engine, std::uint64_t step, RenderJob& job, const RunOutputs& keeping) {
  const bool owed = keeping.series.before_step(engine, step);
  if (keeping.errors != nullptr) keeping.errors->before_step(engine, owed);
  if (!advance(engine)) return Stepped::interrupted;
  if (!owed && (keeping.errors == nullptr || !keeping.errors->waits())) return Stepped::done;
  const auto forces = engine.poll().forces;
  const bool undone = keeping.errors != nullptr && keeping.errors->after_step(engine, forces);
  if (keeping.errors != nullptr) note_errors(job, keeping);
  if (undone) return Stepped::undone;
  if (forces) keeping.series.take(*forces);
  return Stepped::done;
}

/// Up to the last step. Ends early, after a complete step, when a person interrupts.
StepWork run_steps(sim::Engine& engine, RenderJob& job, const RunOutputs& keeping, const AtStep& at_step) {
  const auto steps = job.state.step;
  StepWork work;
  sim::FiniteWatch watch(job.scene.bodies);
  Clock::duration aside{};
  auto timings = engine.status().timings;
  const auto look = [&](std::uint64_t step) {
    const auto start = Clock::now();
    keeping.series.after_step(engine, step);
    if (keeping.energy != nullptr) {
      // Steps that it made once more are none of the run.
      if (keeping.energy->look(engine, sim::physics_of(job.state.configuration)))
        timings = engine.status().timings;
      // Pictures from here on say so.
      if (job.state.force_problem.empty()) job.state.force_problem = keeping.energy->problem();
    }
    at_step(step);
    keeping.checkpoints.after_step(engine, step);
    aside += Clock::now() - start;
  };
  const auto start = Clock::now();
  lab::ProgressLine line("render");
  const auto first = engine.status().steps;
  look(first);
  for (std::uint64_t step = first; step < steps; ++step) {
    auto stepped = make_step(engine, step, job, keeping);
    while (stepped == Stepped::undone) stepped = make_step(engine, step, job, keeping);
    if (stepped == Stepped::interrupted) break;
    const auto before = std::exchange(timings, engine.status().timings);
    work.add(before, timings);
    watch.after_step(engine);
    look(step + 1);
    if (line.due())
      line.show(fmt::format("step {} of {}", step + 1, steps),
                static_cast<double>(step + 1) / static_cast<double>(steps));
  }
  work.seconds = std::chrono::duration<double>(Clock::now() - start - aside).count();
  watch.check(engine);
  keeping.checkpoints.finish(engine);
  return work;
}

/// A tree's rate says little without what a step takes. Empty for direct sums.
std::string tree_text(const RenderJob& job, const sim::EngineReport& engine, const StepWork& work) {
  const auto& configuration = job.state.configuration;
  const auto option = sim::kernel_option(configuration);
  const auto taken = lab::taken_choice(configuration, option, engine);
  const bool tree = taken.empty() || sim::is_approximate(option, taken);
  if (!tree || !sim::uses_tree(configuration)) return {};
  const auto steps = static_cast<double>(work.steps);
  return fmt::format(", {:.4g} ms per step, {:.0f} interactions per body", 1e3 * work.seconds / steps,
                     work.summed / steps / static_cast<double>(job.scene.bodies.size()));
}

}  // namespace

StepWork run_or_rescue(sim::Engine& engine, RenderJob& job, const RunOutputs& keeping,
                       const AtStep& at_step) {
  try {
    return run_steps(engine, job, keeping, at_step);
  } catch (const sim::DeviceLost& error) {
    const auto physics = sim::physics_of(job.state.configuration);
    throw sim::Error(sim::rescue_state(engine, job.scene, physics, {}, error.what()));
  }
}

void report_work(const RenderJob& job, const sim::EngineReport& engine, const StepWork& work,
                 const std::string& energy) {
  const int ranks = sim::world().size();
  if (work.steps > 0 && work.summed > 0.0) {
    fmt::print("{}, {} in {:.2f} s with {}{}: {}{}{}{}\n",
               sim::counted(job.scene.bodies.size(), "body", "bodies"),
               sim::counted(work.steps, "step", "steps"), work.seconds,
               lab::computing_text(job.state.configuration, engine),
               ranks > 1 ? fmt::format(" in {} processes", ranks) : std::string(), text_of(work),
               tree_text(job, engine, work), energy.empty() ? "" : "; ", energy);
  }
}

}  // namespace orrery::app
