#pragma once

#include <cstddef>

namespace orrery::plots {

/// Display values (sRGB), 0 to 1.
struct Color {
  double red = 0.0, green = 0.0, blue = 0.0, alpha = 1.0;

  friend bool operator==(const Color&, const Color&) = default;
};

/// Colours for things of different kinds, which people with any kind of colour vision tell apart: those of M.
/// Okabe and K. Ito, "Color Universal Design" (2008), the yellow left out, which is lost on paper. They
/// repeat after `distinct_colors`.
Color distinct(std::size_t index);
inline constexpr std::size_t distinct_colors = 7;

/// Colours for a number from 0 to 1, pale to dark: cubehelix (Green 2011, Bulletin of the Astronomical
/// Society of India 39, 289; start 0.5, -0.6 rotations, hue 1.1) from its bright end on. Brightness falls
/// evenly, so that it also reads in print without colours.
Color sequential(double part);
/// Colours of COM4521's activity map, from black to red.
Color reds(double part);

/// Perceived brightness, 0 to 1 (Rec. 709 luma of the display values).
double brightness(const Color& color);

inline constexpr Color black{};
inline constexpr Color white{1.0, 1.0, 1.0};
/// Greys, from black (0) to white (1).
constexpr Color gray(double value) { return {value, value, value}; }

}  // namespace orrery::plots
