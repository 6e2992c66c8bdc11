#include "lab/plots/figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace orrery::plots {

namespace {

constexpr Color of_bytes(int red, int green, int blue) { return {red / 255.0, green / 255.0, blue / 255.0}; }

constexpr std::array<Color, distinct_colors> okabe_ito{
    of_bytes(0, 114, 178),    // blue
    of_bytes(213, 94, 0),     // vermillion
    of_bytes(0, 158, 115),    // bluish green
    of_bytes(204, 121, 167),  // reddish purple
    of_bytes(230, 159, 0),    // orange
    of_bytes(86, 180, 233),   // sky blue
    of_bytes(0, 0, 0),        // black
};

}  // namespace

Color distinct(std::size_t index) { return okabe_ito.at(index % okabe_ito.size()); }

Color sequential(double part) {
  constexpr double brightest = 0.93, darkest = 0.12, start = 0.5, rotations = -0.6, hue = 1.1;
  const double t = brightest + std::clamp(part, 0.0, 1.0) * (darkest - brightest);
  const double angle = 2.0 * std::numbers::pi * (start / 3.0 + 1.0 + rotations * t);
  const double amplitude = 0.5 * hue * t * (1.0 - t);
  const double c = std::cos(angle), s = std::sin(angle);
  const auto shown = [](double value) { return std::clamp(value, 0.0, 1.0); };
  return {shown(t + amplitude * (-0.14861 * c + 1.78277 * s)),
          shown(t + amplitude * (-0.29227 * c - 0.90649 * s)), shown(t + amplitude * 1.97294 * c)};
}

Color reds(double part) { return {std::clamp(part, 0.0, 1.0), 0.0, 0.0}; }

double brightness(const Color& color) {
  return 0.2126 * color.red + 0.7152 * color.green + 0.0722 * color.blue;
}

}  // namespace orrery::plots
