#include "lab/figures/saved.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "sim/core/counted.h"

namespace orrery::lab {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

double number_of(const nlohmann::json& value) { return value.is_null() ? nothing : value.get<double>(); }

}  // namespace

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

std::string device_in(const nlohmann::json& document) {
  const auto device = document.find("device");
  return device == document.end() || !device->is_object() ? std::string() : text_in(*device, "name");
}

std::string bodies_text(double bodies, double galaxies) {
  if (!(bodies > 0.0)) return {};
  const auto of_one = sim::counted(static_cast<std::size_t>(bodies), "body", "bodies");
  return galaxies > 1.0 ? fmt::format("{:.0f} galaxies of {}", galaxies, of_one) : of_one;
}

std::string dataset_in(const nlohmann::json& document) {
  const double galaxies = std::max(number_in(document, "galaxies"), 1.0);
  const auto bodies = bodies_text(number_in(document, "bodies") / galaxies, galaxies);
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
