#include "app/live/demo_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/bench/rates.h"
#include "lab/bench/switch_watch.h"

namespace orrery::app {

namespace {

std::string cell(double value, const char* format) {
  return value > 0.0 ? fmt::format(fmt::runtime(format), value) : std::string();
}

/// As CSV takes it.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace

std::string demo_csv(const std::vector<DemoResult>& results) {
  std::string text = "step,kernel,gips,ms,error_median,percent_of_limit,remark\n";
  for (const auto& each : results) {
    const auto remark = each.refusal.empty() && each.busy ? std::string("machine busy") : each.refusal;
    text += fmt::format("{},{},{},{},{},{},{}\n", each.step, each.kernel, cell(each.gips, "{:.6g}"),
                        cell(1e3 * each.seconds, "{:.6g}"), cell(each.error, "{:.3e}"),
                        cell(each.limit_percent, "{:.1f}"), quoted(remark));
  }
  return text;
}

DemoComparison::DemoComparison(const std::vector<DemoResult>& results, const DemoResult* present) {
  for (const auto& each : results)
    if (each.gips > 0.0 && each.seconds > 0.0) rows_.push_back(each);
  if (present != nullptr && present->gips > 0.0 && present->seconds > 0.0) rows_.push_back(*present);
  if (rows_.empty()) return;
  const auto interactions = [](const DemoResult& row) { return row.gips * row.seconds; };
  const double first = interactions(rows_.front());
  by_time_ = std::ranges::any_of(
      rows_, [&](const DemoResult& row) { return std::abs(interactions(row) / first - 1.0) > 0.05; });
}

std::string DemoComparison::quantity() const { return by_time_ ? "time for all forces" : "GInteractions/s"; }

std::string DemoComparison::text(const DemoResult& row) const {
  return by_time_ ? lab::evaluation_text(row.seconds) : lab::rate_text(row.gips, 3);
}

lab::MeasuredSpeed DemoComparison::speed(const DemoResult& row) const {
  return {by_time_ ? 1.0 / row.seconds : row.gips, row.spread, row.busy};
}

double DemoComparison::length(const DemoResult& row) const {
  double fastest = 0.0;
  for (const auto& each : rows_) fastest = std::max(fastest, speed(each).median);
  return fastest > 0.0 ? speed(row).median / fastest : 0.0;
}

lab::Factor DemoComparison::factor() const {
  if (rows_.size() < 2) return {{}, {}};
  return {speed(rows_.front()), speed(rows_.back())};
}

lab::AccuracySpeedPlot board_of(const std::vector<DemoResult>& results, const DemoResult* present) {
  lab::AccuracySpeedPlot plot;
  const auto add = [&](const DemoResult& row) {
    plot.tried.push_back({.name = row.label.empty() ? row.step : row.label,
                          .gips = row.gips,
                          .seconds = row.seconds,
                          .error = row.error});
  };
  std::ranges::for_each(results, add);
  plot.present = plot.tried.size();
  if (present != nullptr) add(*present);
  return plot;
}

std::string short_error(double error) {
  if (!(error > 0.0)) return "?";
  auto text = fmt::format("{:.1e}", error);
  if (const auto zero = text.find("e-0"); zero != std::string::npos) text.erase(zero + 2, 1);
  return text;
}

}  // namespace orrery::app
