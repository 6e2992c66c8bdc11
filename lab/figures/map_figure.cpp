#include "lab/figures/map_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lab/figures/saved.h"
#include "lab/runs/run_measurement.h"
#include "sim/core/error.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

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

constexpr std::array<std::string_view, 2> map_quantities{"dark", "red"};

}  // namespace

constinit const FigureKind map_figure{
    .name = "map",
    .meaning = "bodies in the cells of a grid, with axes; dark on white, or red as COM4521 has it",
    .reads = "orrery map",
    .quantities = map_quantities,
    .reads_document = [](const json& document) { return made_by(document, "map"); },
    .draw = draw_map,
};

nlohmann::json map_document(const BenchSetup& setup, const sim::MapSpec& spec, std::uint64_t steps,
                            const std::vector<float>& cells) {
  auto document = document_head(setup, "map");
  document["step"] = steps;
  document["size"] = spec.size;
  document["plane"] = sim::map_plane_names.at(static_cast<std::size_t>(spec.plane));
  document["values"] = sim::map_value_names.at(static_cast<std::size_t>(spec.values));
  document["box"] = {
      {"left", spec.box.left}, {"right", spec.box.right}, {"bottom", spec.box.bottom}, {"top", spec.box.top}};
  document["cells"] = cells;
  return document;
}

}  // namespace orrery::lab
