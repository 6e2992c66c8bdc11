// Colour maps that are lines through the colours of OKLab, in which equal steps look alike.
#include <cmath>
#include <glm/glm.hpp>
#include <numbers>

#include "color_maps.h"
#include "render/color_maps/color_space.h"

namespace orrery::render {
namespace {

/// A straight line in OKLab lightness; hue from violet over red to pale yellow, most chroma in the middle.
glm::vec3 dusk_at(float t) {
  const float chroma = 0.05F + 0.15F * std::sin(std::numbers::pi_v<float> * (0.08F + 0.82F * t));
  return fit_gamut(0.20F + 0.77F * t, chroma, 285.0F + 170.0F * t);
}

/// A straight line in OKLab lightness through one family of hues, navy to ice white.
glm::vec3 glacier_at(float t) {
  return fit_gamut(0.20F + 0.78F * t, 0.02F + 0.35F * t * (1.0F - t) * (1.2F - t) + 0.07F * (1.0F - t),
                   255.0F - 45.0F * t);
}

/// Even steps of OKLab lightness from black to white.
glm::vec3 gray_at(float t) { return glm::vec3(t * t * t); }

/// Blue for approaching, red for receding, near white between; lightness is symmetric around the middle.
glm::vec3 doppler_at(float t) {
  const float away = std::abs(2.0F * t - 1.0F);
  return fit_gamut(0.95F - 0.42F * away, 0.20F * away, t < 0.5F ? 262.0F : 27.0F);
}

/// One turn of OKLCH hue at constant lightness and chroma inside the sRGB gamut everywhere.
glm::vec3 hue_at(float t) { return fit_gamut(0.75F, 0.125F, 360.0F * t + 20.0F); }

}  // namespace

const ColorMap color_map_dusk{"dusk", "violet to pale yellow, even steps of OKLab lightness",
                              ColorMap::Kind::sequential, dusk_at};

const ColorMap color_map_glacier{"glacier", "navy to ice white, even steps of OKLab lightness",
                                 ColorMap::Kind::sequential, glacier_at};

const ColorMap color_map_gray{"gray", "black to white, even steps of OKLab lightness",
                              ColorMap::Kind::sequential, gray_at};

const ColorMap color_map_doppler{"doppler", "blue (approaching) over white to red (receding), in OKLCH",
                                 ColorMap::Kind::diverging, doppler_at};

const ColorMap color_map_hue{"hue", "all hues at the same lightness, in OKLCH", ColorMap::Kind::cyclic,
                             hue_at};

}  // namespace orrery::render
