#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <string_view>

namespace orrery::render {

/// One body as a colour mode sees it.
struct BodySample {
  glm::vec3 position{0.0F};
  float mass = 0;
  glm::vec3 velocity{0.0F};
  std::uint32_t component = 0;
  std::uint32_t galaxy = 0;
  std::uint32_t body = 0;  ///< its number
  float quantity = 0;      ///< value named by ColorMode::source
  float acceleration = 0;  ///< magnitude
  /// The unit vector along which the camera looks.
  glm::vec3 line_of_sight{0.0F, 0.0F, -1.0F};
};

/// The quantity that decides the colour of a body: a scalar that a colour map turns into a colour, or a
/// category with a colour of its own. One file per mode in color_modes/, one line in its CMakeLists.txt.
struct ColorMode {
  /// The source of the scalar.
  enum class Source {
    state,         ///< in the vertex buffers at every step
    acceleration,  ///< in the vertex buffers once a step was made
    charge,        ///< BodyBuffers::set_quantity has the charges
    density,       ///< log10 of the local mass density, updated now and then
    file,          ///< colours of the file, packed as is_color says
  };
  std::string_view name;
  /// One line for the panel.
  std::string_view meaning;
  /// The label of the colour bar: "speed".
  std::string_view quantity;
  /// The dimension of the quantity: "mass", "length", "velocity" or "" (the app knows the units' names).
  std::string_view dimension = {};
  /// True: the colour is BodyStyle::palette[scalar]; colour map and range are not used.
  bool categorical = false;
  /// With `categorical`: the scalar is the colour itself, in sRGB of 8 bits: 65536 red + 256 green + blue.
  /// Below 0 or NaN: the colour of the component.
  bool is_color = false;
  /// True: the scalar lies in 0..1 and the range of the style is not used.
  bool fixed_range = false;
  /// True: the natural range is symmetric around 0.
  bool is_signed = false;
  /// The colour map that suits the mode; "" for categorical modes.
  std::string_view default_map = {};
  /// GLSL: the body of `float scalar()`, which may use vec3 position (in its own galaxy), float mass,
  /// vec3 velocity, uint component, uint galaxy, uint body (its number), vec3 line_of_sight,
  /// float acceleration (its magnitude), float quantity.
  std::string_view glsl;
  /// Computes what `glsl` computes on the CPU, for automatic ranges, colour bars and tests.
  float (*scalar)(const BodySample& body);
  Source source = Source::state;
};

/// Every colour mode; the first is the default.
std::span<const ColorMode* const> color_modes();
/// nullptr for an unknown name.
const ColorMode* find_color_mode(std::string_view name);

}  // namespace orrery::render
