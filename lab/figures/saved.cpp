#include "lab/figures/saved.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/spelling.h"

namespace orrery::lab {

namespace {

[[noreturn]] void refuse_rung(const std::string& name, const std::vector<std::string>& names) {
  throw sim::UsageError(fmt::format("the ladder has no rung '{}'{}; it has {}", name,
                                    sim::did_you_mean(name, names), fmt::join(names, ", ")));
}

std::string names_of(const nlohmann::json& ladders) {
  std::vector<std::string> names;
  for (const auto& each : ladders) {
    auto name = text_in(each, "name");
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

bool is_wanted(const nlohmann::json& ladder, const std::string& name, const std::vector<std::size_t>& sizes) {
  const auto bodies = static_cast<std::size_t>(number_in(ladder, "bodies"));
  return (name.empty() || text_in(ladder, "name") == name) &&
         (sizes.empty() || std::ranges::find(sizes, bodies) != sizes.end());
}

double number_of(const nlohmann::json& value) { return value.is_null() ? nothing : value.get<double>(); }

}  // namespace

std::vector<const nlohmann::json*> results_of(const nlohmann::json& document, const FigureRequest& request) {
  const auto& name = request.ladder;
  const auto& ladders = document.at("ladders");
  std::vector<const nlohmann::json*> results;
  for (const auto& each : ladders)
    if (is_wanted(each, name, request.sizes)) results.push_back(&each);
  if (results.empty())
    throw sim::Error(fmt::format("no such ladder was saved; there are: {}", names_of(ladders)));
  for (const auto* each : results)
    if (text_in(*each, "name") != text_in(*results.front(), "name"))
      throw sim::Error(
          fmt::format("several ladders were saved; choose one with --ladder: {}", names_of(ladders)));
  return results;
}

const nlohmann::json& one_ladder(const nlohmann::json& document, const FigureRequest& request) {
  const auto results = results_of(document, request);
  if (results.size() > 1)
    throw sim::Error(
        "the ladder was saved with several numbers of bodies; choose one with --bodies, or draw them all "
        "with "
        "plot scaling");
  return *results.front();
}

std::vector<const nlohmann::json*> chosen_rungs(const nlohmann::json& ladder,
                                                const std::vector<std::string>& names) {
  std::vector<const nlohmann::json*> all, chosen;
  std::vector<std::string> known;
  for (const auto& rung : ladder.at("rungs")) {
    all.push_back(&rung);
    known.push_back(text_in(rung, "name"));
  }
  for (const auto& name : names) {
    const auto found = std::ranges::find(known, name);
    if (found == known.end()) refuse_rung(name, known);
    chosen.push_back(all[static_cast<std::size_t>(found - known.begin())]);
  }
  return names.empty() ? all : chosen;
}

plots::Color activity_color(sim::TimelineKind activity) {
  constexpr std::size_t blue = 0, vermillion = 1, green = 2, purple = 3, orange = 4, sky = 5;
  switch (activity) {
    case sim::TimelineKind::copy_in:
      return plots::distinct(blue);
    case sim::TimelineKind::forces:
      return plots::distinct(orange);
    case sim::TimelineKind::update:
      return plots::distinct(green);
    case sim::TimelineKind::copy_out:
      return plots::distinct(purple);
    case sim::TimelineKind::sums:
      return plots::distinct(sky);
    case sim::TimelineKind::exchange:
      break;
  }
  return plots::distinct(vermillion);
}

double number_in(const nlohmann::json& object, std::string_view name) {
  const auto found = object.find(name);
  return found == object.end() ? nothing : number_of(*found);
}

double positive_in(const nlohmann::json& object, std::string_view name) {
  const double value = number_in(object, name);
  return value > 0.0 ? value : nothing;
}

std::string text_in(const nlohmann::json& object, std::string_view name) {
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? std::string() : found->get<std::string>();
}

std::vector<double> numbers_in(const nlohmann::json& object, std::string_view name) {
  std::vector<double> all;
  for (const auto& each : object.at(std::string(name))) all.push_back(number_of(each));
  return all;
}

std::vector<plots::Point> points_in(const nlohmann::json& object, std::string_view x, std::string_view y) {
  const auto xs = numbers_in(object, x), ys = numbers_in(object, y);
  std::vector<plots::Point> points;
  for (std::size_t i = 0; i < std::min(xs.size(), ys.size()); ++i) points.push_back({xs[i], ys[i]});
  return points;
}

std::vector<double> all_of(const std::vector<plots::Line>& lines, double plots::Point::*coordinate) {
  std::vector<double> all;
  for (const auto& line : lines)
    for (const auto& point : line.points) all.push_back(point.*coordinate);
  return all;
}

plots::Line curve(std::string name, std::size_t k) {
  return {.name = std::move(name),
          .color = plots::distinct(k),
          .dash = k < plots::distinct_colors ? plots::Dash::solid : plots::Dash::dashed};
}

std::string device_in(const nlohmann::json& document) {
  const auto device = document.find("device");
  return device == document.end() || !device->is_object() ? std::string() : text_in(*device, "name");
}

double bodies_of_galaxy(const nlohmann::json& document) {
  return number_in(document, "bodies") / std::max(number_in(document, "galaxies"), 1.0);
}

std::string bodies_text(double bodies, double galaxies) {
  if (!(bodies > 0.0)) return {};
  const auto of_one = sim::counted(static_cast<std::size_t>(bodies), "body", "bodies");
  return galaxies > 1.0 ? fmt::format("{:.0f} galaxies of {}", galaxies, of_one) : of_one;
}

std::string dataset_in(const nlohmann::json& document) {
  const auto bodies = bodies_text(bodies_of_galaxy(document), number_in(document, "galaxies"));
  const auto title = text_in(document, "dataset");
  return title.empty() || bodies.empty() ? title + bodies : title + ", " + bodies;
}

bool made_by(const nlohmann::json& document, std::string_view figure) {
  const auto found = document.find("figure");
  return found != document.end() && *found == figure;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const auto& part : parts) {
    if (part.empty()) continue;
    text += (text.empty() ? "" : "  ·  ") + part;
  }
  return text;
}

plots::Scale scale_for(const FigureRequest& request, const std::vector<double>& values) {
  constexpr double wide = 30.0;
  if (!request.scale.empty())
    return request.scale == "log" ? plots::Scale::logarithmic : plots::Scale::linear;
  double low = std::numeric_limits<double>::infinity(), high = 0.0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    if (value <= 0.0) return plots::Scale::linear;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return high > wide * low ? plots::Scale::logarithmic : plots::Scale::linear;
}

}  // namespace orrery::lab
