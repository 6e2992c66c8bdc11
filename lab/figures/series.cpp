#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lab/figures/figure_kind.h"
#include "lab/figures/saved.h"
#include "sim/core/error.h"

// Figures of what `orrery diagnose --measure` writes as series of numbers, a curve each.
namespace orrery::lab {

namespace {

using nlohmann::json;

/// The names of a quantity in JSON and on its axis.
struct Drift {
  std::string_view quantity, key, label;
  bool size = true;  ///< the sign does not count
};

constexpr std::array<Drift, 4> drifts{
    {{"energy", "energy_drift", "|E − E0| / |E0|", true},
     {"signed", "energy_drift", "(E − E0) / |E0|", false},
     {"momentum", "momentum_drift", "|P − P0| / √(2 K0 M)", true},
     {"angular-momentum", "angular_momentum_drift", "|L − L0| / (r90 √(2 K0 M))", true}}};

const Drift& drift_of(const std::string& quantity) {
  return *std::ranges::find_if(drifts, [&](const Drift& drift) { return drift.quantity == quantity; });
}

plots::Line energy_line(const json& series, const Drift& drift, std::size_t k) {
  auto line = curve(text_in(series, "name"), k);
  line.points = points_in(series, "time", drift.key);
  for (auto& point : line.points)
    if (drift.size) point.y = std::abs(point.y);
  return line;
}

plots::Figure draw_energy(const Documents& documents, const FigureRequest& request) {
  const auto& document = documents.front();
  const auto& drift = drift_of(request.quantity);
  plots::Panel panel;
  for (const auto& series : document.at("series"))
    panel.lines.push_back(energy_line(series, drift, panel.lines.size()));
  const auto times = all_of(panel.lines, &plots::Point::x);
  if (times.empty()) throw sim::Error("there is nothing to draw: no state was measured");
  panel.x = plots::fitted("simulated time", plots::Scale::linear, times, 0.0);
  const bool logarithmic = drift.size && request.scale != "linear";
  panel.y =
      plots::fitted(std::string(drift.label), logarithmic ? plots::Scale::logarithmic : plots::Scale::linear,
                    all_of(panel.lines, &plots::Point::y));
  const bool momentum = request.quantity.ends_with("momentum");
  return {.title = momentum ? "How far the momentum drifts" : "How far the energy drifts",
          .subtitle = joined({dataset_in(document), text_in(document, "options"), device_in(document)}),
          .panels = {std::move(panel)},
          .width = 720.0,
          .height = 440.0};
}

constexpr std::array<std::string_view, 4> energy_quantities{"energy", "signed", "momentum",
                                                            "angular-momentum"};

std::string name_of(const json& series, const json& document) {
  const auto name = text_in(series, "name");
  return name.empty() ? text_in(document, "kernel") : name;
}

/// Which share of the bodies has at most that error.
plots::Panel distribution_panel(const json& document) {
  plots::Panel panel;
  for (const auto& series : document.at("series")) {
    auto errors = numbers_in(series, "errors");
    std::ranges::sort(errors);
    auto line = curve(name_of(series, document), panel.lines.size());
    for (std::size_t k = 0; k < errors.size(); ++k)
      line.points.push_back(
          {errors[k], 100.0 * static_cast<double>(k + 1) / static_cast<double>(errors.size())});
    panel.lines.push_back(std::move(line));
  }
  panel.x = plots::fitted("relative error of the force", plots::Scale::logarithmic,
                          all_of(panel.lines, &plots::Point::x));
  panel.y = {.label = "bodies with at most this error, %", .low = 0.0, .high = 100.0};
  return panel;
}

/// Values over time; of force errors also the 99th percentile, dashed.
plots::Panel time_panel(const json& document, const std::string& quantity, const FigureRequest& request) {
  plots::Panel panel;
  std::size_t k = 0;
  for (const auto& series : document.at("series")) {
    const auto add = [&](const char* key, const std::string& what, plots::Dash dash) {
      panel.lines.push_back({.name = name_of(series, document) + what,
                             .points = points_in(series, "time", key),
                             .color = plots::distinct(k),
                             .dash = dash});
    };
    if (quantity == "distance") {
      add("distance2", "", plots::Dash::solid);
    } else {
      add("median", ", median", plots::Dash::solid);
      add("p99", ", 99 % are below", plots::Dash::dashed);
    }
    ++k;
  }
  const auto scale = request.scale == "linear" ? plots::Scale::linear : plots::Scale::logarithmic;
  panel.x = plots::fitted("simulated time", plots::Scale::linear, all_of(panel.lines, &plots::Point::x), 0.0);
  panel.y =
      plots::fitted(quantity == "distance" ? "Σ |r − r(CPU)|^{2}, length^{2}" : "relative error of the force",
                    scale, all_of(panel.lines, &plots::Point::y));
  return panel;
}

std::string title_of(const std::string& quantity) {
  if (quantity == "distance") return "How far the bodies come from those of the CPU";
  return quantity == "time" ? "Errors of the forces over time" : "Errors of the forces";
}

plots::Figure draw_error(const Documents& documents, const FigureRequest& request) {
  const auto& document = documents.front();
  const auto quantity = text_in(document, "quantity");
  if (document.at("series").empty()) throw sim::Error("there is nothing to draw: no error was measured");
  return {.title = title_of(quantity),
          .subtitle = joined({dataset_in(document), device_in(document)}),
          .note = quantity == "distance" ? "summed over all bodies; CPU: kernel omp-bodies"
                                         : "against sums in double precision",
          .panels = {quantity == "distribution" ? distribution_panel(document)
                                                : time_panel(document, quantity, request)},
          .width = 720.0,
          .height = 440.0};
}

/// The time of as many steps if all were like the mean one: the straight line.
plots::Line proportional(const plots::Line& line) {
  return {.name = "",
          .points = {{0.0, 0.0}, line.points.back()},
          .color = plots::gray(0.6),
          .width = 1.0,
          .dash = plots::Dash::dashed};
}

plots::Figure draw_steps(const Documents& documents, const FigureRequest& request) {
  const auto& document = documents.front();
  plots::Panel panel;
  for (const auto& series : document.at("series")) {
    plots::Line line{.name = text_in(series, "name"),
                     .points = points_in(series, "steps", "seconds"),
                     .color = plots::distinct(panel.lines.size() / 2),
                     .marker = plots::Marker::circle};
    if (line.points.empty()) throw sim::Error("there is nothing to draw: no step was measured");
    panel.lines.push_back(proportional(line));
    panel.lines.push_back(std::move(line));
  }
  const auto scale = request.scale == "log" ? plots::Scale::logarithmic : plots::Scale::linear;
  panel.x = plots::from_zero("steps", scale, all_of(panel.lines, &plots::Point::x), 0.03);
  panel.y = plots::from_zero("time of all steps, s", scale, all_of(panel.lines, &plots::Point::y));
  return {.title = "Time over the number of steps",
          .subtitle = joined({dataset_in(document), device_in(document)}),
          .note = "dashed: proportional to the number of steps",
          .panels = {std::move(panel)},
          .width = 640.0,
          .height = 420.0};
}

}  // namespace

extern constinit const FigureKind energy_figure{
    .name = "energy",
    .meaning = "how far energy or momentum drifts over time, of several integrators or kernels",
    .reads = "orrery diagnose --measure energy",
    .quantities = energy_quantities,
    .reads_document = [](const json& document) { return made_by(document, "energy"); },
    .draw = draw_energy,
};

extern constinit const FigureKind error_figure{
    .name = "error",
    .meaning =
        "errors of the forces: how they are distributed, over time, or the distance to the CPU's bodies",
    .reads = "orrery diagnose --measure error, error-time or distance",
    .reads_document = [](const json& document) { return made_by(document, "error"); },
    .draw = draw_error,
};

extern constinit const FigureKind steps_figure{
    .name = "steps",
    .meaning = "the time of a run over the number of its steps",
    .reads = "orrery diagnose --measure steps",
    .reads_document = [](const json& document) { return made_by(document, "steps"); },
    .draw = draw_steps,
};

}  // namespace orrery::lab
