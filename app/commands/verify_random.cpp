#include "app/commands/verify_random.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/interruption.h"
#include "app/commands/standard_streams.h"
#include "app/picture/display_options.h"
#include "lab/bench/bench_setup.h"
#include "lab/setup/progress_line.h"
#include "lab/setup/starting_options.h"
#include "lab/verify/random_configurations.h"
#include "lab/verify/verification.h"
#include "lab/verify/verification_scenes.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/galaxies/model.h"
#include "sim/simulation/engine_registry.h"

namespace orrery::app {

namespace {

constexpr int random_steps = 3;

/// A scene with who verifies on it and the options that suit it.
struct RandomProblem {
  sim::Scene scene;
  sim::Configuration start;
  std::unique_ptr<lab::Verifier> verifier;
};

/// Sizes that are multiples of nothing, one of them below every block.
std::vector<sim::Scene> random_scenes(std::uint64_t seed) {
  return {lab::unequal_plummer({.bodies = 611, .seed = seed}),
          lab::unequal_plummer({.bodies = 23, .seed = seed}),
          lab::unequal_galaxies({.bodies = 521, .seed = seed}),
          lab::dominated_cloud({.bodies = 307, .seed = seed}),
          sim::make_galaxy("charges", {.bodies = 401, .seed = seed})};
}

std::vector<RandomProblem> random_problems(const sim::OptionTable& table, const RandomVerification& wanted) {
  std::vector<RandomProblem> problems;
  for (auto& scene : random_scenes(wanted.seed)) problems.push_back({.scene = std::move(scene)});
  for (auto& problem : problems) {
    problem.start = table.defaults();
    lab::apply_scene(problem.start, problem.scene);
    lab::apply_assignments(table, problem.start, wanted.assignments);
    problem.verifier = std::make_unique<lab::Verifier>(
        table, problem.scene, lab::VerificationTask{.steps = random_steps, .of_radius = true});
  }
  return problems;
}

/// The engines that can run here, or the one that was asked for.
std::vector<std::string> engines_to_draw(const RandomVerification& wanted) {
  constexpr std::string_view named = "engine=";
  std::vector<std::string> engines;
  for (const auto& each : wanted.assignments) {
    if (each.starts_with(named)) engines.assign(1, each.substr(named.size()));
  }
  if (!engines.empty()) return engines;
  for (const auto* kind : sim::engine_kinds()) {
    if (!kind->only_if_asked_for && kind->unavailable().empty()) engines.emplace_back(kind->name);
  }
  return engines;
}

/// The reason alone, without the option: "why" of "tile=77: why".
std::string without_option(const std::string& refusal) {
  const auto colon = refusal.find(": ");
  return colon == std::string::npos ? refusal : refusal.substr(colon + 2);
}

/// Counts what comes, and prints what ran.
class RandomReport {
 public:
  RandomReport(const sim::OptionTable& table, bool visible) : table_(table), visible_(visible) {}

  void begin(const std::string& name, double share) {
    name_ = name;
    line_.show(name, share);
  }
  void add(const lab::Verification& result) {
    if (!result.skipped.empty()) {
      ++refused_;
      ++reasons_[without_option(result.skipped)];
    }
    auto row = lab::verification_json(table_, {result}).at("rows").at(0);
    if (!result.skipped.empty()) row["status"] = "refused";
    rows_.push_back(std::move(row));
    if (!result.skipped.empty()) return;
    ++(result.failed() ? failed_ : passed_);
    const auto quiet = line_.pause();
    if (visible_) print_now(lab::verification_line(result));
  }
  nlohmann::json json(const RandomVerification& wanted) const {
    return {{"version", ORRERY_VERSION}, {"seed", wanted.seed}, {"asked", wanted.count}, {"passed", passed_},
            {"failed", failed_},         {"refused", refused_}, {"rows", rows_}};
  }
  std::string summary() const {
    return fmt::format("{} passed, {} failed, {} refused for {}", passed_, failed_, refused_,
                       sim::counted(reasons_.size(), "reason", "reasons"));
  }
  bool failed() const { return failed_ > 0; }
  const std::string& name() const { return name_; }

 private:
  const sim::OptionTable& table_;
  bool visible_;
  std::string name_ = "the start";
  std::size_t passed_ = 0, failed_ = 0, refused_ = 0;
  std::map<std::string, std::size_t> reasons_;
  nlohmann::json rows_ = nlohmann::json::array();
  lab::ProgressLine line_{"verify"};
};

/// A sequence of its own for drawing k: what one machine refuses changes none of the drawings after it.
std::uint64_t seed_of(std::uint64_t seed, std::size_t k) { return seed + 0x9e3779b97f4a7c15U * k; }

/// Calls use(problem, configuration) for each drawn one, until it says that it was enough.
template <typename Use>
void for_each_drawn(const sim::OptionTable& table, const RandomVerification& wanted, const Use& use) {
  auto problems = random_problems(table, wanted);
  const auto engines = engines_to_draw(wanted);
  for (std::size_t k = 0; k < wanted.count; ++k) {
    if (!wanted.part.has(k)) continue;
    lab::RandomConfigurations drawn(table, engines, wanted.assignments, seed_of(wanted.seed, k));
    auto& problem = problems[drawn.below(problems.size())];
    auto each = drawn.next(problem.start, lab::option_context(problem.scene));
    each.first = fmt::format("{} of {}: {}", problem.scene.bodies.size(), problem.scene.title, each.first);
    if (!use(problem, each)) return;
  }
}

int list_drawn(const sim::OptionTable& table, const RandomVerification& wanted) {
  for_each_drawn(table, wanted, [](const RandomProblem&, const lab::NamedConfiguration& each) {
    fmt::print("{}\n", each.first);
    return true;
  });
  return 0;
}

/// Ends early when a person interrupts or the time is over.
void run_drawn(const sim::OptionTable& table, const RandomVerification& wanted, RandomReport& report) try {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  double done = 0.0;
  for_each_drawn(table, wanted, [&](RandomProblem& problem, const lab::NamedConfiguration& each) {
    const std::chrono::duration<double> passed = Clock::now() - start;
    if (wanted.seconds && passed.count() >= *wanted.seconds) return false;
    report.begin(each.first, done++ / static_cast<double>(wanted.count));
    report.add(problem.verifier->verify(each.first, each.second));
    return true;
  });
} catch (const sim::Cancelled&) {
  if (!sim::interrupted()) throw;
}

}  // namespace

int verify_random(const RandomVerification& wanted) {
  const auto table = all_options();
  auto chosen = table.defaults();
  lab::apply_assignments(table, chosen, wanted.assignments);
  table.check(chosen);
  if (wanted.list) return list_drawn(table, wanted);
  end_early_on_signals();
  lab::check_report(wanted.json);
  RandomReport report(table, wanted.json != "-");
  if (wanted.json != "-") print_now(lab::verification_heading());
  run_drawn(table, wanted, report);
  if (!wanted.json.empty()) lab::write_report(wanted.json, report.json(wanted));
  if (wanted.json != "-") fmt::print("{}\n", report.summary());
  if (const int status = interrupted_at(report.name())) return status;
  if (report.failed()) fmt::print(stderr, "orrery: {}\n", report.summary());
  return report.failed() ? 1 : 0;
}

}  // namespace orrery::app
