#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "lab/figures/figure_kind.h"
#include "lab/figures/saved.h"
#include "sim/core/error.h"

namespace orrery::lab {

namespace {

using nlohmann::json;
using plots::Point;

/// A body's way, seen along the z axis.
struct Path {
  std::string name;
  double mass = 0.0;
  std::vector<Point> points;
};

double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

std::vector<Path> paths_in(const json& document) {
  std::vector<Path> paths;
  for (const auto& body : document.at("bodies")) {
    Path path{.name = text_in(body, "name"), .mass = number_in(body, "mass"), .points = {}};
    for (const auto& point : body.at("path")) path.points.push_back({point.at(0), point.at(1)});
    if (!paths.empty() && path.points.size() != paths.front().points.size())
      throw sim::Error("the paths of the bodies have different lengths");
    paths.push_back(std::move(path));
  }
  if (paths.empty() || paths.front().points.empty())
    throw sim::Error("there is nothing to draw: no path was saved");
  return paths;
}

/// As seen from a body, which then rests at the origin.
std::vector<Path> relative_to(std::vector<Path> paths, std::size_t center) {
  const auto origin = paths[center].points;
  for (auto& path : paths) {
    for (std::size_t k = 0; k < path.points.size(); ++k) {
      path.points[k].x -= origin[k].x;
      path.points[k].y -= origin[k].y;
    }
  }
  return paths;
}

std::size_t heaviest(const std::vector<Path>& paths) {
  return static_cast<std::size_t>(std::ranges::max_element(paths, {}, &Path::mass) - paths.begin());
}

double farthest(const Path& a, const Path& b) {
  double most = 0.0;
  for (std::size_t k = 0; k < a.points.size(); ++k) most = std::max(most, distance(a.points[k], b.points[k]));
  return most;
}

/// A body with what stays near to it: farther than a twentieth from the heaviest body, they never part.
struct Companions {
  std::size_t center = 0;
  std::vector<std::size_t> others;
};

std::optional<Companions> companions_of(const std::vector<Path>& paths) {
  constexpr double near = 0.05;
  const auto sun = heaviest(paths);
  for (std::size_t planet = 0; planet < paths.size(); ++planet) {
    if (planet == sun) continue;
    Companions found{.center = planet, .others = {}};
    const double away = farthest(paths[planet], paths[sun]);
    for (std::size_t moon = 0; moon < paths.size(); ++moon) {
      const bool lighter = paths[moon].mass < paths[planet].mass;
      if (lighter && farthest(paths[moon], paths[planet]) < near * away) found.others.push_back(moon);
    }
    if (!found.others.empty()) return found;
  }
  return std::nullopt;
}

/// The largest distance of a path from the common centre of rotation.
double reach(const Path& path) {
  double most = 0.0;
  for (const auto& point : path.points) most = std::max(most, distance(point, {}));
  return most;
}

/// The bodies that are so near that the others hide their orbits; empty where there are none, or all are.
std::vector<std::size_t> inner_bodies(const std::vector<Path>& paths) {
  constexpr double hidden = 12.0;
  double most = 0.0;
  for (const auto& path : paths) most = std::max(most, reach(path));
  std::vector<std::size_t> inner;
  for (std::size_t k = 0; k < paths.size(); ++k)
    if (reach(paths[k]) < most / hidden) inner.push_back(k);
  return inner.size() > 1 && inner.size() < paths.size() ? inner : std::vector<std::size_t>();
}

plots::Line track(const Path& path, std::size_t k) {
  auto line = curve(path.name, k);
  line.points = path.points;
  line.width = 1.2;
  return line;
}

/// Where the body stands at the end; one that hardly moves is seen by it alone.
plots::Line end_mark(const Path& path, std::size_t k) {
  return {.name = "",
          .points = {path.points.back()},
          .color = plots::distinct(k),
          .marker = plots::Marker::circle,
          .marker_size = 3.4,
          .joined = false};
}

plots::Panel orbit_panel(const std::vector<Path>& paths, const std::vector<std::size_t>& shown,
                         std::string title, const std::string& unit) {
  plots::Panel panel{.title = std::move(title), .equal = true};
  for (const auto k : shown) panel.lines.push_back(track(paths[k], k));
  const auto xs = all_of(panel.lines, &Point::x), ys = all_of(panel.lines, &Point::y);
  for (const auto k : shown) panel.lines.push_back(end_mark(paths[k], k));
  const auto label = [&](const char* axis) {
    return unit.empty() ? std::string(axis) : fmt::format("{}, {}", axis, unit);
  };
  panel.x = plots::fitted(label("x"), plots::Scale::linear, xs, 0.06);
  panel.y = plots::fitted(label("y"), plots::Scale::linear, ys, 0.06);
  return panel;
}

/// All bodies; beside them what is too small to be seen there.
std::vector<plots::Panel> panels_of(const std::vector<Path>& paths, const std::string& unit) {
  std::vector<std::size_t> all(paths.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<plots::Panel> panels{orbit_panel(paths, all, "", unit)};
  if (const auto found = companions_of(paths)) {
    auto shown = found->others;
    shown.insert(shown.begin(), found->center);
    panels.push_back(orbit_panel(relative_to(paths, found->center), shown,
                                 "as seen from " + paths[found->center].name, unit));
  } else if (const auto inner = inner_bodies(paths); !inner.empty()) {
    panels.push_back(orbit_panel(paths, inner, "the inner part", unit));
  }
  if (panels.size() > 1) panels.front().title = "all bodies";
  return panels;
}

std::string unit_of(const json& document, const std::string& name) {
  const auto units = document.find("units");
  return units == document.end() ? std::string() : text_in(*units, name);
}

std::string time_text(const json& document) {
  const auto unit = unit_of(document, "time");
  const double from = number_in(document, "start"), to = number_in(document, "end");
  return fmt::format("{:.0f} steps, time {} to {}{}", number_in(document, "steps"), plots::short_number(from),
                     plots::short_number(to), unit.empty() ? "" : " in " + unit);
}

plots::Figure draw_orbits(const Documents& documents, const FigureRequest& /*request*/) {
  const auto& document = documents.front();
  const auto paths = paths_in(document);
  auto panels = panels_of(paths, unit_of(document, "length"));
  const auto all = number_in(document, "all_bodies");
  const bool some = static_cast<double>(paths.size()) < all;
  const bool two = panels.size() > 1;
  return {.title = "Orbits: " + text_in(document, "dataset"),
          .subtitle = joined({time_text(document), text_in(document, "options"), device_in(document)}),
          .note = some
                      ? fmt::format("{} of {:.0f} bodies; dots: where they are at the end", paths.size(), all)
                      : "dots: where the bodies are at the end",
          .panels = std::move(panels),
          .width = two ? 960.0 : 640.0,
          .height = two ? 560.0 : 640.0};
}

}  // namespace

extern constinit const FigureKind orbits_figure{
    .name = "orbits",
    .meaning = "the ways of the bodies, to scale",
    .reads = "orrery diagnose --measure orbits",
    .reads_document = [](const json& document) { return made_by(document, "orbits"); },
    .draw = draw_orbits,
};

}  // namespace orrery::lab
