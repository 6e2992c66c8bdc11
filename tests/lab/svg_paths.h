#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "lab/plots/canvas.h"
#include "sim/core/pattern.h"

// What Cairo drew, read back from the text of an SVG.
namespace orrery::test {

/// A path of the picture: its corners, whether it is filled or a line, and its colour in percent.
struct SvgPath {
  std::string style;
  std::vector<plots::Place> corners;
  std::vector<double> color;  ///< red, green, blue, 0 to 1

  bool is(const plots::Color& wanted) const {
    return color.size() == 3 && std::abs(color[0] - wanted.red) < 0.003 &&
           std::abs(color[1] - wanted.green) < 0.003 && std::abs(color[2] - wanted.blue) < 0.003;
  }
  bool stroked() const { return style.find("fill:none") != std::string::npos; }
};

inline std::vector<double> numbers_of(std::string_view part) {
  std::vector<double> numbers;
  const std::string text(part);
  for (const char* at = text.c_str(); *at != '\0';) {
    char* end = nullptr;
    const double value = std::strtod(at, &end);
    if (end == at) {
      ++at;
      continue;
    }
    numbers.push_back(value);
    at = end;
  }
  return numbers;
}

/// All paths in the order in which they were drawn, those of letters left out.
inline std::vector<SvgPath> paths_of(const std::string& svg) {
  static const sim::Pattern path("<path style=\"([^\"]*)\" d=\"([^\"]*)\"");
  static const sim::Pattern color("(stroke|fill):rgb\\(([^)]*)\\)");
  std::vector<SvgPath> paths;
  std::string_view rest = svg;
  for (auto match = path.find(rest); !match.empty(); match = path.find(rest)) {
    rest.remove_prefix(match[0].end() - rest.begin());
    const auto found = color.find(match[1]);
    if (found.empty()) continue;
    SvgPath each{.style = std::string(match[1]), .corners = {}, .color = {}};
    for (const double percent : numbers_of(found[2])) each.color.push_back(0.01 * percent);
    const auto numbers = numbers_of(match[2]);
    for (std::size_t k = 0; k + 1 < numbers.size(); k += 2)
      each.corners.push_back({numbers[k], numbers[k + 1]});
    paths.push_back(std::move(each));
  }
  return paths;
}

inline double distance(plots::Place a, plots::Place b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// True if a stroked path of that colour goes through exactly those corners.
inline bool has_curve(const std::vector<SvgPath>& paths, const plots::Color& color,
                      const std::vector<plots::Place>& corners) {
  for (const auto& path : paths) {
    if (!path.stroked() || !path.is(color) || path.corners.size() != corners.size()) continue;
    bool same = true;
    for (std::size_t k = 0; k < corners.size(); ++k)
      same = same && distance(path.corners[k], corners[k]) < 0.02;
    if (same) return true;
  }
  return false;
}

/// The boxes that are filled with that colour.
inline std::vector<plots::Box> boxes_of(const std::vector<SvgPath>& paths, const plots::Color& color) {
  std::vector<plots::Box> boxes;
  for (const auto& path : paths) {
    if (path.stroked() || !path.is(color) || path.corners.size() < 4) continue;
    double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
    for (const auto& corner : path.corners) {
      left = std::min(left, corner.x);
      right = std::max(right, corner.x);
      top = std::min(top, corner.y);
      bottom = std::max(bottom, corner.y);
    }
    boxes.push_back({left, top, right - left, bottom - top});
  }
  return boxes;
}

}  // namespace orrery::test
