#include "sim/simulation/error_watch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <utility>

#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/core/time_account.h"
#include "sim/cpu/cpu_options.h"
#include "sim/options/engine_option.h"
#include "sim/options/tree_options.h"
#include "sim/ranks/agreement.h"
#include "sim/simulation/approximate_kernels.h"

namespace orrery::sim {

namespace {

constexpr std::size_t fewest_checked = 32;
/// Steps from check to check. A check of later_checks takes the time of some three steps on the CPU, and of
/// some dozens on a GPU: a few percent.
constexpr std::uint64_t cpu_interval = 64, gpu_interval = 1024;

const StratumError* find(const ForceError& error, const std::string& stratum) {
  const auto found = std::ranges::find(error.strata, stratum, &StratumError::name);
  return found == error.strata.end() ? nullptr : &*found;
}

/// True if the bodies of this stratum have larger errors in `a`. What is not known is not better.
bool is_worse_at(const std::string& stratum, const ForceError& a, const ForceError& b) {
  const auto* const of_a = find(a, stratum);
  const auto* const of_b = find(b, stratum);
  if (of_a == nullptr || of_b == nullptr) return of_a == nullptr;
  return !(of_a->p99 <= of_b->p99) || !(of_a->median <= of_b->median);
}

}  // namespace

std::size_t checkable_bodies(std::size_t bodies, const CheckWork& work) {
  const double fitting = work.most_pairs / static_cast<double>(std::max<std::size_t>(bodies, 1));
  const auto most = static_cast<double>(work.most_bodies);
  return std::min(bodies, static_cast<std::size_t>(std::clamp(fitting, double{fewest_checked}, most)));
}

ErrorStrata strata_of(const Bodies& bodies, std::span<const Vec3> position) {
  const TimedPhase phase("choose bodies to check");
  return {position, bodies.mass, bodies.component, bodies.galaxies(), available_processors()};
}

SampleRequest sample_of(const ErrorStrata& strata, std::size_t bodies, std::uint64_t seed, SampleFor what) {
  return {.forces = bodies,
          .seed = seed,
          .plan = std::make_shared<const StratifiedSample>(strata.sample(bodies, seed, what))};
}

SampleRequest first_sample(const Configuration& configuration, const Bodies& bodies, const CheckWork& work) {
  constexpr std::size_t evenly_checked = 256;
  if (!uses_tree(configuration)) return {.forces = evenly_checked, .seed = 1};
  return sample_of(strata_of(bodies, bodies.position), checkable_bodies(bodies.size(), work), 1,
                   SampleFor::figures);
}

std::string statement_problem(const ForceError& error, const Configuration& configuration) {
  if (!breaks_statement(error)) return {};
  const auto& worst = error.worst;
  return fmt::format(
      "{}: the median force error is {:.1e} and the 99th percentile {:.1e}, but {}={} states: {} ({} and {} "
      "of {} "
      "compared bodies are above these)",
      worst.name, worst.median, worst.p99, kernel_option(configuration), computing_name(configuration),
      text_of(error.stated), worst.above_median, worst.above_p99, worst.sample);
}

ErrorWatch::ErrorWatch(const Run& run, const Configuration& configuration, Communicator& ranks, Say say)
    : run_(run),
      configuration_(configuration),
      ranks_(ranks),
      say_(std::move(say)),
      right_until_(run.first) {}

bool ErrorWatch::is_due(std::uint64_t steps) const {
  if (!uses_tree(configuration_) || gave_up_ || run_.scene.bodies.empty()) return false;
  const auto interval = is_on_gpu(configuration_) ? gpu_interval : cpu_interval;
  return again_ || (steps - run_.first) % interval == 0 || steps + 1 == run_.last;
}

void ErrorWatch::before_step(Engine& engine, bool owed) {
  const auto steps = engine.status().steps;
  if (!plan_ && !is_due(steps)) return;
  const bool first = steps == run_.first;
  const auto& bodies = run_.scene.bodies;
  if (!strata_) strata_ = ranks_.rank() == 0 ? strata_of(bodies, bodies.position) : ErrorStrata();
  const auto wanted = sample_of(*strata_, checkable_bodies(bodies.size(), first ? first_check : later_checks),
                                1 + steps, SampleFor::run);
  plan_ = wanted.plan;
  if (!owed) engine.observe(wanted);
}

/// Whatever replaces the configuration of a run has to keep to what that stated, not to less.
ForceError ErrorWatch::error_of(const ForceSample& sample,
                                const std::shared_ptr<const StratifiedSample>& plan) const {
  auto part = part_of(sample, plan);
  part.stated_error.median = std::max(part.stated_error.median, promised_.median);
  part.stated_error.p99 = std::max(part.stated_error.p99, promised_.p99);
  return force_error(part, available_processors());
}

ErrorWatch::Finding ErrorWatch::judge(Engine& engine, const std::optional<ForceSample>& sample) {
  Finding finding = Finding::nothing;
  // A kernel that is still being compiled would be judged by the one before it.
  if (sample && !engine.report().compiling) {
    const TimedPhase phase("check forces");
    found_ = statement_.add(error_of(*sample, plan_));
    problem_ = statement_problem(found_, configuration_);
    finding = problem_.empty() ? Finding::right : Finding::wrong;
    if (engine.status().steps < run_.last) strata_ = strata_of(run_.scene.bodies, sample->position);
  }
  if (ranks_.size() == 1) return finding;
  Answer answer;
  if (finding != Finding::nothing) answer.vote = finding == Finding::wrong;
  const auto roll = call_roll(ranks_, answer);
  return roll.yes ? Finding::wrong : (roll.no ? Finding::right : Finding::nothing);
}

bool ErrorWatch::after_step(Engine& engine, const std::optional<ForceSample>& sample) {
  if (!plan_) return false;
  const auto steps = engine.status().steps;
  const auto finding = judge(engine, sample);
  if (finding == Finding::nothing) return false;
  tried_ = std::exchange(plan_, nullptr);
  again_ = false;
  check_accuracy(engine, steps);
  if (finding == Finding::wrong) return act(engine);
  right_until_ = steps;
  return false;
}

/// Told once; in the first step it is an error.
void ErrorWatch::check_accuracy(const Engine& engine, std::uint64_t steps) {
  const auto shortfall = engine.report().shortfall;
  if (shortfall.empty() || !note_.empty()) return;
  if (steps == run_.first + 1) throw Error(shortfall);
  note_ = fmt::format("step {}: {}", steps, shortfall);
  say_(note_);
}

/// times_the_sums, the same in all processes: the first one knows.
double ErrorWatch::times_of_every_pair(const Engine& engine) const {
  std::array<double, 1> times{};
  if (ranks_.rank() == 0) times[0] = times_the_sums(run_.scene.bodies, engine.status().timings.interactions);
  if (ranks_.size() > 1) find_largest(ranks_, times);
  return times[0];
}

bool ErrorWatch::act(Engine& engine) {
  const auto steps = engine.status().steps;
  const auto before = configuration_;
  const double times = times_of_every_pair(engine);
  if (!safer_) {
    safer_ = safer_configurations(run_.table, before, times);
    promised_ = found_.stated;
  }
  const bool anew = run_.fresh && steps == run_.first + 1;
  from_the_start_ = from_the_start_ && anew;
  if (anew) engine.load(run_.scene.bodies, run_.scene.time);
  again_ = fall_back(engine);
  if (anew) engine.load(run_.scene.bodies, run_.scene.time);
  gave_up_ = !again_;
  statement_ = {};
  wait_for_kernel(engine);
  std::string action = anew ? "the step is repeated" : "the run continues";
  if (configuration_ != before) action += " with " + differences(run_.table, before, configuration_);
  if (gave_up_)
    action += ", but its result is wrong: no tree that was tried keeps to the stated errors" +
              every_pair_advice(run_.table, before, times);
  if (!anew) action += fmt::format("; forces may have been wrong since step {}", right_until_);
  tell(steps, action);
  return anew;
}

/// Takes the first of the safer configurations that keeps to what was stated at the bodies of the check.
/// False if none does: then that whose error is least at the bodies that failed.
bool ErrorWatch::fall_back(Engine& engine) {
  if (ranks_.size() > 1) return take_next(engine);
  const auto state = engine.save_state();
  const auto stratum = found_.worst.name;
  auto least = found_;
  while (const auto next = interrupted() ? std::nullopt : take_first(*safer_)) {
    if (!try_out(engine, *next, state)) continue;
    const bool keeps = !breaks_statement(found_);
    if (!keeps && is_worse_at(stratum, found_, least)) continue;
    configuration_ = *next;
    least = found_;
    if (keeps) return true;
  }
  engine.configure(configuration_);
  return false;
}

/// Processes that share a run undo no step: the next step tells whether it is right. False if none can run.
bool ErrorWatch::take_next(Engine& engine) {
  while (const auto next = take_first(*safer_)) {
    try {
      engine.configure(*next);
      configuration_ = *next;
      return true;
    } catch (const UsageError&) {
      // For example, domains need a tree: the next one may do.
    } catch (const SharedError& error) {
      if (!error.usage()) throw;
    }
  }
  return false;
}

/// Makes a step with it, looks at the bodies of the check, and undoes the step. False if it cannot run.
bool ErrorWatch::try_out(Engine& engine, const Configuration& next, const EngineState& state) try {
  engine.configure(next);
  wait_for_kernel(engine);
  engine.observe({.forces = tried_->bodies().size(), .seed = 1, .plan = tried_});
  while (!engine.advance({.interrupt = interrupt_flag()}) && !interrupted()) {
  }
  engine.finish();
  const auto sample = engine.poll().forces;
  engine.restore_state(state);
  if (sample) found_ = error_of(*sample, tried_);
  return sample.has_value();
} catch (const DeviceLost&) {
  throw;
} catch (const Error&) {
  // No memory for it, or it does not compile.
  engine.restore_state(state);
  return false;
}

/// The kernel before is in use until that of a new configuration is compiled. Steps that it makes are undone.
void ErrorWatch::wait_for_kernel(Engine& engine) const {
  if (ranks_.size() > 1 || !engine.report().compiling) return;
  const auto state = engine.save_state();
  while (engine.report().compiling && !interrupted()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    engine.advance({});
    engine.finish();
    engine.restore_state(state);
  }
}

void ErrorWatch::tell(std::uint64_t step, const std::string& action) {
  const auto line = fmt::format("step {}: {}; {}", step, problem_, action);
  if (note_.empty()) note_ = line;
  if (ranks_.rank() == 0) say_(line);
}

}  // namespace orrery::sim
