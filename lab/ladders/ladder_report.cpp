#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lab/bench/engine_facts.h"
#include "lab/bench/rates.h"
#include "lab/ladders/ladder_benchmark.h"
#include "sim/core/counted.h"

namespace orrery::lab {

namespace {

/// A number, or nothing where 0 means that there is none.
nlohmann::json or_null(double value) { return value > 0.0 ? nlohmann::json(value) : nlohmann::json(); }

nlohmann::json published_json(const LadderRow& row) {
  if (!row.published) return {};
  const auto& figure = *row.published;
  return {{"bodies", figure.bodies},
          {"galaxies", figure.galaxies},
          {"map", figure.map},
          {"seconds", or_null(figure.seconds)},
          {"gips", or_null(figure.gips)},
          {"speedup_stated", or_null(figure.speedup)},
          {"speedup_first", or_null(row.published_speedup)},
          {"memory_mb", or_null(figure.memory_mb)},
          {"with", figure.with},
          {"remark", figure.remark},
          {"hardware", row.rung.hardware}};
}

nlohmann::json memory_json(const PublishedFigure* figure, std::size_t bodies) {
  if (figure == nullptr) return {};
  return {{"bodies", figure->bodies},
          {"memory_mb", figure->memory_mb},
          {"other_bodies", figure->bodies != bodies}};
}

nlohmann::json rung_json(const sim::OptionTable& table, const LadderRow& row, std::size_t bodies) {
  nlohmann::json json;
  if (row.measured) json = row_json(table, *row.measured);
  json["name"] = row.rung.name;
  json["text"] = row.rung.text;
  json["published"] = published_json(row);
  json["published_memory"] = memory_json(published_memory(row.rung, bodies), bodies);
  json["measured"] = row.measured.has_value();
  json["reason"] = row.reason;
  json.erase("speedup");  // of kernels, over the first row of a plain benchmark
  if (!row.measured) return json;
  json["step_ms"] = row.measured->step_ms;
  json["speedup_first"] = or_null(row.speedup_first);
  json["speedup_previous"] = or_null(row.speedup_previous);
  return json;
}

nlohmann::json result_json(const sim::OptionTable& table, const LadderResult& result) {
  auto rungs = nlohmann::json::array();
  for (const auto& row : result.rows) rungs.push_back(rung_json(table, row, result.bodies));
  return {{"name", result.ladder.name}, {"title", result.ladder.title}, {"source", result.ladder.source},
          {"bodies", result.bodies},    {"galaxies", result.galaxies},  {"model", result.ladder.model},
          {"rungs", std::move(rungs)}};
}

/// The rows of a GPU first: the device is its.
std::vector<BenchmarkRow> measured_rows(const std::vector<LadderResult>& results) {
  std::vector<BenchmarkRow> rows;
  for (const auto& result : results) {
    for (const auto& row : result.rows) {
      if (!row.measured) continue;
      const bool of_processor = row.measured->report.device.empty();
      rows.insert(of_processor ? rows.end() : rows.begin(), *row.measured);
    }
  }
  return rows;
}

std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) text.insert(at, 1, '"');
  return '"' + text + '"';
}

std::string blank_or(double value, const char* format) {
  return value > 0.0 ? fmt::format(fmt::runtime(format), value) : std::string();
}

/// A fact that counts something.
long long whole_fact(const sim::EngineReport& report, std::string_view key) {
  return static_cast<long long>(report.number(key));
}

std::string csv_line(const LadderResult& result, const LadderRow& row) {
  auto line = fmt::format("{},{},", result.ladder.name, row.rung.name);
  if (row.measured) {
    const auto& m = *row.measured;
    line += fmt::format("{},{},{},{},{},{},{},{},{},{},{}", m.bodies, m.galaxies, m.steps, m.step_ms,
                        m.kernel_ms, m.gips_kernel, m.gips_frame, blank_or(row.speedup_first, "{}"),
                        blank_or(row.speedup_previous, "{}"), m.force_error.median, m.force_error.p99);
    line +=
        m.report.device.empty()
            ? ",,,"
            : fmt::format(",{},{},{}", blank_or(counted_limits(m.report, m.gips_kernel).fp32_percent, "{}"),
                          whole_fact(m.report, "registers"), m.report.number("occupancy"));
  } else {
    line += std::string(13, ',');
  }
  const PublishedFigure none;
  const auto& figure = row.published ? *row.published : none;
  line += fmt::format(",{},{},{},{}", blank_or(row.published_speedup, "{}"), blank_or(figure.gips, "{}"),
                      quoted(figure.remark), quoted(row.reason));
  const CountedLimits counted =
      row.measured ? counted_limits(row.measured->report, row.measured->gips_kernel) : CountedLimits{};
  line += fmt::format(",{},{},{}", blank_or(counted.slots, "{}"), blank_or(counted.issue_percent, "{}"),
                      blank_or(counted.special_percent, "{}"));
  const BenchmarkRow nothing;
  const auto& m = row.measured ? *row.measured : nothing;
  line += fmt::format(",{},{},{},{}", blank_or(m.kernel_deviation_ms, "{}"),
                      blank_or(m.report.number("device_bytes"), "{}"), blank_or(m.sums_share, "{}"),
                      blank_or(m.update_ms, "{}"));
  return line + fmt::format(",{},{},{}\n", figure.bodies > 0 ? fmt::to_string(figure.bodies) : "",
                            blank_or(figure.memory_mb, "{}"), quoted(figure.with));
}

/// The figure for a column: the speed-up over the first rung, else the rate, else what the report says.
std::string figure_text(const LadderRow& row) {
  if (row.published_speedup > 0.0) return fmt::format("{:.2f}x", row.published_speedup);
  if (!row.published) return "";
  if (row.published->gips > 0.0) return rate_text(row.published->gips) + " GI/s";
  return row.published->speedup > 0.0 ? fmt::format("({}x)", row.published->speedup) : "(text)";
}

/// The same; a figure of another number of bodies says which: "4.33x @8192".
std::string published_text(const LadderRow& row, std::size_t bodies) {
  auto text = figure_text(row);
  if (row.published && row.published->bodies != bodies) text += fmt::format(" @{}", row.published->bodies);
  // A figure of another activity map is marked too.
  if (row.published && row.measured && row.published->map != row.measured->map_size)
    text += fmt::format(" D{}", row.published->map);
  return text;
}

std::string kernel_text(const BenchmarkRow& row) {
  if (row.report.device.empty())
    return fmt::format("{:>6} {:>5} {:>5} {:>5} {:>4} {:>4} {:>8} {:>6}", "", "", "", "", "", "", "", "");
  const auto counted = counted_limits(row.report, row.gips_kernel);
  return fmt::format("{:>6} {:>5} {:>5} {:>5} {:>4} {:>3.0f}% {:>8.1f} {:>6}",
                     blank_or(counted.fp32_percent, "{:.1f}%"), blank_or(counted.slots, "{:.1f}"),
                     blank_or(counted.issue_percent, "{:.0f}%"), blank_or(counted.special_percent, "{:.0f}%"),
                     whole_fact(row.report, "registers"), 100.0 * row.report.number("occupancy"),
                     row.report.number("device_bytes") / (1024.0 * 1024.0),
                     blank_or(100.0 * row.sums_share, "{:.2f}%"));
}

/// "1026 @8192"; empty where the report says nothing.
std::string memory_text(const LadderRow& row, std::size_t bodies) {
  const auto* figure = published_memory(row.rung, bodies);
  if (figure == nullptr) return {};
  return fmt::format("{:.4g}{}", figure->memory_mb,
                     figure->bodies != bodies ? fmt::format(" @{}", figure->bodies) : std::string());
}

/// Published device memory: a table of its own, of a ladder that has such figures.
std::string memory_table(const LadderResult& result) {
  const auto says = [&](const LadderRow& row) {
    return published_memory(row.rung, result.bodies) != nullptr;
  };
  if (std::ranges::none_of(result.rows, says)) return {};
  auto text = fmt::format("{:<18} {:>11} {:>15}\n", "device memory, MB", "here", "published");
  for (const auto& row : result.rows) {
    const double here = row.measured ? 1e-6 * row.measured->report.number("device_bytes") : 0.0;
    text += fmt::format("{:<18} {:>11} {:>15}\n", row.rung.name, blank_or(here, "{:.4g}"),
                        memory_text(row, result.bodies));
  }
  return text;
}

std::string table_line(const LadderRow& row, std::size_t bodies) {
  if (!row.measured)
    return fmt::format("{:<18} published {:>15}  not run: {}\n", row.rung.name, published_text(row, bodies),
                       row.reason);
  const auto& m = *row.measured;
  return fmt::format("{:<18} {:>7} {:>5} {:>11.3f} {:>8.3f} {:>11} {:>11} {:>8} {:>8} {:>15} {} {:>8.1e}\n",
                     row.rung.name, m.bodies / std::max<std::size_t>(m.galaxies, 1), m.steps, m.step_ms,
                     m.kernel_deviation_ms, rate_text(m.gips_kernel), rate_text(m.gips_frame),
                     blank_or(row.speedup_first, "{:.2f}"), blank_or(row.speedup_previous, "{:.2f}"),
                     published_text(row, bodies), kernel_text(m), m.force_error.median);
}

}  // namespace

nlohmann::json ladder_json(const sim::OptionTable& table, const std::vector<LadderResult>& results) {
  nlohmann::json json{{"version", ORRERY_VERSION},
                      {"device", device_json(measured_rows(results))},
                      {"ladders", nlohmann::json::array()}};
  for (const auto& result : results) json["ladders"].push_back(result_json(table, result));
  return json;
}

std::string ladder_csv(const std::vector<LadderResult>& results) {
  std::string text =
      "ladder,rung,bodies,galaxies,steps,step_ms,kernel_ms,gips_kernel,gips_frame,speedup_first,"
      "speedup_previous,force_error_median,force_error_p99,percent_of_limit,registers,occupancy,"
      "published_speedup,published_gips,published_remark,reason,slots_per_interaction,"
      "percent_of_issue_limit,percent_of_special_limit,kernel_deviation_ms,device_bytes,sums_share,"
      "update_ms,published_bodies,published_memory_mb,published_with\n";
  for (const auto& result : results)
    for (const auto& row : result.rows) text += csv_line(result, row);
  return text;
}

std::string ladder_table(const LadderResult& result) {
  const auto rows = measured_rows({result});
  auto text = fmt::format("{}: {}\n{} of {}, on {}\n", result.ladder.name, result.ladder.title,
                          sim::counted(result.galaxies, "galaxy", "galaxies"),
                          sim::counted(result.bodies, "body", "bodies"),
                          device_json(rows)["name"].get<std::string>());
  text += fmt::format(
      "{:<18} {:>7} {:>5} {:>11} {:>8} {:>11} {:>11} {:>8} {:>8} {:>15} {:>6} {:>5} {:>5} {:>5} {:>4} {:>4} "
      "{:>8} {:>6} {:>8}\n",
      "rung", "bodies", "steps", "ms per step", "+- ms", "GI/s kernel", "GI/s frame", "x first", "x prev",
      "published", "limit", "slots", "issue", "spec", "reg", "occ", "MiB", "sums", "error");
  for (const auto& row : result.rows) text += table_line(row, result.bodies);
  return text + memory_table(result);
}

}  // namespace orrery::lab
