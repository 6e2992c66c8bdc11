#include "sim/simulation/error_watch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
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
/// In a step: minutes on two cores, or on a GPU.
constexpr double most_pairs_on_cpu = 1e12, most_pairs_on_gpu = 1e15;
constexpr double largest_theta = 0.7;
/// The angle with the same typical error as these settings.
double equivalent_theta(const TreeSettings& settings) {
  const double theta = std::pow(median_error(settings) / geometric_law.at_one, 1.0 / geometric_law.power);
  // Not more digits than a person would type.
  return std::min(largest_theta, std::floor(100.0 * theta) / 100.0);
}

Configuration by_geometry(const Configuration& configuration, double theta) {
  auto safer = configuration;
  safer.set("accuracy", 0.0);
  safer.set("opening", geometric_opening(theta));
  safer.set("order", std::string("quadrupole"));
  return safer;
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
      "{}: the median force error is {:.1e} and the 99th percentile {:.1e}, but {}={} states: {}", worst.name,
      worst.median, worst.p99, kernel_option(configuration), computing_name(configuration),
      text_of(error.stated));
}

std::vector<Configuration> safer_configurations(const OptionTable& table, const Configuration& configuration,
                                                const Bodies& bodies) {
  std::vector<Configuration> safer;
  const auto settings = tree_settings(configuration);
  const double theta = equivalent_theta(settings);
  if (!opens_by_geometry(configuration)) safer.push_back(by_geometry(configuration, theta));
  safer.push_back(by_geometry(configuration, 0.5 * theta));
  const double pairs = interactions_per_evaluation(bodies.galaxies());
  if (pairs > (is_on_gpu(configuration) ? most_pairs_on_gpu : most_pairs_on_cpu)) return safer;
  auto direct = configuration;
  const auto option = kernel_option(configuration);
  direct.set(option, table.at(option).default_value);
  direct.set("accuracy", 0.0);
  safer.push_back(std::move(direct));
  return safer;
}

std::string differences(const OptionTable& table, const Configuration& configuration,
                        const Configuration& changed) {
  std::vector<std::string> texts;
  for (const auto& option : table.options()) {
    if (configuration.value(option.name) == changed.value(option.name) || !applies(option, changed)) continue;
    texts.push_back(fmt::format("{}={}", option.name, to_string(changed.value(option.name))));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
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

ErrorWatch::Finding ErrorWatch::judge(Engine& engine, const std::optional<ForceSample>& sample) {
  Finding finding = Finding::nothing;
  // A kernel that is still being compiled would be judged by the one before it.
  if (sample && !engine.report().compiling) {
    const TimedPhase phase("check forces");
    const auto error = statement_.add(force_error(part_of(*sample, plan_), available_processors()));
    problem_ = statement_problem(error, configuration_);
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
  plan_.reset();
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

bool ErrorWatch::act(Engine& engine) {
  const auto steps = engine.status().steps;
  const auto before = configuration_;
  if (!fall_back(engine)) {
    gave_up_ = true;
    tell(steps, "nothing safer is left to compute with; the run continues, but its result is wrong");
    return false;
  }
  again_ = true;
  const auto now = differences(run_.table, before, configuration_);
  const bool anew = run_.fresh && steps == run_.first + 1;
  from_the_start_ = from_the_start_ && anew;
  if (anew) {
    engine.load(run_.scene.bodies, run_.scene.time);
    tell(steps, fmt::format("the step is repeated with {}", now));
  } else {
    tell(steps, fmt::format("the run continues with {}, and forces may have been wrong since step {}", now,
                            right_until_));
  }
  wait_for_kernel(engine);
  return anew;
}

/// False if none of the safer configurations can run.
bool ErrorWatch::fall_back(Engine& engine) {
  if (!safer_) safer_ = safer_configurations(run_.table, configuration_, run_.scene.bodies);
  while (!safer_->empty()) {
    const auto next = safer_->front();
    safer_->erase(safer_->begin());
    try {
      engine.configure(next);
      configuration_ = next;
      statement_ = {};
      return true;
    } catch (const UsageError&) {
      // For example, domains need a tree: the next one may do.
    } catch (const SharedError& error) {
      if (!error.usage()) throw;
    }
  }
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
