#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lab/figures/figure_kind.h"
#include "lab/figures/roofline_figure.h"
#include "lab/figures/saved.h"
#include "sim/core/error.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

const plots::Color issue_color = plots::distinct(1);
const plots::Color special_color = plots::distinct(2);

/// The rate that the nearer limit of a kernel allows.
double allowed(const Roofline& roofline, const RooflinePoint& point) {
  const double issue = roofline.instruction_rate / point.slots;
  if (point.special <= 0.0 || roofline.special_rate <= 0.0) return issue;
  return std::min(issue, roofline.special_rate / point.special);
}

plots::Line limit_line(std::string name, plots::Color color, std::vector<plots::Point> points) {
  return {.name = std::move(name), .points = std::move(points), .color = color, .width = 2.2};
}

/// Axes that hold every point and the ends of the limits.
plots::Panel axes_of(const Roofline& roofline) {
  constexpr double margin = 0.12;
  std::vector<double> slots{roofline.reference_slots};
  std::vector<double> rates{roofline.instruction_rate / roofline.reference_slots};
  if (roofline.special_rate > 0.0) rates.push_back(roofline.special_rate);
  for (const auto& point : roofline.points) {
    slots.push_back(point.slots);
    rates.insert(rates.end(), {point.gips, roofline.instruction_rate / point.slots});
  }
  return {.x = plots::fitted("instructions issued for an interaction (counted in the machine code)",
                             plots::Scale::logarithmic, slots, margin),
          .y = plots::fitted("GInteractions/s", plots::Scale::logarithmic, rates, margin)};
}

void add_limits(plots::Panel& panel, const Roofline& roofline) {
  const double rate = roofline.instruction_rate, low = panel.x.low, high = panel.x.high;
  panel.lines.push_back(limit_line(fmt::format("issue limit: {:.0f} G instructions/s", rate), issue_color,
                                   {{low, rate / low}, {high, rate / high}}));
  if (roofline.special_rate > 0.0)
    panel.lines.push_back(
        limit_line(fmt::format("special functions: {:.0f} G/s (dash: unless 1 each)", roofline.special_rate),
                   special_color, {{low, roofline.special_rate}, {high, roofline.special_rate}}));
  const double slots = roofline.reference_slots;
  panel.lines.push_back({.name = fmt::format("FP32 limit of {:g} slots: {:.0f}", slots, rate / slots),
                         .points = {{slots, rate / slots}},
                         .color = plots::distinct(3),
                         .marker = plots::Marker::diamond,
                         .marker_size = 5.0,
                         .joined = false});
}

/// Where its own number of special functions sets the limit of a kernel.
void add_own_limit(plots::Panel& panel, const Roofline& roofline, const RooflinePoint& point) {
  if (point.special <= 0.0 || point.special == 1.0 || roofline.special_rate <= 0.0) return;
  const double limit = roofline.special_rate / point.special;
  const double reach = std::pow(panel.x.high / panel.x.low, 0.012);
  panel.lines.push_back(
      limit_line("", special_color, {{point.slots / reach, limit}, {point.slots * reach, limit}}));
}

plots::Line points_of(const Roofline& roofline) {
  plots::Line points{.name = "kernels (in brackets: of the nearer limit)",
                     .color = plots::distinct(0),
                     .marker = plots::Marker::circle,
                     .marker_size = 3.6,
                     .joined = false};
  for (const auto& each : roofline.points) {
    points.points.push_back({each.slots, each.gips});
    points.labels.push_back(
        fmt::format("{} ({:.0f} %)", each.label, 100.0 * each.gips / allowed(roofline, each)));
  }
  return points;
}

RooflinePoint point_in(const json& row, std::string label) {
  const auto& kernel = row.at("kernel");
  const double special = number_in(kernel, "special_per_interaction");
  return {.label = std::move(label),
          .slots = number_in(kernel, "slots_per_interaction"),
          .gips = number_in(row, "gips_kernel") / std::max(number_in(kernel, "devices"), 1.0),
          .special = std::isfinite(special) ? special : 0.0};
}

void add_row(Roofline& roofline, const json& row, const std::string& label) {
  const auto kernel = row.find("kernel");
  if (kernel == row.end() || !kernel->is_object()) return;
  auto point = point_in(row, label);
  const double devices = std::max(number_in(*kernel, "devices"), 1.0);
  const double issue = positive_in(*kernel, "issue_limit_gips") / devices * point.slots;
  if (!(issue > 0.0) || !(point.gips > 0.0)) return;
  roofline.instruction_rate = std::max(roofline.instruction_rate, issue);
  const double special = positive_in(*kernel, "special_limit_gips") / devices * point.special;
  if (special > 0.0) roofline.special_rate = std::max(roofline.special_rate, special);
  roofline.points.push_back(std::move(point));
}

/// The name with the number of bodies, where there are several.
std::string label_of(const std::string& name, const json& row, bool several) {
  const double bodies = bodies_of_galaxy(row);
  return several && std::isfinite(bodies) ? fmt::format("{} {:.0f}", name, bodies) : name;
}

void add_rungs(Roofline& roofline, const json& document, const FigureRequest& request) {
  const auto ladders = results_of(document, request);
  roofline.title = joined({roofline.title, "ladder " + text_in(*ladders.front(), "name")});
  for (const auto* ladder : ladders)
    for (const auto* rung : chosen_rungs(*ladder, request.rungs))
      add_row(roofline, *rung, label_of(text_in(*rung, "name"), *rung, ladders.size() > 1));
}

void add_rows(Roofline& roofline, const json& rows) {
  const bool several = std::ranges::any_of(
      rows, [&](const json& row) { return number_in(row, "bodies") != number_in(rows.front(), "bodies"); });
  for (const auto& row : rows) add_row(roofline, row, label_of(text_in(row, "label"), row, several));
}

plots::Figure draw_roofline(const Documents& documents, const FigureRequest& request) {
  return roofline_figure(roofline_in(documents.front(), request));
}

}  // namespace

Roofline roofline_in(const json& document, const FigureRequest& request) {
  Roofline roofline{.title = device_in(document), .points = {}};
  if (document.contains("ladders"))
    add_rungs(roofline, document, request);
  else
    add_rows(roofline, document.at("rows"));
  if (roofline.points.empty())
    throw sim::Error(
        "there is nothing to draw: no kernel of a GPU was saved whose instructions could be counted");
  return roofline;
}

plots::Figure roofline_figure(const Roofline& roofline) {
  auto panel = axes_of(roofline);
  add_limits(panel, roofline);
  for (const auto& point : roofline.points) add_own_limit(panel, roofline, point);
  panel.lines.push_back(points_of(roofline));
  return {.title = "Rates beneath the limits of the device",
          .subtitle = roofline.title,
          .panels = {std::move(panel)},
          .height = 520.0};
}

extern constinit const FigureKind roofline_kind_figure{
    .name = "roofline",
    .meaning = "rates of GPU kernels beneath the limits that follow from their machine code",
    .reads = "orrery bench or orrery ladder on a GPU",
    .reads_document =
        [](const json& document) { return document.contains("rows") || document.contains("ladders"); },
    .draw = draw_roofline,
};

}  // namespace orrery::lab
