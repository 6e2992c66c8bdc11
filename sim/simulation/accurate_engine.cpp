#include "sim/simulation/accurate_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "sim/cpu/cpu_options.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"
#include "sim/options/tree_options.h"
#include "sim/physics/diagnostics/force_error.h"
#include "sim/simulation/alpha_steps.h"
#include "sim/simulation/approximate_kernels.h"
#include "sim/simulation/error_watch.h"

namespace orrery::sim {

namespace {

/// The number that the accuracy `wanted` is compared with: the median error of a sample, or its 99th
/// percentile over accurate_p99 where that is more. Where the errors that are stated for this
/// accuracy do not hold, for all bodies or for a stratum, it is at least half as much again as what is
/// wanted. The sums in double precision are made on all cores; the result does not depend on their number.
double error_for_accuracy(const ForceSample& sample, double wanted) {
  constexpr double certainly_more = 1.5;
  const auto error = force_error(sample, available_processors());
  const double of_all = std::max(error.median, error.p99 / accurate_p99);
  if (!breaks_statement(error)) return of_all;
  const auto& worst = error.worst;
  return std::max({of_all, worst.median / stated_median, worst.p99 / stated_p99, certainly_more * wanted});
}

constexpr std::string_view choice_array = "accuracy-choice";
constexpr std::uint64_t trial_seed = 0x61636375;
/// The result of one trial.
constexpr CheckWork trial_work{1e9, 512};
bool is_automatic(const Configuration& c) { return computing_name(c) == automatic_kernel; }

double accuracy_wanted(const Configuration& c) { return uses_tree(c) ? tree_options(c).accuracy : 0.0; }

/// Options on which the error, or what is chosen for it, depends.
bool asks_the_same(const OptionTable& table, const Configuration& a, const Configuration& b) {
  return same_effect(table, a, b, decides_engine) && physics_of(a).same_forces(physics_of(b));
}

}  // namespace

/// True if summing every pair is faster.
bool AccurateEngine::is_few(const Configuration& configuration, const Choice& choice, std::size_t bodies) {
  const double alpha = choice.wanted > 0.0 ? alpha_of_step(choice.step) : tree_settings(configuration).alpha;
  return bodies > 0 && static_cast<double>(bodies) < fewest_for_tree(alpha, is_on_gpu(configuration));
}

AccurateEngine::AccurateEngine(std::unique_ptr<Engine> engine, const OptionTable& options,
                               const Configuration& configuration)
    : EngineDecorator(std::move(engine)),
      options_(options),
      configuration_(configuration),
      choice_(first_choice(configuration, 0)) {
  if (const auto own = within(configuration_, choice_); own != configuration_) inner().configure(own);
}

/// By the law of spheres and disks, before anything is measured.
AccurateEngine::Choice AccurateEngine::first_choice(const Configuration& configuration,
                                                    std::size_t bodies) const {
  Choice choice{.wanted = accuracy_wanted(configuration)};
  if (choice.wanted > 0.0) choice.step = step_of_alpha(alpha_for(choice.wanted));
  if (is_automatic(configuration) && is_few(configuration, choice, bodies)) choice.direct = 1;
  return choice;
}

/// The configuration for the inner engine.
Configuration AccurateEngine::within(const Configuration& configuration, const Choice& choice) const {
  auto own = configuration;
  if (is_automatic(configuration)) {
    const auto option = kernel_option(configuration);
    own.set(option, choice.direct != 0 ? options_.at(option).default_value : std::string("tree"));
    // What "auto" can do, either of them may refuse.
    options_.check(own);
  }
  if (choice.wanted > 0.0) {
    own.set("accuracy", 0.0);
    own.set("opening", relative_opening(alpha_of_step(choice.step)));
    own.set("order", name_of(tree_settings(configuration).order));
  }
  return own;
}

void AccurateEngine::choose(const Choice& choice) {
  const auto own = within(configuration_, choice);
  if (own != within(configuration_, choice_)) inner().configure(own);
  choice_ = choice;
}

void AccurateEngine::load(const Bodies& bodies, double time) {
  std::size_t largest = 0;
  for (const auto& galaxy : bodies.galaxies()) largest = std::max(largest, galaxy.size());
  const auto before = choice_;
  choose(first_choice(configuration_, largest));
  try {
    inner().load(bodies, time);
  } catch (...) {
    choose(before);
    throw;
  }
  largest_ = largest;
  mass_ = bodies.mass;
  component_ = bodies.component;
  galaxies_ = bodies.galaxies();
  steps_ = 0;
  under_way_ = shared_ = false;
  asked_ = {};
  kept_ = {};
}

void AccurateEngine::configure(const Configuration& configuration) {
  const bool same = asks_the_same(options_, configuration, configuration_);
  auto choice = same ? choice_ : first_choice(configuration, largest_);
  if (!same) choice.check = steps_;
  inner().configure(within(configuration, choice));
  configuration_ = configuration;
  choice_ = choice;
}

bool AccurateEngine::is_due() const {
  const bool known = choice_.direct != 0 && choice_.error > 0.0;
  // A kernel that is still being compiled would be judged by the one before it.
  return choice_.wanted > 0.0 && !known && !under_way_ && !shared_ && largest_ > 0 &&
         steps_ >= choice_.check && !inner().report().compiling;
}

bool AccurateEngine::advance(const WorkBudget& budget) {
  if (is_due() && !measure(budget.interrupt)) return false;
  under_way_ = !inner().advance(budget);
  if (!under_way_) ++steps_;
  return !under_way_;
}

/// Samples that others asked for.
void AccurateEngine::keep(Samples arrivals) {
  kept_.published = arrivals.published;
  if (arrivals.forces) kept_.forces = std::move(arrivals.forces);
  if (arrivals.timeline) kept_.timeline = std::move(arrivals.timeline);
}

/// Makes one step, looks at its forces and puts the state back. False if interrupted.
bool AccurateEngine::make_trial(const EngineState& state, const std::atomic<bool>* interrupt, double& error) {
  const ErrorStrata strata(state.position, mass_, component_, galaxies_, available_processors());
  inner().observe(
      sample_of(strata, checkable_bodies(largest_, trial_work), trial_seed + steps_, SampleFor::figures));
  const auto ended = [&] { return interrupt != nullptr && interrupt->load(); };
  bool complete = false;
  while (!complete && !ended()) complete = inner().advance({.interrupt = interrupt});
  inner().finish();
  auto arrivals = inner().poll();
  auto sample = std::exchange(arrivals.forces, std::nullopt);
  keep(std::move(arrivals));
  inner().restore_state(state);
  error = std::numeric_limits<double>::infinity();
  if (!sample) return complete;
  sample->stated_error = stated_error(tree_settings(configuration_));
  error = error_for_accuracy(*sample, choice_.wanted);
  return complete;
}

/// Goes to the alpha whose error is within the band. False if interrupted.
bool AccurateEngine::search_alpha(const EngineState& state, const std::atomic<bool>* interrupt) {
  AlphaSearch search(choice_.step, choice_.wanted, choice_.check == 0 ? first_band : later_band);
  double error = 0.0;
  auto next = choice_;
  do {
    next.step = search.step();
    choose(next);
    if (!make_trial(state, interrupt, error)) return false;
  } while (search.goes_on(error));
  next.step = search.step();
  next.error = search.error();
  choose(next);
  return true;
}

/// Goes to direct sums, unless they do not reach what the tree does. False if interrupted.
bool AccurateEngine::try_direct(const EngineState& state, const std::atomic<bool>* interrupt) {
  const auto tree = choice_;
  auto direct = tree;
  direct.direct = 1;
  choose(direct);
  if (!make_trial(state, interrupt, direct.error)) return false;
  choose(reaches(tree) && tree.direct == 0 && !reaches(direct) ? tree : direct);
  return true;
}

bool AccurateEngine::reaches(const Choice& choice) const {
  return choice.error <= later_band.high * choice.wanted;
}

/// False if interrupted: then it is done again.
bool AccurateEngine::measure(const std::atomic<bool>* interrupt) {
  keep(inner().poll());
  inner().set_next_target({});  // a trial step is not shown
  const auto before = choice_;
  const auto state = inner().save_state();
  bool complete = choice_.direct != 0 || search_alpha(state, interrupt);
  if (complete && is_automatic(configuration_) &&
      (choice_.direct != 0 || !reaches(choice_) || is_few(configuration_, choice_, largest_)))
    complete = try_direct(state, interrupt);
  if (!complete) return choose(before), false;
  choice_.check = (steps_ / check_interval + 1) * check_interval;
  if (asked_.forces > 0) inner().observe(asked_);
  return true;
}

/// Empty if the accuracy that was asked for is reached, as far as that was measured.
std::string AccurateEngine::shortfall() const {
  if (!(choice_.wanted > 0.0) || choice_.error == 0.0 || reaches(choice_)) return {};
  const auto option = kernel_option(configuration_);
  const bool tree = choice_.direct == 0;
  const auto with = tree ? fmt::format("alpha={:.2g}, the best that was tried", alpha_of_step(choice_.step))
                         : std::string("every pair summed");
  const auto advice = tree ? fmt::format("ask for a larger error, or say {}={} to sum every pair", option,
                                         to_string(options_.at(option).default_value))
                           : std::string("ask for a larger error");
  return fmt::format("accuracy={:g} is not reached: the error of the forces is {:.1e} with {}; {}",
                     choice_.wanted, choice_.error, with, advice);
}

void AccurateEngine::observe(const SampleRequest& wanted) {
  if (wanted.forces > 0) asked_ = {.forces = wanted.forces, .seed = wanted.seed, .plan = wanted.plan};
  inner().observe(wanted);
}

Samples AccurateEngine::poll() {
  keep(inner().poll());
  auto arrivals = std::exchange(kept_, {});
  if (!arrivals.forces) return arrivals;
  asked_ = {};
  // Of what was asked for, not of the alpha that it took.
  if (choice_.wanted > 0.0 && choice_.direct == 0)
    arrivals.forces->stated_error = stated_error(configuration_);
  return arrivals;
}

EngineState AccurateEngine::save_state() {
  auto state = inner().save_state();
  if (choice_.wanted > 0.0) state.add(choice_array, std::span(&choice_, 1));
  return state;
}

bool AccurateEngine::restore_state(const EngineState& state) {
  steps_ = state.steps;
  under_way_ = false;
  bool same = true;
  if (choice_.wanted > 0.0) {
    auto choice = first_choice(configuration_, largest_);
    Choice saved;
    state.read(choice_array, std::span(&saved, 1));
    same = saved.wanted == choice.wanted;
    if (!same) choice.check = steps_;
    choose(same ? saved : choice);
  }
  return inner().restore_state(state) && same;
}

EngineReport AccurateEngine::report() const {
  auto report = inner().report();
  report.shortfall = shortfall();
  if (is_automatic(configuration_))
    report.facts.push_back({.key = "kernel_taken",
                            .value = computing_name(within(configuration_, choice_)),
                            .label = "taken",
                            .hint = "Which kernel is faster for these bodies at this accuracy."});
  if (choice_.wanted > 0.0 && choice_.direct == 0)
    report.facts.push_back({.key = "alpha",
                            .value = alpha_of_step(choice_.step),
                            .label = "alpha",
                            .hint = "The error allowed to a cell that gives the accuracy asked for, as "
                                    "measured with these bodies."});
  return report;
}

}  // namespace orrery::sim
