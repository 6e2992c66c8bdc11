#pragma once

#include <glm/glm.hpp>
#include <optional>

namespace orrery::render {

/// Linear light to the sRGB encoding and back, per channel (IEC 61966-2-1); both in 0..1.
float srgb_encode(float linear);
float srgb_decode(float encoded);
glm::vec3 srgb_encode(glm::vec3 linear);
glm::vec3 srgb_decode(glm::vec3 encoded);

/// The linear sRGB colour of OKLab (L, a, b) (Ottosson 2020, https://bottosson.github.io/posts/oklab/). L is
/// 0 for black and 1 for white.
glm::vec3 linear_from_oklab(glm::vec3 lab);
/// The linear sRGB colour of OKLab lightness L, chroma C and hue in degrees; can leave 0..1.
glm::vec3 linear_from_oklch(float lightness, float chroma, float hue_degrees);
/// The linear sRGB colour of OKLCh, with the chroma reduced, if need be, until the colour is inside 0..1.
glm::vec3 fit_gamut(float lightness, float chroma, float hue_degrees);
/// The colour of a black body: linear sRGB, the largest channel 1. Planck's law integrated over fitted CIE
/// 1931 colour matching functions. Meaningful from about 1000 K up.
glm::vec3 blackbody_color(float kelvin);
/// Relative luminance Y of a linear sRGB colour.
float luminance(glm::vec3 linear);

/// The colour that ColorMode::is_color packs into a number: 65536 red + 256 green + blue. Empty for other
/// numbers.
std::optional<glm::vec3> linear_from_packed(float color);

}  // namespace orrery::render
