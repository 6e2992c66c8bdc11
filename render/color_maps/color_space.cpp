#include "render/color_maps/color_space.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace orrery::render {

float srgb_encode(float linear) {
  if (linear <= 0.0031308F) return 12.92F * linear;
  return 1.055F * std::pow(linear, 1.0F / 2.4F) - 0.055F;
}

float srgb_decode(float encoded) {
  if (encoded <= 0.04045F) return encoded / 12.92F;
  return std::pow((encoded + 0.055F) / 1.055F, 2.4F);
}

glm::vec3 srgb_encode(glm::vec3 linear) {
  return {srgb_encode(linear.r), srgb_encode(linear.g), srgb_encode(linear.b)};
}

glm::vec3 srgb_decode(glm::vec3 encoded) {
  return {srgb_decode(encoded.r), srgb_decode(encoded.g), srgb_decode(encoded.b)};
}

glm::vec3 linear_from_oklab(glm::vec3 lab) {
  const float l = lab.x + 0.3963377774F * lab.y + 0.2158037573F * lab.z;
  const float m = lab.x - 0.1055613458F * lab.y - 0.0638541728F * lab.z;
  const float s = lab.x - 0.0894841775F * lab.y - 1.2914855480F * lab.z;
  const glm::vec3 cone(l * l * l, m * m * m, s * s * s);
  return {4.0767416621F * cone.x - 3.3077115913F * cone.y + 0.2309699292F * cone.z,
          -1.2684380046F * cone.x + 2.6097574011F * cone.y - 0.3413193965F * cone.z,
          -0.0041960863F * cone.x - 0.7034186147F * cone.y + 1.7076147010F * cone.z};
}

glm::vec3 linear_from_oklch(float lightness, float chroma, float hue_degrees) {
  const float hue = hue_degrees * std::numbers::pi_v<float> / 180.0F;
  return linear_from_oklab({lightness, chroma * std::cos(hue), chroma * std::sin(hue)});
}

float luminance(glm::vec3 linear) { return 0.2126F * linear.r + 0.7152F * linear.g + 0.0722F * linear.b; }

namespace {

/// Gaussian with different widths on its two sides.
float lobe(float wavelength, float center, float left, float right) {
  const float x = (wavelength - center) / (wavelength < center ? left : right);
  return std::exp(-0.5F * x * x);
}

/// CIE 1931 colour matching functions at a wavelength in nm: the multi-lobe fit of Wyman, Sloan and Shirley,
/// Journal of Computer Graphics Techniques 2 (2), 2013.
glm::vec3 color_matching(float nm) {
  return {1.056F * lobe(nm, 599.8F, 37.9F, 31.0F) + 0.362F * lobe(nm, 442.0F, 16.0F, 26.7F) -
              0.065F * lobe(nm, 501.1F, 20.4F, 26.2F),
          0.821F * lobe(nm, 568.8F, 46.9F, 40.5F) + 0.286F * lobe(nm, 530.9F, 16.3F, 31.1F),
          1.217F * lobe(nm, 437.0F, 11.8F, 36.0F) + 0.681F * lobe(nm, 459.0F, 26.0F, 13.8F)};
}

/// Planck's law in arbitrary units; h c / k = 1.438777e7 nm K.
float planck(float nm, float kelvin) {
  const float x = nm / 500.0F;
  return 1.0F / (x * x * x * x * x * std::expm1(1.438777e7F / (nm * kelvin)));
}

glm::vec3 linear_from_xyz(glm::vec3 xyz) {
  return {3.2404542F * xyz.x - 1.5371385F * xyz.y - 0.4985314F * xyz.z,
          -0.9692660F * xyz.x + 1.8760108F * xyz.y + 0.0415560F * xyz.z,
          0.0556434F * xyz.x - 0.2040259F * xyz.y + 1.0572252F * xyz.z};
}

}  // namespace

glm::vec3 blackbody_color(float kelvin) {
  glm::vec3 xyz(0.0F);
  for (int nm = 380; nm <= 780; nm += 5)
    xyz += color_matching(static_cast<float>(nm)) * planck(static_cast<float>(nm), kelvin);
  const glm::vec3 color = glm::max(linear_from_xyz(xyz), glm::vec3(0.0F));
  return color / std::max({color.r, color.g, color.b});
}

glm::vec3 fit_gamut(float lightness, float chroma, float hue_degrees) {
  float low = 0.0F;
  float high = 1.0F;
  for (int i = 0; i < 20; ++i) {
    const float middle = 0.5F * (low + high);
    const glm::vec3 color = linear_from_oklch(lightness, chroma * middle, hue_degrees);
    const bool inside = glm::all(glm::greaterThanEqual(color, glm::vec3(0.0F))) &&
                        glm::all(glm::lessThanEqual(color, glm::vec3(1.0F)));
    (inside ? low : high) = middle;
  }
  return glm::clamp(linear_from_oklch(lightness, chroma * low, hue_degrees), 0.0F, 1.0F);
}

std::optional<glm::vec3> linear_from_packed(float color) {
  constexpr float past_white = 16777216.0F;
  if (!(color >= 0.0F && color < past_white)) return std::nullopt;
  const auto code = static_cast<std::uint32_t>(color);
  const auto part = [code](std::uint32_t shift) {
    return srgb_decode(static_cast<float>((code >> shift) & 255U) / 255.0F);
  };
  return glm::vec3(part(16), part(8), part(0));
}

}  // namespace orrery::render
