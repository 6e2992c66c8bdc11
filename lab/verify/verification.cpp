#include "lab/verify/verification.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "lab/bench/benchmark.h"
#include "lab/setup/starting_options.h"
#include "lab/verify/known_orbits.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/core/percentile.h"
#include "sim/cpu/cpu_options.h"
#include "sim/cuda/families/family.h"
#include "sim/cuda/options/gpu_options.h"
#include "sim/cuda/options/kernel_configuration.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"
#include "sim/simulation/approximate_kernels.h"
#include "sim/simulation/engine_registry.h"
#include "sim/simulation/monitor.h"

namespace orrery::lab {

namespace {

constexpr int steps_between_waits = 16;

constexpr std::size_t checked_bodies = 512, checked_of_a_part = 128;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// A sample of fewer bodies, evenly chosen.
sim::ForceSample thinned(const sim::ForceSample& sample, std::size_t most) {
  auto few = sample;
  const std::size_t count = sample.index.size(), taken = std::min(count, most);
  for (std::size_t k = 0; k < taken; ++k) {
    few.index[k] = sample.index[k * count / taken];
    few.acceleration[k] = sample.acceleration[k * count / taken];
  }
  few.index.resize(taken);
  few.acceleration.resize(taken);
  return few;
}

double median_acceleration(const sim::ForceSample& sample) {
  std::vector<double> sizes;
  for (const auto& a : sample.acceleration) sizes.push_back(norm(sim::DVec3(a)));
  return sizes.empty() ? 0.0 : sim::median(sizes);
}

/// The displacement of bodies by force errors. A force that is off by a fraction e of an acceleration a for
/// the whole time T moves a body by e a T^2 / 2. Three times that is allowed, because each step begins where
/// earlier errors have led. Where only sizes and distances open cells, single bodies are off by much more
/// than the median.
double displacement(const sim::Configuration& configuration, double median_error, double acceleration,
                    int steps) {
  const double time = steps * sim::physics_of(configuration).time_step;
  const double amplified = sim::opens_by_geometry(configuration) ? 12.0 : 3.0;
  return amplified * median_error * acceleration * time * time / 2.0;
}

sim::Diagnostics diagnostics_of(const sim::Bodies& bodies, const sim::Configuration& configuration) {
  const auto galaxies = bodies.galaxies();
  return sim::diagnose(sim::view_of(bodies, galaxies),
                       {.physics = sim::physics_of(configuration), .threads = sim::available_processors()});
}

double drift_between(const sim::Diagnostics& start, const sim::Diagnostics& end) {
  sim::Health health;
  sim::set_drifts(health, start, end);
  return health.energy_drift;
}

/// The largest difference of a coordinate; what is no number differs infinitely.
double largest_difference(const std::vector<sim::Vec3>& a, const std::vector<sim::Vec3>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const sim::Vec3 d = a[i] - b[i];
    for (const float each : {d.x, d.y, d.z}) {
      const double size = std::isfinite(each) ? std::abs(double{each}) : infinite;
      largest = std::max(largest, size);
    }
  }
  return largest;
}

/// The options that decide the answer of a configuration, and what they amount to.
std::string result_options(const sim::OptionTable& table, const sim::Configuration& configuration) {
  const auto effect = sim::effective(table, configuration);
  std::string text;
  for (const auto& option : table.options())
    if (option.scope == sim::OptionScope::result)
      text += fmt::format("{}={} ", option.name, sim::to_string(effect.value(option.name)));
  return text;
}

bool is_double(const sim::Configuration& configuration) {
  return sim::is_on_gpu(configuration) && sim::gpu_options(configuration).has_double_precision();
}

/// Weights rounded to 11 bits, but for those in two parts: the error of a force is their mean, and falls with
/// the number of bodies (docs/performance.md).
bool rounds_weights(const sim::Configuration& configuration) {
  if (!sim::is_on_gpu(configuration)) return false;
  const auto kernel = sim::cuda::kernel_configuration(configuration);
  return kernel.family->rounds_weights != nullptr && kernel.family->rounds_weights(kernel);
}

bool uses_tensor_cores(const sim::Configuration& configuration) {
  return sim::is_on_gpu(configuration) &&
         sim::cuda::kernel_configuration(configuration).family->needs_tensor_cores;
}

/// Written so that a value that is no number fails.
void judge(Verification& result, const char* what, double value, double limit) {
  if (!(value <= limit))
    result.failures.push_back(fmt::format("{} {:.1e} is above {:.1e}", what, value, limit));
}

std::string status_of(const Verification& result) {
  if (!result.skipped.empty()) return "skipped";
  return result.failed() ? "failed" : "passed";
}

std::ptrdiff_t count_of(const std::vector<Verification>& results, const std::string& status) {
  return std::ranges::count(results, status, status_of);
}

std::string full_name(const Verification& result) {
  return result.ladder.empty() ? result.name : result.ladder + " " + result.name;
}

nlohmann::json checks_json(const Verification& result) {
  const auto check = [](double value, double limit) {
    return nlohmann::json{{"value", value}, {"limit", limit}};
  };
  nlohmann::json checks{{"force_error_median", check(result.force_error.median, result.limits.force_median)},
                        {"force_error_p99", check(result.force_error.p99, result.limits.force_p99)}};
  if (result.parts.empty()) {
    checks["position_difference"] = check(result.position_difference, result.limits.position);
    checks["energy_difference"] = check(result.energy_difference, result.limits.energy);
  }
  if (result.force_error.mass_ratio > 0.0)
    checks["dominant_force_error"] = check(result.force_error.dominant, result.limits.dominant);
  return checks;
}

nlohmann::json parts_json(const Verification& result) {
  auto parts = nlohmann::json::array();
  for (const auto& part : result.parts) {
    const auto limits = part_limits(part, sim::stated_error(result.configuration));
    parts.push_back({{"part", part.part},
                     {"sample", part.sample},
                     {"median", part.median},
                     {"median_limit", limits.median},
                     {"p99", part.p99},
                     {"p99_limit", limits.p99},
                     {"max", part.maximum}});
  }
  return parts;
}

nlohmann::json row_of(const sim::OptionTable& table, const Verification& result) {
  nlohmann::json json{{"ladder", result.ladder},
                      {"name", result.name},
                      {"status", status_of(result)},
                      {"reason", result.skipped},
                      {"failures", result.failures}};
  // A rung that is not available has no configuration that could run.
  if (!result.skipped.empty()) return json;
  json["config"] = computing_options(table, result.configuration);
  json["bodies"] = result.bodies;
  json["galaxies"] = result.galaxies;
  json["steps"] = result.steps;
  json["checks"] = checks_json(result);
  json["force_error_max"] = result.force_error.maximum;
  json["force_error_sample"] = result.force_error.sample;
  if (result.parts.empty()) {
    json["squared_distance"] = result.squared_distance;
    json["energy_drift"] = result.energy_drift;
  } else {
    json["parts"] = parts_json(result);
  }
  if (result.circle_error) json["circle_error"] = *result.circle_error;
  if (result.force_error.mass_ratio > 0.0) {
    json["mass_ratio"] = result.force_error.mass_ratio;
    json["force_error_without_dominant"] = result.force_error.without_dominant;
  }
  return json;
}

/// One body's pull hides that of all others.
std::string dominant_text(const sim::ForceError& error) {
  if (error.mass_ratio == 0.0) return {};
  return fmt::format("  (heaviest body: {:.1e} times the median mass, its error {:.1e}; without it {:.1e})",
                     error.mass_ratio, error.dominant, error.without_dominant);
}

/// The columns of what a run of many steps shows.
std::string run_text(const Verification& result) {
  if (!result.parts.empty()) return fmt::format("{:>8} {:>8} {:>9}", "-", "-", "-");
  return fmt::format("{:>8.1e} {:>8.1e} {:>9.1e}", result.position_difference, result.squared_distance,
                     result.energy_drift);
}

std::string part_text(const Verification& result) {
  if (result.parts.empty()) return {};
  const auto& worst = worst_part(result.parts, sim::stated_error(result.configuration));
  return fmt::format("  (worst part: {}, median {:.1e}, 99 % {:.1e})", worst.part, worst.median, worst.p99);
}

}  // namespace

VerifyLimits verify_limits(const sim::Configuration& configuration, std::size_t bodies) {
  // The rounding errors of a sum one after the other grow as the square root of the number of terms.
  constexpr double usual_bodies = 131072.0;
  const double growth = std::max(1.0, std::sqrt(static_cast<double>(bodies) / usual_bodies));
  constexpr double usual_dominant = 1e-3;
  if (const auto stated = sim::stated_error(configuration); stated.median > 0.0) {
    return {.force_median = stated.median,
            .force_p99 = stated.p99,
            .energy = std::max(stated.median, 1e-4),
            .dominant = stated.p99,
            .dominated = stated.p99};
  }
  if (is_double(configuration))
    return {.force_median = 1e-6, .force_p99 = 1e-5, .energy = 1e-4, .dominant = usual_dominant};
  // Tensor arithmetic reaches 1.2e-3 there.
  const double dominated = uses_tensor_cores(configuration) ? 5e-3 : 0.0;
  const double dominant = std::max(usual_dominant, dominated);
  const double fewness = std::max(1.0, usual_bodies / static_cast<double>(std::max<std::size_t>(bodies, 1)));
  // Of few bodies more than one in a hundred has a neighbour so near that the difference of products is off,
  // whatever the weights are.
  const double tail = uses_tensor_cores(configuration) ? std::sqrt(fewness) : 1.0;
  if (rounds_weights(configuration)) {
    return {.force_median = 2e-5 * std::sqrt(fewness),
            .force_p99 = 2e-3 * std::sqrt(fewness),
            .energy = 1e-3,
            .dominant = dominant,
            .dominated = dominated};
  }
  return {.force_median = 1e-5 * growth,
          .force_p99 = 1e-4 * std::max(growth, tail),
          .energy = 1e-4,
          .dominant = dominant,
          .dominated = dominated};
}

void Verifier::take_sample(Outcome& outcome, const sim::ForceSample& sample) const {
  // Of the first and of the last evaluation, or twice that of a run of one step.
  outcome.acceleration += 0.5 * (task_.steps > 1 ? 1.0 : 2.0) * median_acceleration(sample);
  outcome.force_error = larger(outcome.force_error, sim::force_error(thinned(sample, checked_bodies)));
  if (task_.parts.empty()) return;
  const auto parts = part_errors(sample, task_.parts, checked_of_a_part);
  outcome.parts = outcome.parts.empty() ? parts : larger(outcome.parts, parts);
}

Verifier::Outcome Verifier::run(const sim::Configuration& configuration) const {
  const bool forces_alone = !task_.parts.empty();
  const auto engine = sim::make_engine(table_, configuration);
  engine->load(scene_.bodies, scene_.time);
  Outcome outcome{.bodies = scene_.bodies};
  // Two dimensions change the positions before the first step.
  engine->read_back(outcome.bodies);
  const auto start = forces_alone ? sim::Diagnostics{} : diagnostics_of(outcome.bodies, configuration);
  outcome.half_radius = start.r50;
  for (int step = 0; step < task_.steps; ++step) {
    const bool sampled = step == 0 || step + 1 == task_.steps;
    if (sampled)
      engine->observe({.forces = forces_alone ? scene_.bodies.size() : checked_bodies,
                       .seed = 1 + static_cast<std::uint64_t>(step)});
    if (!engine->advance({.interrupt = sim::interrupt_flag()})) sim::stop_if_interrupted();
    // On a GPU that others use as well each wait takes milliseconds.
    if (sampled || step % steps_between_waits == 0) engine->finish();
    if (stepped_) stepped_(step + 1);
    if (const auto sample = sampled ? engine->poll().forces : std::nullopt) take_sample(outcome, *sample);
  }
  outcome.steps = engine->status().steps;
  engine->read_back(outcome.bodies);
  if (!forces_alone)
    outcome.energy_drift = drift_between(start, diagnostics_of(outcome.bodies, configuration));
  return outcome;
}

const Verifier::Outcome& Verifier::reference(const sim::Configuration& configuration) {
  auto plain = configuration;
  plain.set("engine", std::string("cpu"));
  plain.set("kernel", std::string("omp-bodies"));
  plain.set("threads", static_cast<std::int64_t>(sim::available_processors()));
  const auto key = result_options(table_, plain);
  if (const auto found = references_.find(key); found != references_.end()) return found->second;
  return references_.emplace(key, run(plain)).first->second;
}

void Verifier::judge_forces(Verification& result, const Outcome& outcome) const {
  result.force_error = outcome.force_error;
  result.parts = outcome.parts;
  if (outcome.steps != static_cast<std::uint64_t>(task_.steps))
    result.failures.push_back(fmt::format("made {} of {} steps", outcome.steps, task_.steps));
  if (outcome.force_error.sample == 0) result.failures.emplace_back("gave no sample of forces");
  if (const auto dominated = result.limits.dominated; result.force_error.mass_ratio > 0.0) {
    result.limits.force_median = std::max(result.limits.force_median, dominated);
    result.limits.force_p99 = std::max(result.limits.force_p99, dominated);
    judge(result, "force error of the dominant body", result.force_error.dominant, result.limits.dominant);
  }
  judge(result, "median force error", result.force_error.median, result.limits.force_median);
  judge(result, "99th percentile of force error", result.force_error.p99, result.limits.force_p99);
  if (outcome.parts.empty()) return;
  for (auto& failure : part_failures(outcome.parts, sim::stated_error(result.configuration)))
    result.failures.push_back(std::move(failure));
}

void Verifier::compare(Verification& result, const Outcome& outcome, const Outcome& right) const {
  result.energy_drift = outcome.energy_drift;
  result.position_difference = largest_difference(outcome.bodies.position, right.bodies.position);
  result.squared_distance = squared_distance(outcome.bodies.position, right.bodies.position);
  // A close encounter that no step resolves can eject a body and multiply the energy: then what came in
  // counts.
  result.energy_difference =
      std::abs(outcome.energy_drift - right.energy_drift) / std::max(1.0, std::abs(right.energy_drift));
  if (task_.of_radius && right.half_radius > 0.0) result.limits.position *= right.half_radius;
  if (const double stated = sim::stated_error(result.configuration).median; stated > 0.0)
    result.limits.position = std::max(
        result.limits.position, displacement(result.configuration, stated, right.acceleration, task_.steps));
  if (result.force_error.mass_ratio > 0.0)
    result.limits.position = std::max(result.limits.position, result.limits.dominated * right.half_radius);
  judge(result, "position difference", result.position_difference, result.limits.position);
  judge(result, "energy difference", result.energy_difference, result.limits.energy);
}

/// The absolute drift, whatever the reference run has, and the circle.
void Verifier::judge_known_answers(Verification& result) const {
  const auto& configuration = result.configuration;
  const bool first_order = sim::physics_of(configuration).integrator->order < 2;
  judge(result, "energy drift", std::abs(result.energy_drift), first_order ? 0.1 : 2e-3);
  result.circle_error = circle_error(table_, configuration);
  if (result.circle_error)
    judge(result, "error of a circular orbit", *result.circle_error,
          first_order ? 0.06 : std::max(5e-3, 2.0 * result.limits.dominated));
}

Verification Verifier::verify(const std::string& name, const sim::Configuration& configuration) {
  const auto context = option_context(scene_);
  const auto bodies = context.bodies / std::max<std::size_t>(context.galaxies, 1);
  Verification result{.name = name,
                      .configuration = configuration,
                      .bodies = context.bodies,
                      .galaxies = context.galaxies,
                      .steps = task_.steps,
                      .limits = verify_limits(configuration, bodies)};
  result.limits.position = task_.position_tolerance;
  try {
    table_.check(configuration, context);
  } catch (const sim::UsageError& refusal) {
    result.skipped = refusal.what();
    return result;
  }
  const auto* right = task_.parts.empty() ? &reference(configuration) : nullptr;
  try {
    const auto outcome = run(configuration);
    judge_forces(result, outcome);
    if (right != nullptr) compare(result, outcome, *right);
    if (task_.known_answers) judge_known_answers(result);
  } catch (const sim::Cancelled&) {
    throw;
  } catch (const std::exception& error) {
    result.failures.push_back(fmt::format("does not run: {}", error.what()));
  }
  return result;
}

nlohmann::json verification_json(const sim::OptionTable& table, const std::vector<Verification>& results) {
  nlohmann::json json{{"version", ORRERY_VERSION},
                      {"passed", count_of(results, "passed")},
                      {"failed", count_of(results, "failed")},
                      {"skipped", count_of(results, "skipped")},
                      {"rows", nlohmann::json::array()}};
  for (const auto& result : results) json["rows"].push_back(row_of(table, result));
  return json;
}

std::string verification_heading() {
  return fmt::format("{:<44} {:>7} {:>5} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9}  {}\n", "", "bodies", "steps",
                     "median", "p99", "max", "position", "sum d^2", "dE/E", "");
}

std::string verification_line(const Verification& result) {
  if (!result.skipped.empty()) return fmt::format("{:<44} skipped: {}\n", full_name(result), result.skipped);
  const auto& error = result.force_error;
  return fmt::format("{:<44} {:>7} {:>5} {:>8.1e} {:>8.1e} {:>8.1e} {}  {}{}{}\n", full_name(result),
                     result.bodies, result.steps, error.median, error.p99, error.maximum, run_text(result),
                     result.failed() ? fmt::format("FAIL: {}", fmt::join(result.failures, "; ")) : "pass",
                     dominant_text(error), part_text(result));
}

std::string verification_summary(const std::vector<Verification>& results) {
  return fmt::format("{} passed, {} failed, {} skipped", count_of(results, "passed"),
                     count_of(results, "failed"), count_of(results, "skipped"));
}

}  // namespace orrery::lab
