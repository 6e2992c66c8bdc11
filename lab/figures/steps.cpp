#include <algorithm>
#include <nlohmann/json.hpp>

#include "lab/figures/figure_kind.h"
#include "lab/figures/saved.h"
#include "sim/core/error.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

plots::Line step_line(const json& series, std::size_t k) {
  plots::Line line{.name = text_in(series, "name"),
                   .points = {},
                   .color = plots::distinct(k),
                   .marker = plots::Marker::circle};
  const auto steps = numbers_in(series, "steps"), seconds = numbers_in(series, "seconds");
  for (std::size_t i = 0; i < std::min(steps.size(), seconds.size()); ++i)
    line.points.push_back({steps[i], seconds[i]});
  return line;
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
  std::vector<double> steps, seconds;
  for (const auto& series : document.at("series")) {
    auto line = step_line(series, panel.lines.size() / 2);
    if (line.points.empty()) throw sim::Error("there is nothing to draw: no step was measured");
    for (const auto& point : line.points) {
      steps.push_back(point.x);
      seconds.push_back(point.y);
    }
    panel.lines.push_back(proportional(line));
    panel.lines.push_back(std::move(line));
  }
  const auto scale = request.scale == "log" ? plots::Scale::logarithmic : plots::Scale::linear;
  panel.x = plots::from_zero("steps", scale, steps, 0.03);
  panel.y = plots::from_zero("time of all steps, s", scale, seconds);
  return {.title = "Time over the number of steps",
          .subtitle = joined({dataset_in(document), device_in(document)}),
          .note = "dashed: proportional to the number of steps",
          .panels = {std::move(panel)},
          .width = 640.0,
          .height = 420.0};
}

bool reads_steps(const json& document) { return made_by(document, "steps"); }

}  // namespace

extern const FigureKind steps_figure;
constinit const FigureKind steps_figure{
    .name = "steps",
    .meaning = "the time of a run over the number of its steps",
    .reads = "orrery diagnose --measure steps",
    .quantities = {},
    .reads_document = reads_steps,
    .draw = draw_steps,
};

}  // namespace orrery::lab
