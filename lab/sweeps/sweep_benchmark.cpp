#include "lab/sweeps/sweep_benchmark.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lab/bench/rates.h"
#include "lab/setup/progress_line.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/ranks/agreement.h"
#include "sim/ranks/world.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

/// A cell that fails only when it runs (no such device, a kernel that does not compile) is refused then.
std::optional<BenchmarkRow> measure(const BenchSetup& setup, SweepCell& cell, const TimingControl& control,
                                    bool whole_steps) {
  cell.refusal = sim::first_text(sim::world(), cell.refusal);
  if (!cell.refusal.empty()) return std::nullopt;
  try {
    auto row = time_configuration(setup.table, cell.configuration, setup.scene, control);
    cell.measured = true;
    cell.speed = {whole_steps ? row.gips_frame : row.gips_kernel, row.spread, row.busy};
    return row;
  } catch (const sim::Cancelled&) {
    throw;
  } catch (const sim::Error& error) {
    cell.refusal = error.what();
    return std::nullopt;
  }
}

void measure_cells(const BenchSetup& setup, SweepReport& report, int steps) {
  auto& cells = report.sweep.cells;
  ProgressLine line("sweep");
  const bool whole_steps = report.sweep.of_whole_steps();
  for (auto& cell : cells) {
    const auto show = [&](int step) {
      const double of_cell = static_cast<double>(step) / (steps + 1);
      line.show(fmt::format("combination {} of {}", report.rows.size() + 1, cells.size()),
                (static_cast<double>(report.rows.size()) + of_cell) / static_cast<double>(cells.size()));
    };
    auto control = timed_steps(steps);
    control.progress = [&](int step) {
      if (line.due()) show(step);
    };
    show(0);
    report.rows.push_back(measure(setup, cell, control, whole_steps));
  }
}

/// The rest of a sweep that was interrupted.
void give_up_rest(SweepReport& report) {
  auto& cells = report.sweep.cells;
  report.reached = report.rows.size();
  report.rows.resize(cells.size());
  for (std::size_t k = report.reached; k < cells.size(); ++k)
    if (cells[k].refusal.empty()) cells[k].refusal = "interrupted before it was measured";
}

/// Width of the longest text in a column or among the row names.
std::size_t widest(const std::vector<std::string>& texts) {
  std::size_t width = 0;
  for (const auto& text : texts) width = std::max(width, text.size());
  return width;
}

std::vector<std::string> value_texts(const SweepAxis& axis) {
  std::vector<std::string> texts;
  for (const auto& value : axis.values) texts.push_back(sim::to_string(value));
  return texts;
}

std::string cell_text(const Sweep& sweep, const SweepCell& cell) {
  if (!cell.measured) return "-  ";
  return fmt::format("{}{}", rate_text(cell.speed.median), &cell == sweep.best() ? " *" : "  ");
}

std::string heat_map(const Sweep& sweep) {
  auto names = value_texts(sweep.rows);
  auto heads = value_texts(sweep.columns);
  const bool one = heads.empty();
  if (one) heads.emplace_back("GI/s");
  auto corner = names;
  corner.push_back(sweep.rows.option);
  const auto name_width = widest(corner);
  const auto width = std::max<std::size_t>(widest(heads) + 2, 10);
  std::string text =
      one ? std::string() : fmt::format("{:<{}}  {} =\n", "", name_width, sweep.columns.option);
  text += fmt::format("{:<{}}", sweep.rows.option, name_width);
  for (const auto& head : heads) text += fmt::format(" {:>{}}", head + "  ", width);
  text += "\n";
  for (std::size_t row = 0; row < names.size(); ++row) {
    text += fmt::format("{:<{}}", names[row], name_width);
    for (std::size_t column = 0; column < heads.size(); ++column)
      text += fmt::format(" {:>{}}", cell_text(sweep, sweep.cell(row, column)), width);
    text += "\n";
  }
  return text;
}

std::string cell_name(const Sweep& sweep, const SweepCell& cell) {
  const auto part = [&](const SweepAxis& axis) {
    return fmt::format("{}={}", axis.option, sim::to_string(cell.configuration.value(axis.option)));
  };
  return sweep.columns.values.empty() ? part(sweep.rows) : part(sweep.rows) + " " + part(sweep.columns);
}

json cell_json(const SweepReport& report, std::size_t index) {
  const auto& sweep = report.sweep;
  const auto& cell = sweep.cells[index];
  const auto all = sim::to_json(cell.configuration);
  json entry{{sweep.rows.option, all.at(sweep.rows.option)}};
  if (!sweep.columns.values.empty()) entry[sweep.columns.option] = all.at(sweep.columns.option);
  const auto& row = report.rows[index];
  if (!row) {
    entry["refused"] = cell.refusal;
    return entry;
  }
  entry["kernel_ms"] = row->kernel_ms;
  entry["spread"] = {row->spread.low, row->spread.high};
  entry["machine_busy"] = row->busy;
  entry["gips_kernel"] = row->gips_kernel;
  entry["gips_frame"] = row->gips_frame;
  entry["force_error_median"] = row->force_error.median;
  entry["force_error_p99"] = row->force_error.p99;
  return entry;
}

/// The combinations that the spread does not tell from the best one, and whether rates mean anything.
std::string comparison_text(const SweepReport& report) {
  const auto& sweep = report.sweep;
  const auto* best = sweep.best();
  const auto at = static_cast<std::size_t>(best - sweep.cells.data());
  if (best == nullptr || !report.rows[at]) return {};
  const auto speed = [&](std::size_t k) { return sweep.cells[k].speed; };
  constexpr std::size_t most_named = 4;
  std::vector<std::string> alike;
  std::size_t busy = 0;
  for (std::size_t k = 0; k < sweep.cells.size(); ++k) {
    if (!report.rows[k]) continue;
    busy += report.rows[k]->busy ? 1 : 0;
    if (k != at && !Factor(speed(at), speed(k)).counts()) alike.push_back(cell_name(sweep, sweep.cells[k]));
  }
  std::string text;
  if (!alike.empty()) {
    const auto more = alike.size() > most_named ? alike.size() - most_named : 0;
    alike.resize(alike.size() - more);
    text += fmt::format("no difference to it: {}{}\n", fmt::join(alike, ", "),
                        more > 0 ? fmt::format(" and {} more", more) : std::string());
  }
  if (busy > 0)
    text += fmt::format(
        "machine busy: other programs used the cores while {} of {} combinations were measured\n", busy,
        std::ranges::count_if(report.rows, [](const auto& row) { return row.has_value(); }));
  return text;
}

const BenchmarkRow* first_measured(const SweepReport& report) {
  for (const auto& row : report.rows)
    if (row) return &*row;
  return nullptr;
}

}  // namespace

SweepReport measure_sweep(const BenchSetup& setup, Sweep sweep, int steps) {
  SweepReport report{.sweep = std::move(sweep), .rows = {}};
  fmt::print(stderr, "{} in {} of {}, {}, {} each after one to warm up\n",
             sim::counted(setup.context.bodies, "body", "bodies"),
             sim::counted(setup.context.galaxies, "galaxy", "galaxies"), setup.scene.title,
             sim::counted(report.sweep.cells.size(), "combination", "combinations"),
             sim::counted(steps, "step", "steps"));
  try {
    measure_cells(setup, report, steps);
    report.reached = report.sweep.cells.size();
  } catch (const sim::Cancelled&) {
    give_up_rest(report);
  }
  return report;
}

std::string sweep_table(const SweepReport& report) {
  const auto& sweep = report.sweep;
  const auto* what = sweep.of_whole_steps() ? "whole steps, with the map" : "the kernel, median";
  auto text = fmt::format("GInteractions/s of {}; * is the best\n", what) + heat_map(sweep);
  if (const auto* best = sweep.best())
    text +=
        fmt::format("best: {}: {} GInteractions/s\n", cell_name(sweep, *best), rate_text(best->speed.median));
  text += comparison_text(report);
  for (const auto& [reason, count] : sweep.reasons())
    text += fmt::format("- {} refused: {}\n", count, reason);
  for (const auto& note : sweep.notes) text += fmt::format("note: {}\n", note);
  return text;
}

json sweep_json(const sim::OptionTable& table, const SweepReport& report) {
  const auto& sweep = report.sweep;
  std::vector<BenchmarkRow> first;
  if (const auto* row = first_measured(report)) first.push_back(*row);
  auto document = benchmark_json(table, first);
  document.erase("rows");
  document["base"] = computing_options(table, sweep.cells.front().configuration);
  document["rows_option"] = sweep.rows.option;
  document["columns_option"] = sweep.columns.option.empty() ? json() : json(sweep.columns.option);
  if (const auto* row = first_measured(report)) {
    document["bodies"] = row->bodies;
    document["galaxies"] = row->galaxies;
    document["steps"] = row->steps;
  }
  document["cells"] = json::array();
  for (std::size_t k = 0; k < sweep.cells.size(); ++k) document["cells"].push_back(cell_json(report, k));
  const auto* best = sweep.best();
  document["best"] =
      best != nullptr ? cell_json(report, static_cast<std::size_t>(best - sweep.cells.data())) : json();
  document["notes"] = sweep.notes;
  return document;
}

std::string sweep_csv(const SweepReport& report) {
  const auto& sweep = report.sweep;
  const bool one = sweep.columns.values.empty();
  std::string text =
      fmt::format("{}{},kernel_ms,gips_kernel,gips_frame,force_error_median,force_error_p99,refused\n",
                  sweep.rows.option, one ? "" : "," + sweep.columns.option);
  for (std::size_t k = 0; k < sweep.cells.size(); ++k) {
    const auto& cell = sweep.cells[k];
    text += sim::to_string(cell.configuration.value(sweep.rows.option));
    if (!one) text += "," + sim::to_string(cell.configuration.value(sweep.columns.option));
    if (const auto& row = report.rows[k]) {
      text += fmt::format(",{},{},{},{},{},\n", row->kernel_ms, row->gips_kernel, row->gips_frame,
                          row->force_error.median, row->force_error.p99);
    } else {
      auto reason = cell.refusal;
      std::ranges::replace(reason, '"', '\'');
      text += fmt::format(",,,,,,\"{}\"\n", reason);
    }
  }
  return text;
}

}  // namespace orrery::lab
