#include "lab/diagnostics/diagnostic_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace orrery::lab {

namespace {

/// The dimension of an axis: its numbers are given in a unit that people read, where the units are known.
enum class UnitKind { none, time, length, velocity, surface_density, energy, momentum, angular_momentum };
struct AxisText {
  std::string label;
  UnitKind unit = UnitKind::none;
};

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

/// Lines of a plot in their colours, in the units of the log; axes are fitted to their points.
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

template <typename Row>
plots::Panel curves_over(const DiagnosticsLog& log, const std::vector<Row>& rows, double Row::*at,
                         const std::vector<Column<Row>>& curves, AxisText x, AxisText y, plots::Scale scale) {
  std::vector<plots::Line> lines;
  for (const auto& curve : curves) {
    plots::Line line{.name = std::string(curves.size() > 1 ? curve.name : "")};
    for (const auto& row : rows)
      if (std::isfinite(row.*at) && std::isfinite(row.*curve.value))
        line.points.push_back({row.*at, row.*curve.value});
    lines.push_back(std::move(line));
  }
  return panel_of(log, std::move(lines), std::move(x), std::move(y), scale);
}

/// Shows `curves` over simulated time, the axis of the values as `values` says.
plots::Panel over_time(const DiagnosticsLog& log, const std::vector<Column<Instant>>& curves, AxisText values,
                       plots::Scale scale = plots::Scale::linear) {
  return curves_over(log, log.past, &Instant::time, curves, {"simulated time", UnitKind::time},
                     std::move(values), scale);
}

/// Shows `curves` over the distance from the axis.
plots::Panel over_radius(const DiagnosticsLog& log, const std::vector<Column<ProfileRow>>& curves,
                         AxisText values, plots::Scale scale = plots::Scale::linear) {
  auto panel = curves_over(log, log.profile, &ProfileRow::radius, curves,
                           {"distance from the axis", UnitKind::length}, std::move(values), scale);
  if (has_points(panel)) panel.x.low = 0.0;
  return panel;
}

plots::Panel phase_space(const DiagnosticsLog& log) {
  plots::Line line{.marker = plots::Marker::circle, .marker_size = 1.1, .joined = false};
  for (const auto& point : log.phase) line.points.push_back({point.radius, point.v_phi});
  auto panel = panel_of(log, {std::move(line)}, {"distance from the axis", UnitKind::length},
                        {"speed around it", UnitKind::velocity}, plots::Scale::linear);
  if (has_points(panel)) panel.x.low = 0.0;
  return panel;
}

plots::Panel rotation_curve(const DiagnosticsLog& log) {
  auto panel = over_radius(
      log, {{"mean rotation", &ProfileRow::rotation}, {"circular orbits", &ProfileRow::circular_speed}},
      {"speed", UnitKind::velocity});
  if (has_points(panel)) panel.y.low = std::min(panel.y.low, 0.0);
  return panel;
}

plots::Panel toomre_q(const DiagnosticsLog& log) {
  auto panel = over_radius(log, {{"Q", &ProfileRow::toomre_q}}, {"Q"});
  if (!has_points(panel)) return panel;
  panel.y = plots::from_zero("Q", plots::Scale::linear, std::vector{2.0, std::min(panel.y.high, 6.0)});
  panel.lines.push_back({.name = "breaks up below",
                         .points = {{panel.x.low, 1.0}, {panel.x.high, 1.0}},
                         .color = plots::gray(0.5),
                         .dash = plots::Dash::dashed});
  return panel;
}

using Log = DiagnosticsLog;

constexpr std::array all_plots{
    DiagnosticPlot{"energy", "Energy", "kinetic, potential and total energy over time",
                   [](const Log& log) {
                     return over_time(log,
                                      {{"kinetic", &Instant::kinetic},
                                       {"potential", &Instant::potential},
                                       {"total", &Instant::energy}},
                                      {"energy", UnitKind::energy});
                   }},
    DiagnosticPlot{"momentum", "Momentum", "the total momentum over time",
                   [](const Log& log) {
                     return over_time(log, {{"x", &Instant::px}, {"y", &Instant::py}, {"z", &Instant::pz}},
                                      {"momentum", UnitKind::momentum});
                   }},
    DiagnosticPlot{"angular-momentum", "Angular momentum",
                   "the total angular momentum about the origin over time",
                   [](const Log& log) {
                     return over_time(log, {{"x", &Instant::lx}, {"y", &Instant::ly}, {"z", &Instant::lz}},
                                      {"angular momentum", UnitKind::angular_momentum});
                   }},
    DiagnosticPlot{"lagrange-radii", "Lagrange radii",
                   "radii about the centre that hold 10 to 90 % of the mass, over time",
                   [](const Log& log) {
                     return over_time(log,
                                      {{"10 %", &Instant::r10},
                                       {"25 %", &Instant::r25},
                                       {"50 %", &Instant::r50},
                                       {"75 %", &Instant::r75},
                                       {"90 %", &Instant::r90}},
                                      {"radius", UnitKind::length}, plots::Scale::logarithmic);
                   }},
    DiagnosticPlot{"virial-ratio", "Virial ratio",
                   "kinetic energy over |potential energy|: 0.5 in equilibrium",
                   [](const Log& log) {
                     return over_time(log, {{"K / |W|", &Instant::virial_ratio}}, {"K / |W|"});
                   }},
    DiagnosticPlot{"bound", "Bound share", "the share of the mass whose energy is below 0, over time",
                   [](const Log& log) {
                     return over_time(log, {{"bound", &Instant::bound}}, {"share of the mass"});
                   }},
    DiagnosticPlot{"bar", "Bar strength",
                   "the second harmonic A2 within the half-mass radius: 0 is round, 1 a thin bar",
                   [](const Log& log) {
                     return over_time(log, {{"A2", &Instant::a2}}, {"A2"});
                   }},
    DiagnosticPlot{"rotation-curve", "Rotation curve",
                   "mean rotation of the disk, and the speed of circular orbits by the forces",
                   rotation_curve},
    DiagnosticPlot{"surface-density", "Surface density", "mass of the disk on unit area",
                   [](const Log& log) {
                     return over_radius(log, {{"disk", &ProfileRow::surface_density}},
                                        {"mass / area", UnitKind::surface_density},
                                        plots::Scale::logarithmic);
                   }},
    DiagnosticPlot{"dispersion", "Velocity dispersion",
                   "spread of the velocities outward, around and along the axis",
                   [](const Log& log) {
                     return over_radius(log,
                                        {{"outward", &ProfileRow::sigma_r},
                                         {"around", &ProfileRow::sigma_phi},
                                         {"along the axis", &ProfileRow::sigma_z}},
                                        {"spread of velocity", UnitKind::velocity});
                   }},
    DiagnosticPlot{"toomre-q", "Toomre's Q", "stability of the disk: below 1 it breaks up by its own gravity",
                   toomre_q},
    DiagnosticPlot{"phase-space", "Phase space",
                   "speed around the axis over distance from it, a dot for each body", phase_space},
};

/// Quotes where CSV needs them.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

}  // namespace

std::span<const DiagnosticPlot> diagnostic_plots() { return all_plots; }

const DiagnosticPlot* find_diagnostic_plot(std::string_view name) {
  const auto* at = std::ranges::find(all_plots, name, &DiagnosticPlot::name);
  return at == all_plots.end() ? nullptr : at;
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
