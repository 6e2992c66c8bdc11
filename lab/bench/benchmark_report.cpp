#include "lab/bench/benchmark.h"
#include "sim/options/engine_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lab/bench/engine_facts.h"
#include "lab/bench/rates.h"
#include "lab/setup/machine.h"
#include "sim/core/counted.h"
#include "sim/cpu/cpu_options.h"
#include "sim/options/tree_options.h"
#include "sim/ranks/split.h"
#include "sim/simulation/approximate_kernels.h"

// Rows of measurements as JSON, CSV and a table.
namespace orrery::lab {

bool sums_a_tree(const BenchmarkRow& row) {
  if (!sim::uses_tree(row.configuration)) return false;
  const auto taken = row.report.text("kernel_taken");
  return taken.empty() || sim::is_approximate(sim::kernel_option(row.configuration), taken);
}

nlohmann::json computing_options(const sim::OptionTable& table, const sim::Configuration& configuration) {
  const auto all = sim::to_json(configuration);
  auto json = nlohmann::json::object();
  for (const auto& option : table.options())
    if (sim::decides_result(option)) json[option.name] = all.at(option.name);
  return json;
}

nlohmann::json device_json(const std::vector<BenchmarkRow>& rows) {
  const auto machine = this_machine();
  const bool gpu = !rows.empty() && !rows.front().report.device.empty();
  return {{"name", gpu ? rows.front().report.device : machine.cpu},
          {"kind", gpu ? "cuda" : "cpu"},
          {"cpu", machine.cpu},
          {"processors", machine.processors},
          {"instructions", machine.instructions},
          {"memory_bytes", machine.memory},
          {"system", machine.system}};
}

namespace {

/// Reports the opening that `accuracy` found, since that one computed.
nlohmann::json configuration_json(const sim::OptionTable& table, const BenchmarkRow& row) {
  auto json = computing_options(table, row.configuration);
  if (const double alpha = row.report.number("alpha"); alpha > 0.0)
    json["opening"] = sim::relative_opening(alpha);
  return json;
}

/// {"kernel": "simd", ...}: what the engine took for each option that says "auto".
nlohmann::json taken_json(const BenchmarkRow& row) {
  auto json = nlohmann::json::object();
  for (const auto& [option, taken] : taken_choices(row.configuration, row.report)) json[option] = taken;
  if (row.ranks > 1 && row.configuration.choice("ranks-split") == sim::automatic_kernel)
    json["ranks-split"] = row.split;
  return json;
}

/// The facts of a tree, and the kernel that kernel=auto took.
void add_tree(nlohmann::json& json, const BenchmarkRow& row) {
  const bool tree = sums_a_tree(row);
  json["interactions_per_body"] = row.interactions_per_body;
  json["counted"] = tree ? "evaluated interactions of a body with a body or a cell" : "all pairs";
  if (const auto taken = row.report.text("kernel_taken"); !taken.empty()) json["kernel_taken"] = taken;
  if (!tree) return;
  const auto stated = sim::stated_error(row.configuration);
  json["stated_error_median"] = stated.median;
  json["stated_error_p99"] = stated.p99;
}

std::string says_text(Factor::Says says) {
  switch (says) {
    case Factor::Says::faster:
      return "faster";
    case Factor::Says::slower:
      return "slower";
    case Factor::Says::no_difference:
      return "no difference";
    case Factor::Says::machine_busy:
      return "machine busy";
    case Factor::Says::unknown:
      break;
  }
  return "unknown";
}

/// In a column of 8 characters: the factor, or that there is none.
std::string speedup_cell(const BenchmarkRow& row) {
  if (row.compared == Factor::Says::no_difference) return "same";
  return row.compared == Factor::Says::machine_busy ? "busy" : fmt::format("{:.2f}", row.speedup);
}

/// A rate in a column of 8 characters.
std::string rate_cell(double gips) { return rate_text(gips, gips < 1e-3 ? 3 : 4); }

/// Four significant digits without an exponent: "0.00123", "12.34", "123456".
std::string digits_of(double value) {
  if (!(value > 0.0) || value >= 1000.0) return fmt::format("{:.0f}", value);
  const int decimals = std::clamp(3 - static_cast<int>(std::floor(std::log10(value))), 0, 5);
  return fmt::format("{:.{}f}", value, decimals);
}

constexpr auto columns = "{:<{}} {:>7} {:>9} {:>9} {:>7} {:>9} {:>8} {:>8} {:>8} {:>7} {:>7} {:>7} {:>8}\n";

/// The number of bodies behind the errors: with few of them the 99th percentile is one body's.
std::string sample_note(const sim::ForceError& error) {
  constexpr std::size_t percents = 100;
  return fmt::format("force errors: {} of {} drawn evenly; the largest is that of {}\n",
                     error.evenly < percents ? "the median and the largest (as 99 %)" : "median and 99 %",
                     sim::counted(error.evenly, "body", "bodies"), error.sample);
}

std::string tree_notes(const std::vector<BenchmarkRow>& rows) {
  std::string text;
  for (const auto& row : rows) {
    if (!sums_a_tree(row)) continue;
    const auto alpha = row.report.number("alpha");
    auto line = fmt::format("{}{} states: {}\n", row.label,
                            alpha > 0.0 ? fmt::format(" (alpha {:.3g} found)", alpha) : std::string(),
                            sim::text_of(sim::stated_error(row.configuration)));
    line += sample_note(row.force_error);
    if (text.find(line) == std::string::npos) text += line;
  }
  if (text.empty()) return text;
  return "GI/s of a tree: evaluated interactions of a body with a body or a cell; of other kernels: all "
         "pairs.\n" +
         text;
}

/// "auto takes instructions=avx512": a line for each set of choices.
std::string taken_notes(const std::vector<BenchmarkRow>& rows) {
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (const auto& [option, taken] : taken_choices(row.configuration, row.report))
      line += fmt::format("{}{}={}", line.empty() ? "auto takes " : ", ", option, taken);
    if (!line.empty() && text.find(line + "\n") == std::string::npos) text += line + "\n";
  }
  return text;
}

std::string comparison_notes(const std::vector<BenchmarkRow>& rows) {
  std::string text;
  const auto says = [&](Factor::Says word) {
    return std::ranges::any_of(rows, [&](const BenchmarkRow& row) { return row.compared == word; });
  };
  if (says(Factor::Says::no_difference))
    text += "same: no difference to the first row; the spread of both times is as large as it\n";
  double others = 0.0;
  for (const auto& row : rows) others = std::max(others, row.busy ? row.others : 0.0);
  if (others > 0.0)
    text += fmt::format(
        "busy: other programs used up to {:.1f} cores; times and factors are not to be trusted\n", others);
  return text;
}

/// The largest change of the energy, and over how many steps.
std::string energy_note(const std::vector<BenchmarkRow>& rows) {
  const BenchmarkRow* worst = nullptr;
  const auto size = [](const BenchmarkRow& row) { return std::abs(*row.energy_drift); };
  for (const auto& row : rows)
    if (row.energy_drift && (worst == nullptr || size(row) > size(*worst))) worst = &row;
  if (worst == nullptr) return {};
  return fmt::format("energy: changed by {}{:+.1e} over {}\n", rows.size() > 1 ? "up to " : "",
                     *worst->energy_drift, sim::counted(worst->all_steps, "step", "steps"));
}

}  // namespace

nlohmann::json row_json(const sim::OptionTable& table, const BenchmarkRow& row) {
  nlohmann::json json{{"label", row.label},
                      {"config", configuration_json(table, row)},
                      {"taken", taken_json(row)},
                      {"bodies", row.bodies},
                      {"galaxies", row.galaxies},
                      {"steps", row.steps},
                      {"ranks", row.ranks},
                      {"kernel_ms", row.kernel_ms},
                      {"kernel_mean_ms", row.kernel_mean_ms},
                      {"kernel_deviation_ms", row.kernel_deviation_ms},
                      {"sums_share", row.sums_share},
                      {"update_ms", row.update_ms},
                      {"map_size", row.map_size},
                      {"map_ms", row.map_ms},
                      {"step_ms", row.step_ms},
                      {"device_bytes", row.report.number("device_bytes")},
                      {"gips_kernel", row.gips_kernel},
                      {"gips_frame", row.gips_frame},
                      {"speedup", row.speedup},
                      {"spread", {row.spread.low, row.spread.high}},
                      {"machine_busy", row.busy},
                      {"force_error_median", row.force_error.median},
                      {"force_error_p99", row.force_error.p99},
                      {"force_error_max", row.force_error.maximum},
                      {"force_error_bodies", row.force_error.evenly}};
  if (row.compared != Factor::Says::unknown) json["compared"] = says_text(row.compared);
  if (!row.beyond_statement.empty()) json["beyond_stated_error"] = row.beyond_statement;
  if (row.energy_drift)
    json["energy"] = {
        {"steps", row.all_steps}, {"drift", *row.energy_drift}, {"problem", row.energy_problem}};
  add_tree(json, row);
  // Of the CPU the row says all in "config".
  if (!row.report.device.empty()) json["kernel"] = report_json(row.report, row.gips_kernel);
  if (row.ranks > 1) json["split"] = row.split;
  return json;
}

nlohmann::json benchmark_json(const sim::OptionTable& table, const std::vector<BenchmarkRow>& rows) {
  nlohmann::json json{
      {"version", ORRERY_VERSION}, {"device", device_json(rows)}, {"rows", nlohmann::json::array()}};
  for (const auto& row : rows) json["rows"].push_back(row_json(table, row));
  return json;
}

std::string benchmark_csv_head() {
  return "label,threads,bodies,galaxies,steps,kernel_ms,gips_kernel,gips_frame,speedup,force_error_median,"
         "force_error_p99,ranks,split,kernel_mean_ms,kernel_deviation_ms,sums_share,update_ms,device_bytes,"
         "map_size,map_ms,step_ms,force_error_max,interactions_per_body\n";
}

std::string benchmark_csv_line(const BenchmarkRow& row) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", row.label,
                     sim::cpu_options(row.configuration).threads, row.bodies, row.galaxies, row.steps,
                     row.kernel_ms, row.gips_kernel, row.gips_frame, row.speedup, row.force_error.median,
                     row.force_error.p99, row.ranks, row.split, row.kernel_mean_ms, row.kernel_deviation_ms,
                     row.sums_share, row.update_ms, row.report.number("device_bytes"), row.map_size,
                     row.map_ms, row.step_ms, row.force_error.maximum, row.interactions_per_body);
}

std::string benchmark_csv(const std::vector<BenchmarkRow>& rows) {
  auto text = benchmark_csv_head();
  for (const auto& row : rows) text += benchmark_csv_line(row);
  return text;
}

std::string benchmark_label(const BenchmarkRow& row) {
  return row.label == sim::automatic_kernel ? computing_text(row.configuration, row.report) : row.label;
}

std::string benchmark_head(const std::vector<BenchmarkRow>& rows, const BenchmarkForm& form) {
  const auto device = device_json(rows);
  const bool cpu = rows.empty() || rows.front().report.device.empty();
  const bool maps = form.maps || (!rows.empty() && rows.front().map_size > 0);
  std::string text = fmt::format("on {}", device["name"].get<std::string>());
  if (cpu) text += fmt::format(" ({})", device["instructions"].get<std::string>());
  if (!rows.empty() && rows.front().ranks > 1)
    text += fmt::format(", {} processes that divide the {}", rows.front().ranks, rows.front().split);
  return text + "\n" +
         fmt::format(columns, "", form.label_width, cpu ? "" : "GPU", "", "kernel", "", "step", "GI/s",
                     maps ? "map" : "GI/s", maps ? "map" : "", "", "force", "error", "summed") +
         fmt::format(columns, "kernel", form.label_width, cpu ? "threads" : "MiB", "bodies", "ms", "+-", "ms",
                     "kernel", maps ? "D" : "frame", maps ? "ms" : "speed-up", "median", "99 %", "largest",
                     "per body");
}

std::string benchmark_line(const BenchmarkRow& row, const BenchmarkForm& form) {
  const bool cpu = row.report.device.empty();
  const bool maps = form.maps || row.map_size > 0;
  const auto threads = fmt::format("{}", sim::cpu_options(row.configuration).threads);
  const auto memory = fmt::format("{:.1f}", row.report.number("device_bytes") / (1024.0 * 1024.0));
  const auto error = [](double value) { return fmt::format("{:.1e}", value); };
  return fmt::format(columns, benchmark_label(row), form.label_width, cpu ? threads : memory, row.bodies,
                     digits_of(row.kernel_ms), digits_of(row.kernel_deviation_ms), digits_of(row.step_ms),
                     rate_cell(row.gips_kernel),
                     maps ? fmt::format("{}", row.map_size) : rate_cell(row.gips_frame),
                     maps ? digits_of(row.map_ms) : speedup_cell(row), error(row.force_error.median),
                     error(row.force_error.p99), error(row.force_error.maximum),
                     sums_a_tree(row) ? digits_of(row.interactions_per_body) : "all");
}

std::string benchmark_notes(const std::vector<BenchmarkRow>& rows) {
  return tree_notes(rows) + taken_notes(rows) + comparison_notes(rows) + energy_note(rows);
}

}  // namespace orrery::lab
