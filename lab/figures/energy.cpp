#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lab/figures/figure_kind.h"
#include "lab/figures/saved.h"
#include "lab/figures/stepping.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/cpu/cpu_options.h"
#include "sim/options/physics_options.h"
#include "sim/simulation/monitor.h"

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

plots::Line line_of(const json& series, const Drift& drift, std::size_t k) {
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
    panel.lines.push_back(line_of(series, drift, panel.lines.size()));
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

sim::Diagnostics diagnostics_of(sim::Engine& engine, const BenchSetup& setup,
                                const sim::Configuration& configuration) {
  auto bodies = setup.scene.bodies;
  engine.read_back(bodies);
  const auto galaxies = bodies.galaxies();
  return sim::diagnose(sim::view_of(bodies, galaxies), {.physics = sim::physics_of(configuration),
                                                        .threads = sim::available_processors(),
                                                        .interrupt = sim::interrupt_flag()});
}

json empty_series(const std::string& name) {
  return {{"name", name},
          {"time", json::array()},
          {"energy_drift", json::array()},
          {"momentum_drift", json::array()},
          {"angular_momentum_drift", json::array()}};
}

Documents measure_energy(const sim::OptionTable& table, const FigureRequest& request) {
  constexpr int looks = 200;
  const auto setup = setup_of(table, request);
  const auto variants = variants_of(setup, request.vary);
  const int steps = request.steps.value_or(500);
  auto document = document_head(setup, "energy");
  const auto physics = sim::physics_of(setup.configuration);
  document["options"] =
      fmt::format("time step {:.4g}", physics.time_step) +
      (request.vary.empty() ? fmt::format(", {}", physics.integrator->name) : std::string());
  auto series = json::array();
  for (const auto& variant : variants) series.push_back(empty_series(variant.name));
  std::vector<sim::Diagnostics> start(variants.size());
  run_variants(setup, variants, steps, std::max(steps / looks, 1), [&](std::size_t k, sim::Engine& engine) {
    const auto now = diagnostics_of(engine, setup, variants[k].configuration);
    if (series[k]["time"].empty()) start[k] = now;
    sim::Health health;
    sim::set_drifts(health, start[k], now);
    series[k]["time"].push_back(engine.status().time);
    series[k]["energy_drift"].push_back(health.energy_drift);
    series[k]["momentum_drift"].push_back(health.momentum_drift);
    series[k]["angular_momentum_drift"].push_back(health.angular_momentum_drift);
  });
  document["series"] = std::move(series);
  return {document};
}

constexpr std::array<std::string_view, 4> energy_quantities{"energy", "signed", "momentum",
                                                            "angular-momentum"};

}  // namespace

extern const FigureKind energy_figure;
constinit const FigureKind energy_figure{
    .name = "energy",
    .meaning = "how far energy or momentum drifts over time, of several integrators or kernels",
    .subject = "",
    .reads = "orrery plot energy --json",
    .quantities = energy_quantities,
    .reads_document = reads_energy,
    .measure = measure_energy,
    .draw = draw_energy,
};

}  // namespace orrery::lab
