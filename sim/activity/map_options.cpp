#include "sim/activity/map_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/options/engine_option.h"

namespace orrery::sim {

namespace {

constexpr double gib = 1024.0 * 1024.0 * 1024.0;

Description map_option(std::string name, std::string label, std::string meaning) {
  return described(std::move(name), "map", std::move(label), std::move(meaning)).in_scope(OptionScope::speed);
}

template <typename Names>
std::vector<std::string> texts(const Names& names) {
  return {names.begin(), names.end()};
}

std::string no_map(const Configuration& c) {
  return wants_map(c) ? std::string() : "there is no map: set map-size";
}

std::string too_large(const OptionValue& value, const Configuration& rest, const OptionContext& context) {
  const auto size = static_cast<std::size_t>(std::get<std::int64_t>(value));
  const bool on_gpu = is_on_gpu(rest);
  const auto memory = static_cast<double>(on_gpu ? context.device_memory : context.host_memory);
  const double most = on_gpu ? 0.9 * memory : 0.5 * memory;
  if (memory == 0.0 || map_bytes(size) <= most) return {};
  return fmt::format("a map of {0} x {0} cells needs {1:.2f} GiB and {2} {3:.2f} GiB; use at most {4}", size,
                     map_bytes(size) / gib, on_gpu ? "the GPU has" : "half of this machine's memory is",
                     on_gpu ? memory / gib : most / gib,
                     static_cast<std::size_t>(std::sqrt(most / map_bytes(1))));
}

/// The upper edge of each axis must lie above the other one.
std::string no_extent(const OptionValue& value, const Configuration& rest, const OptionContext&) {
  const auto box = form_value(std::get<std::string>(value));
  if (!wants_map(rest) || !box.word.empty()) return {};
  const auto edge = [&](std::size_t k) { return static_cast<float>(box.number(k)); };
  if (edge(0) < edge(1) && edge(2) < edge(3)) return {};
  return "the box would have no extent: LEFT must lie below RIGHT, and BOTTOM below TOP";
}

std::vector<OptionForm> boxes() {
  return {{.word = "fit", .numbers = {}, .meaning = "a square around most bodies, without outliers"},
          {.word = "all", .numbers = {}, .meaning = "a square around all bodies"},
          {.word = "unit-square", .numbers = {}, .meaning = "0 to 1 along both axes (COM4521)"},
          {.word = "centered-square",
           .numbers = {},
           .meaning = "-0.5 to 0.5 along both axes: that of the built-in square"},
          {.word = "",
           .numbers = {edge("LEFT", 0.0), edge("RIGHT", 1.0), edge("BOTTOM", 0.0), edge("TOP", 1.0)},
           .meaning = ""}};
}

template <typename Kind, typename Names>
Kind kind_named(const Names& names, const std::string& name) {
  return static_cast<Kind>(std::ranges::find(names, name) - names.begin());
}

MapBox box_of(const FormValue& box, std::span<const Vec3> position, MapPlane plane) {
  const auto edge = [&](std::size_t k) { return static_cast<float>(box.number(k)); };
  if (box.word == "unit-square") return {};
  if (box.word == "centered-square") return {-0.5F, 0.5F, -0.5F, 0.5F};
  if (box.word.empty()) return {edge(0), edge(1), edge(2), edge(3)};
  return fitted_map_box(position, plane, box.word == "all" ? MapFit::all : MapFit::most);
}

/// True if both look at the same part of the same plane.
bool same_place(const Configuration& a, const Configuration& b) {
  const auto same = [&](const char* name) { return a.value(name) == b.value(name); };
  return wants_map(a) == wants_map(b) && same("map-plane") && same("map-box");
}

}  // namespace

void ChosenMap::configure(const Configuration& configuration, std::span<const Vec3> position) {
  const bool stays = configuration_ && same_place(configuration, *configuration_);
  const auto box = spec_.box;
  configuration_ = configuration;
  spec_ = map_spec(configuration, stays ? std::span<const Vec3>() : position);
  if (stays) spec_.box = box;
}

void ChosenMap::load(std::span<const Vec3> position) {
  if (configuration_) spec_ = map_spec(*configuration_, position);
}

bool wants_map(const Configuration& configuration) {
  return configuration.contains("map-size") && map_options(configuration).size > 0;
}

double map_bytes(std::size_t size) {
  constexpr double maps = 5.0;
  return maps * 4.0 * static_cast<double>(size) * static_cast<double>(size);
}

MapSpec map_spec(const Configuration& configuration, std::span<const Vec3> position) {
  const auto options = map_options(configuration);
  MapSpec spec{.size = options.size};
  if (spec.size == 0) return spec;
  spec.plane = kind_named<MapPlane>(map_plane_names, options.plane);
  spec.values = kind_named<MapValues>(map_value_names, options.values);
  spec.box = box_of(options.box, position, spec.plane);
  return spec;
}

std::string map_box_text(const MapBox& box) {
  return form_text(
      {.word = "", .numbers = {double{box.left}, double{box.right}, double{box.bottom}, double{box.top}}});
}

OptionRows<MapOptions> MapOptions::rows() {
  return {
      {&MapOptions::size,
       map_option("map-size", "Cells along a side",
                  "D: the activity map counts the bodies in each of D x D cells. 0: no map.")
           .within(0.0, static_cast<double>(largest_map))
           .refused(too_large)
           .tried({std::int64_t{10}, std::int64_t{100}, std::int64_t{1000}, std::int64_t{4000}})},
      {&MapOptions::plane,
       map_option("map-plane", "Plane", "The plane that the map looks at. Bodies are projected onto it.")
           .chosen(texts(map_plane_names), {"columns along x, rows along y", "columns along x, rows along z",
                                            "columns along y, rows along z"})
           .unless(no_map)},
      {&MapOptions::box,
       map_option("map-box", "Part of the plane",
                  "The part of the plane that the map shows. Bodies outside are not counted. It is found "
                  "from the bodies that are loaded and stays where it is.")
           .formed(boxes())
           .unless(no_map)
           .refused(no_extent)},
      {&MapOptions::values,
       map_option("map-values", "Value of a cell", "What a cell says.")
           .chosen(texts(map_value_names), {"its bodies", "its bodies / all bodies x D, at most 1 (COM4521)"})
           .unless(no_map)}};
}

}  // namespace orrery::sim
