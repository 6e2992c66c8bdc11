#include "lab/figures/accuracy_speed_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery::lab {

namespace {

bool is_dot(const MeasuredVariant& tried) {
  return tried.gips > 0.0 && tried.error > 0.0 && std::isfinite(tried.error);
}

plots::Line dots(std::string name, plots::Color color, plots::Marker marker, double size) {
  return {.name = std::move(name), .color = color, .marker = marker, .marker_size = size, .joined = false};
}

/// Whole decades, so that every tick has a plain name, and room above for what has no error.
plots::Axis error_axis(const std::vector<double>& errors, bool room) {
  const auto [low, high] = std::ranges::minmax(errors);
  const double bottom = std::floor(std::log10(low) - 0.15), top = std::ceil(std::log10(high) + 0.15);
  return {.label = "force error, median",
          .scale = plots::Scale::logarithmic,
          .low = std::pow(10.0, bottom),
          .high = std::pow(10.0, top + (room ? 1.0 : 0.0))};
}

/// A published code that can be compared on this dataset, and the time it would take.
struct Placed {
  const PublishedCode* code;
  double seconds;
};

std::vector<Placed> placed_codes(const AccuracySpeedPlot& plot) {
  std::vector<Placed> placed;
  for (const auto& code : plot.published)
    if (const auto seconds = seconds_for(code, plot.size)) placed.push_back({&code, *seconds});
  return placed;
}

/// Published codes without a stated error: at the top, one under the other where their times are alike.
plots::Line unstated_line(const std::vector<Placed>& placed, const plots::Axis& y) {
  auto line = dots("published, error not stated", plots::distinct(3), plots::Marker::diamond, 4.5);
  double share = 0.93;
  for (const auto& [code, seconds] : placed) {
    if (code->error > 0.0) continue;
    line.points.push_back({seconds, y.value_at(share)});
    const auto many = code->galaxies > 1 ? fmt::format("{} x ", code->galaxies) : std::string();
    line.labels.push_back(fmt::format("{}, N = {}{}", code->hardware, many, code->bodies));
    share = share > 0.8 ? share - 0.045 : 0.93;
  }
  return line;
}

plots::Line measured_line(const std::vector<Placed>& placed) {
  auto line = dots("of others, measured", plots::distinct(2), plots::Marker::diamond, 4.5);
  for (const auto& [code, seconds] : placed) {
    if (code->error == 0.0) continue;
    line.points.push_back({seconds, code->error});
    line.labels.push_back(fmt::format("{}, {}", code->name, code->hardware));
  }
  return line;
}

/// The name of each code in the plot, once.
std::string names_of(const std::vector<Placed>& placed) {
  std::string names;
  for (const auto& each : placed) {
    const auto& name = each.code->name;
    if (names.find(name) == std::string::npos) names += (names.empty() ? "" : "; ") + name;
  }
  return names;
}

}  // namespace

bool has_dots(const AccuracySpeedPlot& plot) { return std::ranges::any_of(plot.tried, is_dot); }

plots::Panel accuracy_speed_panel(const AccuracySpeedPlot& plot) {
  auto tried = dots("tried here", plots::distinct(0), plots::Marker::circle, 4.0);
  auto present = dots("computes now", plots::distinct(1), plots::Marker::circle, 5.5);
  std::vector<double> times, errors;
  for (std::size_t k = 0; k < plot.tried.size(); ++k) {
    const auto& each = plot.tried[k];
    if (!is_dot(each)) continue;
    auto& line = k == plot.present ? present : tried;
    line.points.push_back({each.seconds, each.error});
    line.labels.push_back(each.name);
    times.push_back(each.seconds);
    errors.push_back(each.error);
  }
  const auto placed = placed_codes(plot);
  for (const auto& each : placed) {
    times.push_back(each.seconds);
    if (each.code->error > 0.0) errors.push_back(each.code->error);
  }
  const bool room = std::ranges::any_of(placed, [](const Placed& each) { return each.code->error == 0.0; });
  plots::Panel panel{.x = plots::fitted("time per force evaluation", plots::Scale::logarithmic, times, 0.1),
                     .y = error_axis(errors, room)};
  panel.x.durations = true;
  panel.lines = {std::move(tried), std::move(present), unstated_line(placed, panel.y), measured_line(placed)};
  return panel;
}

plots::Figure accuracy_speed_figure(const AccuracySpeedPlot& plot) {
  auto note = names_of(placed_codes(plot));
  if (!note.empty())
    note = fmt::format("Of others: their time on that card, carried over to this dataset. {}.", note);
  return {.title = "Error against time, one dot a configuration",
          .subtitle = plot.subtitle,
          .note = note,
          .panels = {accuracy_speed_panel(plot)},
          .width = 900.0,
          .height = 560.0};
}

}  // namespace orrery::lab
