#include "app/commands/verify_physics.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "app/commands/standard_streams.h"
#include "app/picture/display_options.h"
#include "app/run/interruption.h"
#include "lab/bench/bench_setup.h"
#include "lab/setup/progress_line.h"
#include "lab/setup/starting_options.h"
#include "lab/verify/physics_checks.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/core/letters.h"

namespace orrery::app {

namespace {

/// Small problems: a GPU is asked for by name, and threads would wait longer than they work.
sim::Configuration start_configuration(const sim::OptionTable& table,
                                       const std::vector<std::string>& assignments) {
  auto configuration = table.defaults();
  configuration.set("engine", std::string("cpu"));
  configuration.set("kernel", std::string("sequential"));
  configuration.set("state-precision", std::string("compensated"));
  lab::apply_assignments(table, configuration, assignments);
  table.check(configuration);
  return configuration;
}

nlohmann::json row_of(const lab::PhysicsCheck& check, const lab::PhysicsAnswer& answer) {
  nlohmann::json row{{"name", check.name},
                     {"value", answer.value},
                     {"least", answer.least},
                     {"most", answer.most},
                     {"status", answer.right() ? "passed" : "failed"},
                     {"source", check.source}};
  if (!std::isfinite(answer.value)) row["value"] = nullptr;
  return row;
}

/// Runs the checks and prints their lines as they come.
class PhysicsReport {
 public:
  explicit PhysicsReport(bool visible) : visible_(visible) {
    if (visible_) print_now(lab::physics_heading());
  }
  void leave_out(const lab::PhysicsCheck& check, const std::string& why) {
    rows_.push_back({{"name", check.name}, {"status", "refused"}, {"reason", why}});
    const auto quiet = line_.pause();
    if (visible_) print_now(fmt::format("{:<32} refused: {}\n", check.name, why));
  }
  void run(const lab::PhysicsCheck& check, const lab::Advance& advance, double share) {
    name_ = check.name;
    line_.show(check.name, share);
    const auto answer = check.answer(advance);
    failed_ += answer.right() ? 0 : 1;
    rows_.push_back(row_of(check, answer));
    const auto quiet = line_.pause();
    if (visible_) print_now(lab::physics_line(check, answer));
  }
  nlohmann::json json() const { return {{"version", ORRERY_VERSION}, {"checks", rows_}}; }
  std::string summary() const {
    return fmt::format("{} of {} failed", failed_, sim::counted(rows_.size(), "check", "checks"));
  }
  bool failed() const { return failed_ > 0; }
  const std::string& name() const { return name_; }

 private:
  bool visible_;
  std::string name_ = "the start";
  std::size_t failed_ = 0;
  nlohmann::json rows_ = nlohmann::json::array();
  lab::ProgressLine line_{"verify"};
};

/// Ends early when a person interrupts.
void run_all(const PhysicsVerification& wanted, const sim::OptionTable& table,
             const sim::Configuration& configuration, PhysicsReport& report) try {
  const auto advance = lab::by_engine(table, configuration);
  auto checks = lab::physics_checks();
  if (wanted.quick) std::erase_if(checks, [](const lab::PhysicsCheck& each) { return !each.quick; });
  keep_part(checks, wanted.part);
  double done = 0.0;
  for (const auto& check : checks) {
    const auto why = lab::why_not(check, table, configuration);
    if (why.empty())
      report.run(check, advance, done / static_cast<double>(checks.size()));
    else
      report.leave_out(check, why);
    ++done;
  }
} catch (const sim::Cancelled&) {
  if (!sim::interrupted()) throw;
}

}  // namespace

Part parse_part(const std::string& text) {
  const auto slash = text.find('/');
  const std::string_view all(text);
  const auto number = sim::number_in<std::size_t>(all.substr(0, slash));
  const auto count = sim::number_in<std::size_t>(slash == std::string::npos ? "" : all.substr(slash + 1));
  if (!number || !count || *number < 1 || *number > *count)
    throw sim::UsageError(
        fmt::format("--part takes one part of several, such as 2/4 for the second of four; got '{}'", text));
  return {*number, *count};
}

int verify_physics(const PhysicsVerification& wanted) {
  end_early_on_signals();
  const auto table = all_options();
  lab::check_report(wanted.json);
  const auto configuration = start_configuration(table, wanted.assignments);
  PhysicsReport report(wanted.json != "-");
  run_all(wanted, table, configuration, report);
  if (!wanted.json.empty()) lab::write_report(wanted.json, report.json());
  if (wanted.json != "-") fmt::print("{}\n", report.summary());
  if (const int status = interrupted_at(report.name())) return status;
  if (report.failed()) fmt::print(stderr, "orrery: {}\n", report.summary());
  return report.failed() ? 1 : 0;
}

}  // namespace orrery::app
