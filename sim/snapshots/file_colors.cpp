#include "sim/snapshots/file_colors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "sim/core/counted.h"
#include "sim/core/message.h"

namespace orrery::sim {

namespace {

struct Range {
  double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();
  bool whole = true;
};

Range range_of(const std::vector<std::array<double, 3>>& colors) {
  Range range;
  for (const auto& color : colors) {
    for (const double part : color) {
      if (std::isnan(part)) continue;
      range.least = std::min(range.least, part);
      range.most = std::max(range.most, part);
      range.whole = range.whole && part == std::floor(part);
    }
  }
  return range;
}

/// The value of full intensity; 0: these are no colours.
double full_light(const Range& range, VtkType type) {
  constexpr double byte = 255.0, word = 65535.0;
  if (!(range.least >= 0.0)) return 0.0;
  // Words often hold bytes, and no picture is as dark as words up to 255.
  const bool is_fraction = type == VtkType::f32 || type == VtkType::f64;
  if (is_fraction && range.most <= 1.0) return 1.0;
  if (!range.whole) return 0.0;
  if (range.most <= byte) return byte;
  return range.most <= word ? word : 0.0;
}

Color packed(const std::array<double, 3>& color, double full) {
  Color sum = 0;
  for (const double part : color) {
    if (std::isnan(part)) return no_color;
    sum = 256U * sum + static_cast<Color>(std::lround(255.0 * part / full));
  }
  return sum;
}

}  // namespace

void NamedTriple::put(std::size_t part, std::size_t body, double value) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (body >= values_.size()) values_.resize(body + 1, {none, none, none});
  values_[body].at(part) = value;
  ++counts_.at(part);
}

void NamedTriple::name(std::size_t part, const std::string& name, VtkType type) {
  const bool is_first = names().empty();
  names_.at(part) = name;
  type_ = is_first || type_ == type ? type : VtkType::f64;
}

std::vector<std::string> NamedTriple::names() const {
  std::vector<std::string> there;
  std::ranges::copy_if(names_, std::back_inserter(there), [](const auto& name) { return !name.empty(); });
  return there;
}

void settle_colors(Scene& scene, const NamedTriple& colors) {
  const auto range = range_of(colors.values());
  if (range.most < range.least) return;
  const double full = full_light(range, colors.type());
  auto names = colors.names();
  for (auto& name : names) name = printable(name, 32);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (full == 0.0) {
    scene.notes.push_back(fmt::format("left out: {}, from {:g} to {:g}, which are no colours",
                                      fmt::join(names, ", "), range.least, range.most));
    return;
  }
  auto& own = scene.bodies.color;
  own.clear();
  for (const auto& color : colors.values()) own.push_back(packed(color, full));
  own.resize(scene.bodies.size(), no_color);
  scene.notes.push_back(
      fmt::format("{} from 0 to {:g} were taken as the colours of the bodies, in sRGB; color-mode=auto "
                  "draws them",
                  fmt::join(names, ", "), full));
  if (const auto without = std::ranges::count(own, no_color); without > 0)
    scene.notes.push_back(
        fmt::format("{} that of the component",
                    counted(without, "body without a colour has", "bodies without a colour have")));
}

std::array<std::uint8_t, 3> rgb_of(Color color) {
  return {static_cast<std::uint8_t>(color >> 16U), static_cast<std::uint8_t>(color >> 8U),
          static_cast<std::uint8_t>(color)};
}

}  // namespace orrery::sim
