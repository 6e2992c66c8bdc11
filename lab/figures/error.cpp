#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lab/figures/figure_kind.h"
#include "lab/figures/saved.h"
#include "sim/core/error.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

plots::Line error_line(std::string name, std::size_t k) {
  return {.name = std::move(name),
          .points = {},
          .color = plots::distinct(k),
          .dash = k < plots::distinct_colors ? plots::Dash::solid : plots::Dash::dashed};
}

std::string name_of(const json& series, const json& document) {
  const auto name = text_in(series, "name");
  return name.empty() ? text_in(document, "kernel") : name;
}

/// Which share of the bodies has at most that error.
plots::Panel distribution_panel(const json& document) {
  plots::Panel panel;
  std::vector<double> all;
  for (const auto& series : document.at("series")) {
    auto errors = numbers_in(series, "errors");
    std::ranges::sort(errors);
    auto line = error_line(name_of(series, document), panel.lines.size());
    for (std::size_t k = 0; k < errors.size(); ++k)
      line.points.push_back(
          {errors[k], 100.0 * static_cast<double>(k + 1) / static_cast<double>(errors.size())});
    all.insert(all.end(), errors.begin(), errors.end());
    panel.lines.push_back(std::move(line));
  }
  panel.x = plots::fitted("relative error of the force", plots::Scale::logarithmic, all);
  panel.y = {.label = "bodies with at most this error, %", .low = 0.0, .high = 100.0};
  return panel;
}

/// Values over time; of force errors also the 99th percentile, dashed.
plots::Panel time_panel(const json& document, const std::string& quantity, const FigureRequest& request) {
  plots::Panel panel;
  std::vector<double> times, values;
  std::size_t k = 0;
  for (const auto& series : document.at("series")) {
    const auto time = numbers_in(series, "time");
    const auto add = [&](const char* key, const std::string& what, plots::Dash dash) {
      auto line = error_line(name_of(series, document) + what, k);
      line.dash = dash;
      const auto all = numbers_in(series, key);
      for (std::size_t i = 0; i < std::min(time.size(), all.size()); ++i)
        line.points.push_back({time[i], all[i]});
      values.insert(values.end(), all.begin(), all.end());
      panel.lines.push_back(std::move(line));
    };
    if (quantity == "distance") {
      add("distance2", "", plots::Dash::solid);
    } else {
      add("median", ", median", plots::Dash::solid);
      add("p99", ", 99 % are below", plots::Dash::dashed);
    }
    times.insert(times.end(), time.begin(), time.end());
    ++k;
  }
  const auto scale = request.scale == "linear" ? plots::Scale::linear : plots::Scale::logarithmic;
  panel.x = plots::fitted("simulated time", plots::Scale::linear, times, 0.0);
  panel.y =
      plots::fitted(quantity == "distance" ? "Σ |r − r(CPU)|^{2}, length^{2}" : "relative error of the force",
                    scale, values);
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

bool reads_error(const json& document) { return made_by(document, "error"); }

}  // namespace

extern const FigureKind error_figure;
constinit const FigureKind error_figure{
    .name = "error",
    .meaning =
        "errors of the forces: how they are distributed, over time, or the distance to the CPU's bodies",
    .reads = "orrery diagnose --measure error, error-time or distance",
    .quantities = {},
    .reads_document = reads_error,
    .draw = draw_error,
};

}  // namespace orrery::lab
