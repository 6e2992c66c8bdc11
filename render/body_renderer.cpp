#include "render/body_renderer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/gtc/type_ptr.hpp>
#include <limits>
#include <map>
#include <vector>

#include "render/color_map.h"
#include "render/color_mode.h"
#include "render/color_space.h"
#include "render/error.h"
#include "render/gl.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

/// The locations of the uniforms of shaders/body.vert.
enum Location : GLint {
  view_location,
  projection_location,
  picture_location,
  sprite_location,
  grid_location,
  color_range_location,
  color_flags_location,
  line_of_sight_location,
  palette_location
};

constexpr float smallest_sprite_px = 0.3F;
/// As in body.vert: half of the width at half maximum, in half widths of the kernel.
constexpr float half_maximum = 0.4542020F;
constexpr GLsizei color_map_texels = 512;

const ColorMode& mode_of(const std::string& name) {
  const ColorMode* mode = find_color_mode(name);
  if (mode == nullptr)
    throw Error(fmt::format("there is no colour mode \"{}\": choose one of the list", name));
  return *mode;
}

const ColorMap& map_of(const BodyStyle& style, const ColorMode& mode) {
  if (style.color_map.empty()) {
    const ColorMap* own = find_color_map(mode.default_map);
    return own == nullptr ? *color_maps().front() : *own;
  }
  const ColorMap* map = find_color_map(style.color_map);
  if (map == nullptr)
    throw Error(fmt::format("there is no colour map \"{}\": choose one of the list", style.color_map));
  return *map;
}

Program make_body_program(const ColorMode& mode) {
  const std::string scalar = fmt::format("float scalar() {{ {} }}\n", mode.glsl);
  const std::array<std::string_view, 2> vertex{shaders::body_vert, scalar};
  const std::array<std::string_view, 1> fragment{shaders::body_frag};
  return make_program(fmt::format("body, colour mode {}", mode.name), vertex, fragment);
}

/// Raises dark colours most of the way to the luminance of white; the rest tells the ends of a gray map
/// apart.
glm::vec3 even_light(glm::vec3 color) {
  constexpr float darkest = 0.003F;
  constexpr float evenness = 0.75F;
  return color * std::pow(std::max(luminance(color), darkest), -evenness);
}

Texture make_color_texture(const ColorMap& map, bool even) {
  std::vector<glm::vec3> texels;
  for (GLsizei i = 0; i < color_map_texels; ++i) {
    const glm::vec3 color = map.evaluate(static_cast<float>(i) / static_cast<float>(color_map_texels - 1));
    texels.push_back(even ? even_light(color) : color);
  }
  Texture texture = make_texture(GL_TEXTURE_1D);
  glTextureStorage1D(texture.name(), 1, GL_RGB32F, color_map_texels);
  glTextureSubImage1D(texture.name(), 0, 0, color_map_texels, GL_RGB, GL_FLOAT, texels.data());
  glTextureParameteri(texture.name(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(texture.name(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  return texture;
}

/// First value and slope of the colour range; finite whatever the style says. Equal ends make a step.
glm::vec3 color_range(const BodyStyle& style, const ColorMode& mode) {
  constexpr float steepest = 1e30F;
  if (mode.fixed_range) return {0.0F, 1.0F, 0.0F};
  const auto place = [&](float value) {
    return style.log_range ? std::log(std::max(value, std::numeric_limits<float>::min())) : value;
  };
  const float first = place(style.range_min);
  const float span = place(style.range_max) - first;
  const float slope = span == 0.0F ? steepest : std::clamp(1.0F / span, -steepest, steepest);
  return {std::isfinite(first) ? first : 0.0F, std::isfinite(slope) ? slope : 0.0F,
          style.log_range ? 1.0F : 0.0F};
}

/// Linear RGB and light of each component.
std::array<glm::vec4, 8> lit_palette(const BodyStyle& style) {
  std::array<glm::vec4, 8> lit{};
  const float light = style.brightness * style.pixel_scale * style.pixel_scale;
  for (std::size_t i = 0; i < lit.size(); ++i)
    lit[i] = glm::vec4(style.palette[i], light * style.component_weight[i]);
  return lit;
}

/// Width at half maximum, smallest, largest (pixels) and reference distance or 0: `sprite` of body.vert.
glm::vec4 sprite(const BodyStyle& style, float max_point_size) {
  const float largest_allowed = (max_point_size - 1.0F) * half_maximum;
  const float largest =
      std::clamp(style.max_size_px * style.pixel_scale, smallest_sprite_px, largest_allowed);
  return {style.size_px * style.pixel_scale, smallest_sprite_px, largest,
          style.perspective_size ? style.reference_distance : 0.0F};
}

float largest_point(const glm::vec4& sprite) {
  const float width = sprite.w > 0.0F ? sprite.z : std::clamp(sprite.x, sprite.y, sprite.z);
  return width / half_maximum + 1.0F;
}

/// From view to world: the third row of the view's rotation is the direction towards the camera.
glm::vec3 line_of_sight(const glm::mat4& view) {
  return -glm::normalize(glm::vec3(view[0][2], view[1][2], view[2][2]));
}

}  // namespace

struct BodyRenderer::State {
  VertexArray vertices = make_vertex_array();
  std::map<const ColorMode*, Program> programs;
  std::map<std::pair<const ColorMap*, bool>, Texture> color_textures;
  float max_point_size = gl_info().max_point_size;
  glm::ivec2 max_viewport{0, 0};

  State() {
    glGetIntegerv(GL_MAX_VIEWPORT_DIMS, glm::value_ptr(max_viewport));
    const GlName array = vertices.name();
    for (GLuint attribute = 0; attribute < 4; ++attribute) {
      glEnableVertexArrayAttrib(array, attribute);
      glVertexArrayAttribBinding(array, attribute, attribute);
    }
    glVertexArrayAttribFormat(array, 0, 4, GL_FLOAT, GL_FALSE, 0);
    glVertexArrayAttribFormat(array, 1, 3, GL_FLOAT, GL_FALSE, 0);
    glVertexArrayAttribIFormat(array, 2, 1, GL_UNSIGNED_BYTE, 0);
    glVertexArrayAttribIFormat(array, 3, 1, GL_UNSIGNED_INT, 0);
  }

  GlName program(const ColorMode& mode) {
    auto found = programs.find(&mode);
    if (found == programs.end()) found = programs.emplace(&mode, make_body_program(mode)).first;
    return found->second.name();
  }

  GlName color_texture(const ColorMap& map, bool even) {
    const std::pair key(&map, even);
    auto found = color_textures.find(key);
    if (found == color_textures.end())
      found = color_textures.emplace(key, make_color_texture(map, even)).first;
    return found->second.name();
  }

  void bind(const BodyBuffers& buffers, int slot) const {
    const GlName array = vertices.name();
    glVertexArrayVertexBuffer(array, 0, buffers.position_buffer(slot), 0, 16);
    glVertexArrayVertexBuffer(array, 1, buffers.velocity_buffer(slot), 0, 16);
    glVertexArrayVertexBuffer(array, 2, buffers.component_buffer(), 0, 1);
    glVertexArrayVertexBuffer(array, 3, buffers.galaxy_buffer(), 0, 4);
    glBindVertexArray(array);
  }

  /// Pixels around the picture in which the centres of sprites still count.
  int margin(glm::ivec2 size, const glm::vec4& sizes) const {
    const int wanted = static_cast<int>(std::ceil(0.5F * largest_point(sizes)));
    const glm::ivec2 room = (max_viewport - size) / 2;
    return std::max(0, std::min({wanted, room.x, room.y}));
  }
};

BodyRenderer::BodyRenderer() : state_(std::make_unique<State>()) {
  state_->program(*color_modes().front());
  check_gl("setting up the body renderer");
}

BodyRenderer::~BodyRenderer() = default;

void BodyRenderer::prepare(const std::string& color_mode) { state_->program(mode_of(color_mode)); }

void BodyRenderer::draw(const BodyBuffers& buffers, int slot, const glm::mat4& view,
                        const glm::mat4& projection, glm::ivec2 size_px, const BodyStyle& style) {
  const ColorMode& mode = mode_of(style.color_mode);
  const GlName color_texture = state_->color_texture(map_of(style, mode), style.even_light);
  const GlName program = state_->program(mode);
  const glm::vec4 sizes = sprite(style, state_->max_point_size);
  const int margin = state_->margin(size_px, sizes);
  const std::array<glm::vec4, 8> palette = lit_palette(style);
  const glm::vec3 range = color_range(style, mode);
  const glm::vec3 sight = line_of_sight(view);

  glProgramUniformMatrix4fv(program, view_location, 1, GL_FALSE, glm::value_ptr(view));
  glProgramUniformMatrix4fv(program, projection_location, 1, GL_FALSE, glm::value_ptr(projection));
  glProgramUniform3f(program, picture_location, static_cast<float>(size_px.x), static_cast<float>(size_px.y),
                     static_cast<float>(margin));
  glProgramUniform4fv(program, sprite_location, 1, glm::value_ptr(sizes));
  glProgramUniform2f(program, grid_location, static_cast<float>(std::max(style.grid_columns, 1U)),
                     style.grid_spacing);
  glProgramUniform3fv(program, color_range_location, 1, glm::value_ptr(range));
  glProgramUniform2f(program, color_flags_location, mode.categorical ? 1.0F : 0.0F,
                     style.reversed ? 1.0F : 0.0F);
  glProgramUniform3fv(program, line_of_sight_location, 1, glm::value_ptr(sight));
  glProgramUniform4fv(program, palette_location, 8, glm::value_ptr(palette[0]));

  state_->bind(buffers, slot);
  glBindTextureUnit(0, color_texture);
  glUseProgram(program);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
  glEnable(GL_PROGRAM_POINT_SIZE);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE);
  glViewport(-margin, -margin, size_px.x + 2 * margin, size_px.y + 2 * margin);
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(buffers.bodies()));
  glViewport(0, 0, size_px.x, size_px.y);
  glDisable(GL_BLEND);
  glBindVertexArray(0);
}

float balanced_brightness(std::size_t bodies) {
  constexpr float total = 6e4F;
  return std::min(total / static_cast<float>(std::max<std::size_t>(bodies, 1)), 4.0F);
}

glm::vec3 grid_offset(std::uint32_t galaxy, const BodyStyle& style) {
  const std::uint32_t columns = std::max(style.grid_columns, 1U);
  const std::uint32_t row = galaxy / columns;
  return glm::vec3(static_cast<float>(galaxy % columns), -static_cast<float>(row), 0.0F) * style.grid_spacing;
}

std::array<glm::vec3, 8> BodyStyle::default_palette() {
  return {
      glm::vec3(1.00F, 0.22F, 0.38F),  // gas: the pink of ionized hydrogen
      glm::vec3(0.13F, 0.07F, 0.32F),  // halo: faint violet
      blackbody_color(20000.0F),       // disk: young stars
      blackbody_color(3700.0F),        // bulge: old stars
      blackbody_color(6500.0F),        // star
      glm::vec3(0.60F, 0.75F, 0.70F),  // other
      glm::vec3(0.30F, 0.90F, 0.55F), glm::vec3(0.95F, 0.75F, 0.20F),
  };
}

}  // namespace orrery::render
