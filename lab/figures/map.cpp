#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lab/figures/figure_kind.h"
#include "lab/figures/saved.h"
#include "lab/figures/stepping.h"
#include "sim/activity/activity_map.h"
#include "sim/activity/map_options.h"
#include "sim/core/error.h"
#include "sim/simulation/engine_registry.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

constexpr std::size_t most_cells = 2048;  ///< along a side: more than a printed figure resolves

/// Empty cells are white, but for the black of the red map.
plots::HeatMap heat_of(const json& document, const FigureRequest& request) {
  const auto size = document.at("size").get<std::size_t>();
  plots::HeatMap map{.columns = size, .rows = size, .values = numbers_in(document, "cells")};
  if (map.values.size() != size * size)
    throw sim::Error(fmt::format("the map has {} cells and not {} x {}", map.values.size(), size, size));
  const auto label =
      text_in(document, "values") == "count" ? "bodies in a cell" : "count / bodies × D, at most 1";
  const bool red = request.quantity == "red", logarithmic = request.scale == "log";
  if (!red || logarithmic)
    std::ranges::replace_if(
        map.values, [](double value) { return value <= 0.0; }, std::nan(""));
  map.ramp = logarithmic ? plots::fitted(label, plots::Scale::logarithmic, map.values, 0.0)
                         : plots::from_zero(label, plots::Scale::linear, map.values, 0.0);
  map.color = red ? plots::reds : plots::sequential;
  return map;
}

/// Throws sim::Error for ends that no axis can have.
plots::Axis edge(std::string name, const json& box, const char* low, const char* high) {
  const double from = number_in(box, low), to = number_in(box, high);
  if (!std::isfinite(from) || !std::isfinite(to) || from >= to)
    throw sim::Error(fmt::format("the box of the map goes from {} to {} along {}", from, to, name));
  return {.label = std::move(name), .low = from, .high = to, .grid = false};
}

plots::Figure draw_map(const Documents& documents, const FigureRequest& request) {
  const auto& document = documents.front();
  const auto plane = text_in(document, "plane");
  if (plane.size() != 2) throw sim::Error(fmt::format("'{}' is no plane of a map", plane));
  const auto& box = document.at("box");
  auto heat = heat_of(document, request);
  const auto size = heat.columns;
  return {.title = "Activity map: " + text_in(document, "dataset"),
          .subtitle = joined({fmt::format("{} x {} cells", size, size),
                              bodies_text(number_in(document, "bodies"), 1.0),
                              fmt::format("step {:.0f}", number_in(document, "step")), device_in(document)}),
          .panels = {{.x = edge(plane.substr(0, 1), box, "left", "right"),
                      .y = edge(plane.substr(1), box, "bottom", "top"),
                      .heat = std::move(heat),
                      .equal = true}},
          .width = 640.0,
          .height = 580.0};
}

bool reads_map(const json& document) { return made_by(document, "map"); }

/// The cells of the present state, row by row from the bottom.
std::vector<float> cells_of(sim::Engine& engine, std::size_t bodies) {
  const auto size = engine.map().size;
  std::vector<float> position(4 * bodies), velocity(4 * bodies), published(sim::map_header + size * size);
  engine.write_vertices({.position = position.data(),
                         .velocity = velocity.data(),
                         .bodies = bodies,
                         .map = published.data(),
                         .map_size = size});
  published.erase(published.begin(), published.begin() + sim::map_header);
  return published;
}

json map_json(const BenchSetup& setup, int steps) {
  const auto engine = sim::make_engine(setup.table, setup.configuration);
  engine->load(setup.scene.bodies, setup.scene.time);
  for (int step = 0; step < steps; ++step) advance_one(*engine);
  auto document = document_head(setup, "map");
  const auto spec = engine->map();
  document["step"] = engine->status().steps;
  document["size"] = spec.size;
  document["plane"] = sim::map_plane_names.at(static_cast<std::size_t>(spec.plane));
  document["values"] = sim::map_value_names.at(static_cast<std::size_t>(spec.values));
  document["box"] = {
      {"left", spec.box.left}, {"right", spec.box.right}, {"bottom", spec.box.bottom}, {"top", spec.box.top}};
  document["cells"] = cells_of(*engine, setup.scene.bodies.size());
  return document;
}

Documents measure_map(const sim::OptionTable& table, const FigureRequest& request) {
  auto with_size = request;
  with_size.assignments.insert(with_size.assignments.begin(), "map-size=100");
  const auto setup = setup_of(table, with_size, "square");
  setup.table.check(setup.configuration, setup.context);
  const auto size = static_cast<std::size_t>(setup.configuration.integer("map-size"));
  if (size == 0 || size > most_cells)
    throw sim::UsageError(
        fmt::format("plot map draws 1 to {} cells along a side; orrery map writes larger ones", most_cells));
  return {map_json(setup, request.steps.value_or(0))};
}

constexpr std::array<std::string_view, 2> map_quantities{"dark", "red"};

}  // namespace

extern const FigureKind map_figure;
constinit const FigureKind map_figure{
    .name = "map",
    .meaning = "bodies in the cells of a grid, with axes; dark on white, or red as COM4521 has it",
    .subject = "",
    .reads = "orrery plot map --json",
    .quantities = map_quantities,
    .reads_document = reads_map,
    .measure = measure_map,
    .draw = draw_map,
};

}  // namespace orrery::lab
