#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "lab/figures/figure_kind.h"
#include "lab/figures/saved.h"
#include "sim/core/error.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

/// The measurement of one kernel, or one rung, with one number of bodies.
struct Measured {
  double bodies = 0.0, time_ms = 0.0, gips = 0.0, megabytes = 0.0;
};

/// One curve: in the order in which the names occur first.
struct Curve {
  std::string name;
  std::vector<Measured> points;
};

Curve& curve_of(std::vector<Curve>& curves, const std::string& name) {
  const auto found = std::ranges::find(curves, name, &Curve::name);
  return found != curves.end() ? *found : curves.emplace_back(Curve{.name = name, .points = {}});
}

double megabytes_of(const json& row) {
  const auto kernel = row.find("kernel");
  return kernel == row.end() || !kernel->is_object() ? std::nan("")
                                                     : positive_in(*kernel, "device_bytes") * 1e-6;
}

void add_rows(std::vector<Curve>& curves, const json& document) {
  for (const auto& row : document.at("rows"))
    curve_of(curves, text_in(row, "label"))
        .points.push_back({bodies_of_galaxy(row), number_in(row, "kernel_ms"), number_in(row, "gips_kernel"),
                           megabytes_of(row)});
}

void add_ladders(std::vector<Curve>& curves, const json& document, const FigureRequest& request) {
  for (const auto* ladder : results_of(document, request)) {
    for (const auto* rung : chosen_rungs(*ladder, request.rungs)) {
      if (!rung->at("measured").get<bool>()) continue;
      curve_of(curves, text_in(*rung, "name"))
          .points.push_back({bodies_of_galaxy(*rung), number_in(*rung, "step_ms"),
                             number_in(*rung, "gips_frame"), megabytes_of(*rung)});
    }
  }
}

std::vector<Curve> curves_of(const Documents& documents, const FigureRequest& request) {
  std::vector<Curve> curves;
  for (const auto& document : documents)
    if (document.contains("ladders"))
      add_ladders(curves, document, request);
    else
      add_rows(curves, document);
  for (auto& curve : curves) std::ranges::sort(curve.points, {}, &Measured::bodies);
  if (curves.empty()) throw sim::Error("there is nothing to draw: nothing was measured");
  return curves;
}

plots::Line styled(std::size_t k, std::string name) {
  constexpr std::array markers{plots::Marker::circle, plots::Marker::square, plots::Marker::triangle,
                               plots::Marker::diamond};
  auto line = curve(std::move(name), k);
  line.marker = markers.at(k % markers.size());
  return line;
}

/// The quantity of a measurement that a panel shows.
using Quantity = std::function<double(const Measured&)>;

std::vector<double> all_of(const std::vector<Curve>& curves, const Quantity& quantity) {
  std::vector<double> all;
  for (const auto& curve : curves)
    for (const auto& point : curve.points) all.push_back(quantity(point));
  return all;
}

/// Each number of bodies once, rising: the ticks, where there are not too many.
std::vector<double> sizes_of(std::vector<double> bodies) {
  constexpr std::size_t most = 12;
  std::ranges::sort(bodies);
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies.size() > most ? std::vector<double>() : bodies;
}

plots::Panel panel_of(const std::vector<Curve>& curves, const Quantity& quantity, plots::Axis axis) {
  const auto bodies = all_of(curves, [](const Measured& point) { return point.bodies; });
  plots::Panel panel{.x = plots::fitted("bodies of a galaxy", plots::Scale::logarithmic, bodies),
                     .y = std::move(axis)};
  panel.x.at = sizes_of(bodies);
  for (std::size_t k = 0; k < curves.size(); ++k) {
    auto line = styled(k, curves[k].name);
    for (const auto& point : curves[k].points) line.points.push_back({point.bodies, quantity(point)});
    panel.lines.push_back(std::move(line));
  }
  return panel;
}

/// A guide line: time proportional to the number of pairs, through the fastest of the largest runs.
plots::Line quadratic_guide(const std::vector<Curve>& curves) {
  Measured last;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& curve : curves) {
    for (const auto& point : curve.points) {
      least = std::min(least, point.bodies);
      const bool larger = point.bodies > last.bodies;
      if (larger || (point.bodies == last.bodies && point.time_ms < last.time_ms)) last = point;
    }
  }
  const double part = least / last.bodies;
  return {.name = "∝ N^{2}",
          .points = {{least, last.time_ms * part * part}, {last.bodies, last.time_ms}},
          .color = plots::gray(0.55),
          .width = 1.0,
          .dash = plots::Dash::dotted};
}

plots::Panel time_panel(const std::vector<Curve>& curves, const FigureRequest& request, bool ladder) {
  const auto time = [](const Measured& point) { return point.time_ms; };
  const auto scale = request.scale == "linear" ? plots::Scale::linear : plots::Scale::logarithmic;
  const auto all = all_of(curves, time);
  const std::string label = ladder ? "ms per step" : "ms per force evaluation";
  auto axis =
      scale == plots::Scale::linear ? plots::from_zero(label, scale, all) : plots::fitted(label, scale, all);
  auto panel = panel_of(curves, time, std::move(axis));
  panel.lines.push_back(quadratic_guide(curves));
  return panel;
}

plots::Panel rate_panel(const std::vector<Curve>& curves, const FigureRequest& request, bool ladder) {
  const auto rate = [](const Measured& point) { return point.gips; };
  const auto all = all_of(curves, rate);
  return panel_of(
      curves, rate,
      plots::from_zero(ladder ? "GInteractions/s of whole steps" : "GInteractions/s of the kernel",
                       scale_for(request, all), all));
}

plots::Panel memory_panel(const std::vector<Curve>& curves, const FigureRequest& request) {
  const auto memory = [](const Measured& point) { return point.megabytes; };
  const auto all = all_of(curves, memory);
  if (std::ranges::none_of(all, [](double value) { return std::isfinite(value); }))
    throw sim::Error("no memory was saved: only kernels of a GPU say what they take");
  return panel_of(
      curves, memory,
      plots::fitted("device memory, MB",
                    request.scale == "linear" ? plots::Scale::linear : plots::Scale::logarithmic, all));
}

/// Rates over those of the first curve with as many bodies.
plots::Panel speedup_panel(const std::vector<Curve>& curves, const FigureRequest& request) {
  const auto& first = curves.front();
  const auto speedup = [&](const Measured& point) {
    const auto same = std::ranges::find(first.points, point.bodies, &Measured::bodies);
    return same == first.points.end() ? std::nan("") : point.gips / same->gips;
  };
  const auto all = all_of(curves, speedup);
  return panel_of(curves, speedup,
                  plots::from_zero("speed-up over " + first.name, scale_for(request, all), all));
}

std::vector<plots::Panel> panels_of(const std::vector<Curve>& curves, const FigureRequest& request,
                                    bool ladder) {
  const auto& quantity = request.quantity;
  if (quantity == "speedup") return {speedup_panel(curves, request)};
  if (quantity == "memory") return {memory_panel(curves, request)};
  if (quantity == "time") return {time_panel(curves, request, ladder)};
  if (quantity == "rate") return {rate_panel(curves, request, ladder)};
  return {time_panel(curves, request, ladder), rate_panel(curves, request, ladder)};
}

plots::Figure draw_scaling(const Documents& documents, const FigureRequest& request) {
  const auto curves = curves_of(documents, request);
  const bool ladder = documents.front().contains("ladders");
  auto panels = panels_of(curves, request, ladder);
  const bool two = panels.size() > 1;
  return {.title = ladder ? "Rungs over the number of bodies" : "Kernels over the number of bodies",
          .subtitle = device_in(documents.front()),
          .panels = std::move(panels),
          .width = two ? 960.0 : 720.0,
          .height = 460.0};
}

constexpr std::array<std::string_view, 5> scaling_quantities{"both", "time", "rate", "speedup", "memory"};

}  // namespace

extern constinit const FigureKind scaling_figure{
    .name = "scaling",
    .meaning = "time and rate over the number of bodies, of several kernels or rungs",
    .reads = "orrery bench or orrery ladder, with several --bodies",
    .quantities = scaling_quantities,
    .reads_document =
        [](const json& document) { return document.contains("rows") || document.contains("ladders"); },
    .draw = draw_scaling,
    .several = true,
};

}  // namespace orrery::lab
