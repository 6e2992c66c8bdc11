#include "lab/diagnostics/diagnostic_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagnostic_plots.h"

namespace orrery::lab {

namespace {

template <typename Row>
plots::Panel curves_over(const DiagnosticsLog& log, const std::vector<Row>& rows, double Row::*at,
                         const std::vector<Curve<Row>>& curves, AxisText x, AxisText y, plots::Scale scale) {
  std::vector<plots::Line> lines;
  for (const auto& curve : curves) {
    plots::Line line{.name = curves.size() > 1 ? curve.name : std::string(), .points = {}, .color = {}};
    for (const auto& row : rows)
      if (std::isfinite(row.*at) && std::isfinite(row.*curve.value))
        line.points.push_back({row.*at, row.*curve.value});
    lines.push_back(std::move(line));
  }
  return panel_of(log, std::move(lines), std::move(x), std::move(y), scale);
}

/// The unit of mass times velocity^`power`.
sim::Measure mass_times_velocity(int power, std::string_view name, const sim::PhysicalUnits& units) {
  const auto velocity = sim::velocity_measure(units);
  if (!(units.mass > 0.0) || velocity.name.empty()) return {};
  return {units.mass / sim::kilograms_of_sun * std::pow(velocity.factor, power), name};
}

sim::Measure measure_of(UnitKind kind, double largest, const sim::PhysicalUnits& units) {
  switch (kind) {
    case UnitKind::time:
      return sim::time_measure(largest, units);
    case UnitKind::length:
      return sim::length_measure(largest, units);
    case UnitKind::velocity:
      return sim::velocity_measure(units);
    case UnitKind::surface_density: {
      if (!(units.mass > 0.0) || !(units.length > 0.0)) return {};
      const double parsecs = units.length / sim::meters_of_parsec;
      return {units.mass / sim::kilograms_of_sun / (parsecs * parsecs), "solar masses / pc^2"};
    }
    case UnitKind::energy:
      return mass_times_velocity(2, "solar masses km^2/s^2", units);
    case UnitKind::momentum:
      return mass_times_velocity(1, "solar masses km/s", units);
    case UnitKind::angular_momentum: {
      auto measure = mass_times_velocity(1, "solar masses pc km/s", units);
      if (!measure.name.empty()) measure.factor *= units.length / sim::meters_of_parsec;
      return measure;
    }
    case UnitKind::none:
      break;
  }
  return {};
}

/// Gives one coordinate of all points in a unit that people read; returns the label with its name.
std::string put_in_units(std::vector<plots::Line>& lines, double plots::Point::*axis, AxisText shown,
                         const sim::PhysicalUnits& units) {
  double largest = 0.0;
  for (const auto& line : lines)
    for (const auto& point : line.points) largest = std::max(largest, std::abs(point.*axis));
  const auto measure = measure_of(shown.unit, largest, units);
  if (measure.name.empty()) return std::move(shown.label);
  for (auto& line : lines)
    for (auto& point : line.points) point.*axis *= measure.factor;
  return fmt::format("{} ({})", shown.label, measure.name);
}

/// Quotes where CSV needs them.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

}  // namespace

std::span<const DiagnosticPlot* const> diagnostic_plots() { return registry::diagnostic_plots; }

const DiagnosticPlot* find_diagnostic_plot(std::string_view name) {
  const auto at = std::ranges::find(diagnostic_plots(), name, &DiagnosticPlot::name);
  return at == diagnostic_plots().end() ? nullptr : *at;
}

plots::Panel over_time(const DiagnosticsLog& log, const CurvesOverTime& curves, AxisText values,
                       plots::Scale scale) {
  return curves_over(log, log.past, &Instant::time, curves, {"simulated time", UnitKind::time},
                     std::move(values), scale);
}

plots::Panel over_radius(const DiagnosticsLog& log, const CurvesOverRadius& curves, AxisText values,
                         plots::Scale scale) {
  auto panel = curves_over(log, log.profile, &ProfileRow::radius, curves,
                           {"distance from the axis", UnitKind::length}, std::move(values), scale);
  if (has_points(panel)) panel.x.low = 0.0;
  return panel;
}

plots::Panel panel_of(const DiagnosticsLog& log, std::vector<plots::Line> lines, AxisText shown_x,
                      AxisText shown_y, plots::Scale scale) {
  auto x_label = put_in_units(lines, &plots::Point::x, std::move(shown_x), log.units);
  auto y_label = put_in_units(lines, &plots::Point::y, std::move(shown_y), log.units);
  std::vector<double> x, y;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    lines[k].color = plots::distinct(k);
    for (const auto& point : lines[k].points) x.push_back(point.x), y.push_back(point.y);
  }
  return {.x = plots::fitted(std::move(x_label), plots::Scale::linear, x, 0.0),
          .y = plots::fitted(std::move(y_label), scale, y),
          .lines = std::move(lines)};
}

bool has_points(const plots::Panel& panel) {
  return std::ranges::any_of(panel.lines, [](const auto& line) { return !line.points.empty(); });
}

std::string sample_text(const DiagnosticsLog& log) {
  return log.sample < log.of ? fmt::format("from {} of {} bodies, drawn by lot", log.sample, log.of) : "";
}

plots::Figure figure_of(const DiagnosticPlot& plot, const DiagnosticsLog& log, std::string subtitle) {
  return {.title = std::string(plot.title),
          .subtitle = std::move(subtitle),
          .note = sample_text(log),
          .panels = {plot.draw(log)},
          .width = 720.0,
          .height = 440.0};
}

std::string csv_of(const plots::Panel& panel) {
  auto text = fmt::format("line,{},{}\n", field(panel.x.label), field(panel.y.label));
  for (const auto& line : panel.lines)
    for (const auto& point : line.points)
      text += fmt::format("{},{},{}\n", field(line.name), point.x, point.y);
  return text;
}

}  // namespace orrery::lab
