#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <string>
#include <vector>

namespace orrery::render {

class BodyEffect;

/// The number that stands for no galaxy.
inline constexpr std::uint32_t no_galaxy = 0xffffffffU;

/// The look of a galaxy's bodies when one galaxy is singled out.
struct GalaxyLook {
  glm::vec3 color{1.0F};     ///< linear RGB, mixed into the body's own colour
  float color_share = 0.0F;  ///< 0: the body's own colour; 1: this one
  float light = 1.0F;        ///< factor
};

/// Random differences between the stars of a component, the same for a body in every picture. Logarithms are
/// normal deviates. The mean light and the mean colour are those of the component.
struct StarSpread {
  float light = 0.0F;  ///< standard deviation of ln light
  /// Standard deviation of ln red and, with the opposite sign, ln blue; natural colours only.
  float color = 0.0F;
  float red_giants = 0.0F;  ///< correlation of light and redness: 1 bright ones are red, -1 blue
};

/// The appearance of bodies. A change costs nothing at the next draw, except the first use of a colour mode,
/// whose shader is then compiled.
struct BodyStyle {
  /// Full width at half maximum of a sprite, in pixels. Its light does not depend on it. 0.3 .. max_size_px.
  float size_px = 2.0F;
  /// Light of one body: the sum of its pixels before exposure, for colour (1, 1, 1).
  float brightness = 3.0F;
  /// Height of the picture over that of the window (or the HiDPI scale). Multiplies sizes, and the light by
  /// its square, so that the picture looks the same.
  float pixel_scale = 1.0F;
  /// Sprites shrink with distance: size_px is the size at `reference_distance` from the camera. The light
  /// stays.
  bool perspective_size = false;
  float reference_distance = 1.0F;
  /// The largest size of a sprite (the driver may allow less): a body in front of the lens must not fill it.
  float max_size_px = 48.0F;

  /// The part of a body's light that is spread over its surroundings, a circle on the picture that holds
  /// `spread_neighbours` bodies. Where that is no wider than the sprite all light stays in it. 0: nothing.
  float spread_share = 0.0F;
  float spread_neighbours = 100.0F;
  /// The largest half width of spread light, a part of the picture's height: a wider circle holds so few
  /// bodies that its light would be a blob. There the smaller part of the light is spread, as fewer bodies
  /// share it.
  float spread_reach = 0.25F;
  /// Spread bodies are drawn by fewer points, on coarser levels, and their widths are found for every second
  /// picture only: about the same in less time, for what moves where OpenGL has no GPU. By point sprites
  /// only. Stars are as in other pictures.
  bool rough = false;

  /// Not empty: bodies are discs of even light with these radii, at most shared::most_discs of them; always
  /// drawn as point sprites. In pixels (multiplied by pixel_scale), or in the bodies' lengths, then at least
  /// a dot.
  std::vector<float> radii;
  bool radii_are_lengths = false;
  float disc_light = 0.1F;  ///< light of a pixel of a disc, at pixel_scale 1

  /// The name of a ColorMode; an unknown one makes draw() throw Error.
  std::string color_mode = "component";
  /// The name of a ColorMap; empty: the mode's own default.
  std::string color_map;
  /// The scalars at the two ends of the colour map. Equal ends are allowed (a step).
  float range_min = 0.0F;
  float range_max = 1.0F;
  /// Logarithmic between the ends; scalars and ends that are not positive count as the smallest float.
  bool log_range = false;
  bool reversed = false;

  /// True: colours of a map are scaled towards equal luminance, so that hue shows the value and brightness
  /// how much light there is. False: the colours exactly as in the map; bodies in its dark end are faint.
  bool equal_luminance = true;

  /// The colours of scalars below the range, above it, and that are no numbers: linear RGB and 1; with 0 the
  /// map's low end, its high end, and its low end.
  std::array<glm::vec4, 3> outside = {};

  /// Linear RGB by component (gas, halo, disk, bulge, star, other, old stars of a disk, 1 spare): for
  /// categorical modes.
  std::array<glm::vec3, 8> palette = default_palette();
  /// Light of each component; 0 hides it.
  std::array<float, 8> component_weight = {1, 1, 1, 1, 1, 1, 1, 1};
  /// The variation of brightness within each component; none at first. Light that is spread is not varied.
  std::array<StarSpread, 8> star_spread{};

  /// Effects that absorb light of bodies or draw a part of it, in this order. Not where bodies are discs.
  std::vector<BodyEffect*> effects;

  /// Independent galaxies are drawn side by side, grid_columns in a row, grid_spacing length units apart
  /// (galaxy 0 stays, rows go towards -y). Drawing only: the physics does not know.
  std::uint32_t grid_columns = 1;
  float grid_spacing = 0.0F;

  /// One galaxy apart from the others, which is no_galaxy for none, and how either side looks then.
  std::uint32_t singled_out = no_galaxy;
  GalaxyLook singled_out_look;
  GalaxyLook others_look;

  /// Warm bulge, blue-white disk, faint violet halo, ...
  static std::array<glm::vec3, 8> default_palette();
};

/// A brightness that suits a picture of this many bodies: the same light in total, unless they are few.
float balanced_brightness(std::size_t bodies);

/// The displacement of a galaxy in the grid, added to its bodies' positions.
glm::vec3 grid_offset(std::uint32_t galaxy, const BodyStyle& style);
/// The displacement of a galaxy in a grid of `columns` galaxies in a row, `spacing` length units apart.
glm::vec3 grid_offset(std::uint32_t galaxy, std::uint32_t columns, float spacing);

}  // namespace orrery::render
