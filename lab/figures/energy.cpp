#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lab/figures/figure_kind.h"
#include "lab/figures/saved.h"
#include "sim/core/error.h"

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
  plots::Line line{.name = text_in(series, "name"),
                   .points = {},
                   .color = plots::distinct(k),
                   .dash = k < plots::distinct_colors ? plots::Dash::solid : plots::Dash::dashed};
  const auto time = numbers_in(series, "time"), values = numbers_in(series, drift.key);
  for (std::size_t i = 0; i < std::min(time.size(), values.size()); ++i)
    line.points.push_back({time[i], drift.size ? std::abs(values[i]) : values[i]});
  return line;
}

plots::Axis value_axis(const std::vector<plots::Line>& lines, const Drift& drift,
                       const FigureRequest& request) {
  std::vector<double> all;
  for (const auto& line : lines)
    for (const auto& point : line.points) all.push_back(point.y);
  const bool logarithmic = drift.size && request.scale != "linear";
  return plots::fitted(std::string(drift.label),
                       logarithmic ? plots::Scale::logarithmic : plots::Scale::linear, all);
}

plots::Figure draw_energy(const Documents& documents, const FigureRequest& request) {
  const auto& document = documents.front();
  const auto& drift = drift_of(request.quantity);
  plots::Panel panel;
  std::vector<double> times;
  for (const auto& series : document.at("series")) {
    panel.lines.push_back(energy_line(series, drift, panel.lines.size()));
    for (const auto& point : panel.lines.back().points) times.push_back(point.x);
  }
  if (times.empty()) throw sim::Error("there is nothing to draw: no state was measured");
  panel.x = plots::fitted("simulated time", plots::Scale::linear, times, 0.0);
  panel.y = value_axis(panel.lines, drift, request);
  const bool momentum = request.quantity.ends_with("momentum");
  return {.title = momentum ? "How far the momentum drifts" : "How far the energy drifts",
          .subtitle = joined({dataset_in(document), text_in(document, "options"), device_in(document)}),
          .panels = {std::move(panel)},
          .width = 720.0,
          .height = 440.0};
}

bool reads_energy(const json& document) { return made_by(document, "energy"); }

constexpr std::array<std::string_view, 4> energy_quantities{"energy", "signed", "momentum",
                                                            "angular-momentum"};

}  // namespace

extern const FigureKind energy_figure;
constinit const FigureKind energy_figure{
    .name = "energy",
    .meaning = "how far energy or momentum drifts over time, of several integrators or kernels",
    .reads = "orrery diagnose --measure energy",
    .quantities = energy_quantities,
    .reads_document = reads_energy,
    .draw = draw_energy,
};

}  // namespace orrery::lab
