#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lab/diagnostics/diagnostic_plot.h"
#include "lab/figures/figure_kind.h"
#include "lab/figures/saved.h"
#include "sim/core/error.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

plots::Figure draw_diagnostics(const Documents& documents, const FigureRequest& request) {
  const auto& document = documents.front();
  const auto log = log_of(document);
  const auto& plot = *find_diagnostic_plot(request.quantity);
  auto figure =
      figure_of(plot, log, joined({dataset_in(document), text_in(document, "options"), device_in(document)}));
  if (!has_points(figure.panels.front()))
    throw sim::Error(fmt::format("{} is not known of this dataset: there is nothing to draw", plot.name));
  auto& values = figure.panels.front().y;
  if (request.scale == "linear") values.scale = plots::Scale::linear;
  if (request.scale == "log" && values.low > 0.0) values.scale = plots::Scale::logarithmic;
  return figure;
}

std::vector<std::string_view> names() {
  std::vector<std::string_view> all;
  for (const auto& plot : diagnostic_plots()) all.push_back(plot.name);
  return all;
}

const std::vector<std::string_view> diagnostics_quantities = names();

}  // namespace

extern const FigureKind diagnostics_figure{
    .name = "diagnostics",
    .meaning = "a quantity of the galaxy over time or radius: Lagrange radii, rotation curve, Toomre's Q",
    .reads = "orrery diagnose --json",
    .quantities = diagnostics_quantities,
    .reads_document = [](const json& document) { return made_by(document, "diagnostics"); },
    .draw = draw_diagnostics,
};

}  // namespace orrery::lab
