#include "sim/activity/map_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace orrery::sim {

namespace {

constexpr double gib = 1024.0 * 1024.0 * 1024.0;

Option described(std::string name, std::string meaning, OptionKind kind, OptionValue value) {
  return {.name = std::move(name),
          .group = "map",
          .meaning = std::move(meaning),
          .kind = kind,
          .default_value = std::move(value),
          .scope = OptionScope::speed};
}

template <typename Names>
std::vector<std::string> texts(const Names& names) {
  return {names.begin(), names.end()};
}

std::string no_map(const Configuration& c) {
  return wants_map(c) ? std::string() : "there is no map: set map-size";
}

std::string not_custom(const Configuration& c) {
  if (auto reason = no_map(c); !reason.empty()) return reason;
  return c.choice("map-box") == "custom" ? std::string() : "map-box chooses the edges; set map-box=custom";
}

std::string too_large(const OptionValue& value, const Configuration& rest, const OptionContext& context) {
  const auto size = static_cast<std::size_t>(std::get<std::int64_t>(value));
  const bool on_gpu = rest.choice("engine") == "cuda";
  const auto memory = static_cast<double>(on_gpu ? context.device_memory : context.host_memory);
  const double most = on_gpu ? 0.9 * memory : 0.5 * memory;
  if (memory == 0.0 || map_bytes(size) <= most) return {};
  return fmt::format("a map of {0} x {0} cells needs {1:.2f} GiB and {2} {3:.2f} GiB; use at most {4}", size,
                     map_bytes(size) / gib, on_gpu ? "the GPU has" : "half of this machine's memory is",
                     on_gpu ? memory / gib : most / gib,
                     static_cast<std::size_t>(std::sqrt(most / map_bytes(1))));
}

Option size_option() {
  auto size =
      described("map-size", "D: the activity map counts the bodies in each of D x D cells. 0: no map.",
                OptionKind::integer, std::int64_t{0});
  size.maximum = static_cast<double>(largest_map);
  size.label = "Cells along a side";
  size.conflicts = {too_large};
  size.trial_values = {std::int64_t{10}, std::int64_t{100}, std::int64_t{1000}, std::int64_t{4000}};
  return size;
}

Option plane_option() {
  auto plane = described("map-plane", "The plane that the map looks at. Bodies are projected onto it.",
                         OptionKind::choice, std::string(map_plane_names.front()));
  plane.choices = texts(map_plane_names);
  plane.choice_meanings = {"columns along x, rows along y", "columns along x, rows along z",
                           "columns along y, rows along z"};
  plane.label = "Plane";
  return plane;
}

Option box_option() {
  auto box =
      described("map-box",
                "The part of the plane that the map shows. Bodies outside are not counted. It is found "
                "from the bodies that are loaded and stays where it is.",
                OptionKind::choice, std::string("fit"));
  box.choices = {"fit", "all", "unit-square", "centered-square", "custom"};
  box.choice_meanings = {"a square around most bodies, without outliers", "a square around all bodies",
                         "0 to 1 along both axes (COM4521)",
                         "-0.5 to 0.5 along both axes: that of the built-in square",
                         "map-left, map-right, map-bottom, map-top"};
  box.label = "Part of the plane";
  return box;
}

Option edge_option(std::string name, std::string meaning, double value) {
  auto edge = described(std::move(name), std::move(meaning), OptionKind::real, value);
  edge.unit = "length";
  edge.minimum = -1e30;
  edge.maximum = 1e30;
  edge.inactive = not_custom;
  return edge;
}

/// At the upper edge of each axis, which is refused where it does not lie above the other one.
OptionConflict above(const char* low) {
  return [low](const OptionValue& value, const Configuration& rest, const OptionContext&) -> std::string {
    if (!wants_map(rest) || rest.choice("map-box") != "custom") return {};
    const double from = rest.real(low);
    if (static_cast<float>(from) < static_cast<float>(std::get<double>(value))) return {};
    return fmt::format("the box would have no extent: it must lie above {}={:g}", low, from);
  };
}

void add_edges(OptionTable& table) {
  table.add(edge_option("map-left", "The left edge of the map's box.", 0.0));
  auto right = edge_option("map-right", "The right edge of the map's box.", 1.0);
  right.conflicts.push_back(above("map-left"));
  table.add(std::move(right));
  table.add(edge_option("map-bottom", "The lower edge of the map's box.", 0.0));
  auto top = edge_option("map-top", "The upper edge of the map's box.", 1.0);
  top.conflicts.push_back(above("map-bottom"));
  table.add(std::move(top));
}

Option values_option() {
  auto values =
      described("map-values", "What a cell says.", OptionKind::choice, std::string(map_value_names.front()));
  values.choices = texts(map_value_names);
  values.choice_meanings = {"its bodies", "its bodies / all bodies x D, at most 1 (COM4521)"};
  values.label = "Value of a cell";
  return values;
}

template <typename Kind, typename Names>
Kind chosen(const Names& names, const std::string& name) {
  return static_cast<Kind>(std::ranges::find(names, name) - names.begin());
}

MapBox box_of(const Configuration& c, std::span<const Vec3> position, MapPlane plane) {
  const auto& how = c.choice("map-box");
  const auto edge = [&](const char* name) { return static_cast<float>(c.real(name)); };
  if (how == "unit-square") return {};
  if (how == "centered-square") return {-0.5F, 0.5F, -0.5F, 0.5F};
  if (how == "custom") return {edge("map-left"), edge("map-right"), edge("map-bottom"), edge("map-top")};
  return fitted_map_box(position, plane, how == "all" ? MapFit::all : MapFit::most);
}

/// True if both look at the same part of the same plane.
bool same_place(const Configuration& a, const Configuration& b) {
  constexpr std::array<std::string_view, 6> place{"map-plane", "map-box",    "map-left",
                                                  "map-right", "map-bottom", "map-top"};
  return wants_map(a) == wants_map(b) &&
         std::ranges::all_of(place, [&](auto name) { return a.value(name) == b.value(name); });
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
  return configuration.contains("map-size") && configuration.integer("map-size") > 0;
}

double map_bytes(std::size_t size) {
  constexpr double maps = 5.0;
  return maps * 4.0 * static_cast<double>(size) * static_cast<double>(size);
}

MapSpec map_spec(const Configuration& configuration, std::span<const Vec3> position) {
  MapSpec spec{.size = static_cast<std::size_t>(configuration.integer("map-size"))};
  if (spec.size == 0) return spec;
  spec.plane = chosen<MapPlane>(map_plane_names, configuration.choice("map-plane"));
  spec.values = chosen<MapValues>(map_value_names, configuration.choice("map-values"));
  spec.box = box_of(configuration, position, spec.plane);
  return spec;
}

void add_map_options(OptionTable& table) {
  table.add(size_option());
  auto plane = plane_option();
  auto box = box_option();
  auto values = values_option();
  plane.inactive = box.inactive = values.inactive = no_map;
  table.add(std::move(plane));
  table.add(std::move(box));
  add_edges(table);
  table.add(std::move(values));
}

}  // namespace orrery::sim
