#pragma once

#include <array>
#include <functional>
#include <glm/glm.hpp>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "render/bodies/body_effect.h"
#include "render/bodies/body_style.h"
#include "render/color_maps/color_map.h"
#include "render/color_modes/color_mode.h"
#include "render/context/gl_object.h"
#include "render/context/shader_constants.h"
#include "render/context/shader_program.h"
#include "render/picture/picture_tile.h"

namespace orrery::render {

class LightLevels;

/// The local number of bodies in a picture, as body programs read it (ScreenDensity).
class Crowding {
 public:
  virtual ~Crowding() = default;
  /// The mean counts: crowd of shaders/body.glsl.
  virtual GlName texture() const = 0;
  /// screen_density of shaders/body.glsl, where light is spread over a circle that holds `neighbours` bodies.
  virtual glm::vec3 uniform(glm::ivec2 picture, float neighbours) const = 0;
};

/// The part of the bodies' light to draw, and its destination (docs/rendering.md, "Wide images").
struct BodyLayer {
  glm::uint part = 0;                         ///< part_whole, ... of shaders/shared.h
  const LightLevels* levels = nullptr;        ///< needed unless all light goes to the picture
  const Crowding* screen_density = nullptr;   ///< needed where light is spread
  std::span<BodyEffect* const> effects = {};  ///< effects on the light
  std::size_t stride = 1;                     ///< one body in `stride` stands for all; of what is spread

  /// True where the light goes to the levels, not to the picture.
  bool to_levels() const;
};

/// The camera, the size of the picture, and the part of it to draw.
struct BodyView {
  const glm::mat4& view;
  const glm::mat4& projection;
  glm::ivec2 size_px;  ///< size of the whole picture
  PictureTile tile = {};

  /// Pixels of what is drawn.
  glm::ivec2 canvas() const { return tile.drawn_of(size_px); }
};

/// The parts of a program of bodies besides shaders/body.glsl and its stages.
struct BodyText {
  std::string name;  ///< colour mode and effects, for messages
  std::string glsl;  ///< defines what body.glsl declares; to be put after it
  std::span<BodyEffect* const> effects;
};

/// A program that draws bodies of one colour mode, and the uniforms of shaders/body.glsl.
struct BodyProgram {
  ShaderProgram program;
  Uniform<glm::mat4> view, projection;
  Uniform<glm::vec3> picture, color_range, line_of_sight, stars, screen_density;
  Uniform<glm::vec4> sprite, outside, palette, apart, spreading, levels;
  Uniform<glm::vec2> grid, color_flags, apart_light, canvas, corner;
  Uniform<glm::uint> singled_out, part, level_count;
  Uniform<float> coarser;
  Uniform<glm::uvec2> work;  ///< work range; compute shaders only
  // Of body.vert and body.frag only.
  Uniform<float> radii;
  Uniform<glm::vec4> disc;
  Uniform<float> is_disc;
  Uniform<glm::uint> stride;

  std::vector<BodyEffect::Setter> set_effects;

  /// Links the program and finds the uniforms of body.glsl and of the effects; `find_more` finds others.
  BodyProgram(const ShaderSources& sources, const BodyText& text,
              const std::function<void(BodyProgram& made, UniformTable& uniforms)>& find_more = {});
};

/// Finds the uniform `work` of a compute shader, for BodyProgram's constructor.
void find_work(BodyProgram& made, UniformTable& uniforms);

/// State that all drawers of bodies share: the uniforms of shaders/body.glsl, the colour maps as textures,
/// and one program for each colour mode and set of effects. Needs a current context.
class BodyLook {
 public:
  using Maker = std::function<BodyProgram(const BodyText& text)>;
  /// `drawn`: the effect whose share of the light is drawn; null: the light that effects leave.
  explicit BodyLook(Maker maker, const BodyEffect* drawn = nullptr);

  /// Compiles the program of a colour mode unless it is there. Throws Error for an unknown mode.
  void prepare(const std::string& color_mode) { program(color_mode, {}); }

  /// The program for the style, its uniforms set and its colour map bound to texture unit 0. `margin`: pixels
  /// around the picture in which the centres of sprites still count. Throws Error for an unknown colour mode
  /// or map.
  const BodyProgram& use(const BodyView& from, int margin, const BodyStyle& style,
                         const BodyLayer& layer = {});

  /// Width at half maximum, smallest, largest (pixels) and reference distance or 0: `sprite` of body.glsl.
  glm::vec4 sprite(const BodyStyle& style) const;

 private:
  const BodyProgram& program(const std::string& color_mode, std::span<BodyEffect* const> effects);
  GlName color_texture(const ColorMap& map, bool even);

  Maker maker_;
  const BodyEffect* drawn_;
  std::map<std::pair<const ColorMode*, std::vector<BodyEffect*>>, BodyProgram> programs_;
  std::map<std::pair<const ColorMap*, bool>, Texture> color_textures_;
  float max_point_size_;
};

/// Linear RGB and light of each component.
using LitPalette = std::array<glm::vec4, shared::body_components>;
LitPalette lit_palette(const BodyStyle& style);
/// The variation of stars within each component, in the form that shaders/body.glsl takes. Colours that stand
/// for values do not vary.
using StarKinds = std::array<glm::vec3, shared::body_components>;
StarKinds star_kinds(const ColorMode& mode, const BodyStyle& style);
/// The colours of a map from its low end to its high one, as bodies have them.
std::vector<glm::vec3> color_texels(const ColorMap& map, bool even);
/// Throws Error if there is none of this name.
const ColorMode& color_mode_named(const std::string& name);
/// The unit vector along which a camera looks.
glm::vec3 line_of_sight(const glm::mat4& view);
/// Width at half maximum, smallest, largest (pixels) and reference distance or 0: `sprite` of body.glsl.
/// `max_point_size`: of the driver.
glm::vec4 sprite_widths(const BodyStyle& style, float max_point_size = 1e9F);

/// The stride of a coarse picture: every n-th body stands for all, which is enough for a smooth glow. It is 1
/// or a prime above 5, because in many datasets every second, fifth or tenth body is of one kind.
std::size_t rough_stride(std::size_t bodies);
/// The largest stride, in bodies, that every OpenGL can read of an array (GL_MAX_VERTEX_ATTRIB_STRIDE is at
/// least 2048 bytes).
inline constexpr std::size_t most_vertex_stride = 127;
/// The half width (pixels) up to which light is spread over a picture: wider it is no longer seen.
float widest_spread(glm::ivec2 size);
/// The half width (pixels) up to which a style spreads light.
float spread_reach(const BodyStyle& style, glm::ivec2 size);
/// Pixels that the largest sprite of `sprite` (as BodyLook::sprite gives it) covers in a row.
float largest_point(const glm::vec4& sprite);

}  // namespace orrery::render
