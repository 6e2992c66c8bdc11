#include "render/bodies/body_look.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <vector>

#include "render/bodies/color_scale.h"
#include "render/color_maps/color_space.h"
#include "render/context/gl.h"
#include "render/context/shader_constants.h"
#include "render/context/target.h"
#include "render/error.h"
#include "render/light/light_levels.h"

namespace orrery::render {
namespace {

constexpr float smallest_sprite_px = 0.3F;
constexpr GLsizei color_map_texels = 512;
/// Images of a rough picture cover a quarter of the texels.
constexpr float rough_levels = 1.0F;

static_assert(std::tuple_size_v<decltype(BodyStyle::outside)> == shared::outside_colors);
static_assert(no_galaxy == shared::galaxy_of_none);
static_assert(std::tuple_size_v<decltype(BodyStyle::palette)> == shared::body_components);
static_assert(std::tuple_size_v<decltype(BodyStyle::component_weight)> == shared::body_components);

/// Raises dark colours most of the way to the luminance of white; the rest tells the ends of a gray map
/// apart.
glm::vec3 equal_luminance(glm::vec3 color) {
  constexpr float darkest = 0.003F;
  constexpr float evenness = 0.75F;
  return color * std::pow(std::max(luminance(color), darkest), -evenness);
}

void set_color_uniforms(const BodyProgram& program, const ColorMode& mode, const BodyStyle& style) {
  program.color_range.set(ColorScale(style, mode).range());
  program.color_flags.set({mode.is_color      ? 2.0F
                           : mode.categorical ? 1.0F
                                              : 0.0F,
                           style.reversed ? 1.0F : 0.0F});
  program.outside.set(style.outside);
  program.palette.set(lit_palette(style));
  program.stars.set(star_kinds(mode, style));
}

void set_galaxy_uniforms(const BodyProgram& program, const BodyStyle& style) {
  const GalaxyLook& one = style.singled_out_look;
  const GalaxyLook& others = style.others_look;
  const std::array<glm::vec4, shared::galaxy_looks> apart{glm::vec4(one.color, one.color_share),
                                                          glm::vec4(others.color, others.color_share)};
  program.singled_out.set(style.singled_out);
  program.apart.set(apart);
  program.apart_light.set({one.light, others.light});
}

void set_layer_uniforms(const BodyProgram& program, const BodyView& from, const BodyStyle& style,
                        const BodyLayer& layer) {
  const glm::ivec2 size = from.size_px;
  program.part.set(layer.part);
  program.canvas.set(glm::vec2(layer.to_levels() ? layer.levels->all().size() : from.canvas()));
  program.corner.set(glm::vec2(from.tile.corner));
  program.coarser.set(style.rough && layer.part == shared::part_spread ? rough_levels : 0.0F);
  if (layer.screen_density != nullptr) {
    program.screen_density.set(layer.screen_density->uniform(size, style.spread_neighbours));
    glBindTextureUnit(shared::crowd_unit, layer.screen_density->texture());
  }
  if (layer.levels == nullptr) return program.spreading.set(glm::vec4(0.0F));
  const float widest = std::min(layer.levels->widest(), spread_reach(style, size));
  const float share = layer.screen_density != nullptr ? style.spread_share : 0.0F;
  program.spreading.set({share, shared::widest_in_level, widest, static_cast<float>(layer.stride)});
  program.levels.set(layer.levels->places());
  program.level_count.set(static_cast<glm::uint>(layer.levels->count()));
}

}  // namespace

const ColorMode& color_mode_named(const std::string& name) {
  const ColorMode* mode = find_color_mode(name);
  if (mode == nullptr)
    throw Error(fmt::format("there is no colour mode \"{}\": choose one of the list", name));
  return *mode;
}

std::vector<glm::vec3> color_texels(const ColorMap& map, bool even) {
  std::vector<glm::vec3> texels;
  for (GLsizei i = 0; i < color_map_texels; ++i) {
    const glm::vec3 color = map.evaluate(static_cast<float>(i) / static_cast<float>(color_map_texels - 1));
    texels.push_back(even ? equal_luminance(color) : color);
  }
  return texels;
}

LitPalette lit_palette(const BodyStyle& style) {
  LitPalette lit{};
  const float light = style.brightness * style.pixel_scale * style.pixel_scale;
  for (std::size_t i = 0; i < lit.size(); ++i)
    lit[i] = glm::vec4(style.palette[i], light * style.component_weight[i]);
  return lit;
}

StarKinds star_kinds(const ColorMode& mode, const BodyStyle& style) {
  StarKinds kinds{};
  const bool natural = &mode == color_modes().front();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const StarSpread& spread = style.star_spread[i];
    kinds[i] = {spread.light, natural ? spread.color : 0.0F, std::clamp(spread.red_giants, -1.0F, 1.0F)};
  }
  return kinds;
}

/// From view to world: the third row of the view's rotation is the direction towards the camera.
glm::vec3 line_of_sight(const glm::mat4& view) {
  return -glm::normalize(glm::vec3(view[0][2], view[1][2], view[2][2]));
}

bool BodyLayer::to_levels() const { return part == shared::part_large || part == shared::part_spread; }

BodyProgram::BodyProgram(const ShaderSources& sources, const BodyText& text,
                         const std::function<void(BodyProgram&, UniformTable&)>& find_more) {
  program = ShaderProgram(sources, [&](UniformTable& uniforms) {
    view = uniforms.find<glm::mat4>("view");
    projection = uniforms.find<glm::mat4>("projection");
    picture = uniforms.find<glm::vec3>("picture");
    sprite = uniforms.find<glm::vec4>("sprite");
    grid = uniforms.find<glm::vec2>("grid");
    color_range = uniforms.find<glm::vec3>("color_range");
    color_flags = uniforms.find<glm::vec2>("color_flags");
    outside = uniforms.find<glm::vec4>("outside", shared::outside_colors);
    line_of_sight = uniforms.find<glm::vec3>("line_of_sight");
    palette = uniforms.find<glm::vec4>("palette", shared::body_components);
    stars = uniforms.find<glm::vec3>("stars", shared::body_components);
    singled_out = uniforms.find<glm::uint>("singled_out");
    apart = uniforms.find<glm::vec4>("apart", shared::galaxy_looks);
    apart_light = uniforms.find<glm::vec2>("apart_light");
    part = uniforms.find<glm::uint>("part");
    spreading = uniforms.find<glm::vec4>("spreading");
    coarser = uniforms.find<float>("coarser");
    screen_density = uniforms.find<glm::vec3>("crowding");
    levels = uniforms.find<glm::vec4>("levels", shared::most_levels);
    level_count = uniforms.find<glm::uint>("level_count");
    canvas = uniforms.find<glm::vec2>("canvas");
    corner = uniforms.find<glm::vec2>("corner");
    for (auto* effect : text.effects) set_effects.push_back(effect->find_uniforms(uniforms));
    if (find_more) find_more(*this, uniforms);
  });
}

void find_work(BodyProgram& made, UniformTable& uniforms) { made.work = uniforms.find<glm::uvec2>("work"); }

BodyLook::BodyLook(Maker maker, const BodyEffect* drawn)
    : maker_(std::move(maker)), drawn_(drawn), max_point_size_(gl_info().max_point_size) {}

const BodyProgram& BodyLook::program(const std::string& color_mode, std::span<BodyEffect* const> effects) {
  const ColorMode& mode = color_mode_named(color_mode);
  const std::pair key(&mode, std::vector<BodyEffect*>(effects.begin(), effects.end()));
  auto found = programs_.find(key);
  if (found == programs_.end()) {
    const BodyText text{
        .name = fmt::format("colour mode {}, {} effects", mode.name, effects.size()),
        .glsl = fmt::format("float scalar() {{ {} }}\n{}", mode.glsl, effects_glsl(effects, drawn_)),
        .effects = effects};
    found = programs_.emplace(key, maker_(text)).first;
  }
  return found->second;
}

GlName BodyLook::color_texture(const ColorMap& map, bool even) {
  const std::pair key(&map, even);
  auto found = color_textures_.find(key);
  if (found == color_textures_.end())
    found = color_textures_.emplace(key, texture_of(color_texels(map, even))).first;
  return found->second.name();
}

glm::vec4 BodyLook::sprite(const BodyStyle& style) const { return sprite_widths(style, max_point_size_); }

glm::vec4 sprite_widths(const BodyStyle& style, float max_point_size) {
  const float largest_allowed = (max_point_size - 1.0F) * shared::half_maximum;
  const float largest =
      std::clamp(style.max_size_px * style.pixel_scale, smallest_sprite_px, largest_allowed);
  return {style.size_px * style.pixel_scale, smallest_sprite_px, largest,
          style.perspective_size ? style.reference_distance : 0.0F};
}

const BodyProgram& BodyLook::use(const BodyView& from, int margin, const BodyStyle& style,
                                 const BodyLayer& layer) {
  const ColorMode& mode = color_mode_named(style.color_mode);
  const GlName texture = color_texture(ColorScale(style, mode).map(), style.equal_luminance);
  const BodyProgram& bodies = program(style.color_mode, layer.effects);
  bodies.view.set(from.view);
  bodies.projection.set(from.projection);
  bodies.picture.set({glm::vec2(from.size_px), static_cast<float>(margin)});
  bodies.sprite.set(sprite(style));
  bodies.grid.set({static_cast<float>(std::max(style.grid_columns, 1U)), style.grid_spacing});
  bodies.line_of_sight.set(line_of_sight(from.view));
  set_color_uniforms(bodies, mode, style);
  set_galaxy_uniforms(bodies, style);
  set_layer_uniforms(bodies, from, style, layer);
  glBindTextureUnit(shared::color_map_unit, texture);
  for (const auto& set : bodies.set_effects) set(style);
  bodies.program.use();
  return bodies;
}

std::size_t rough_stride(std::size_t bodies) {
  constexpr std::size_t enough = 2800;
  constexpr std::array<std::size_t, 7> strides{1, 7, 11, 17, 31, 61, most_vertex_stride};
  const auto* const found = std::ranges::upper_bound(strides, bodies / enough);
  return found == strides.begin() ? 1 : *(found - 1);
}

float widest_spread(glm::ivec2 size) { return 0.25F * static_cast<float>(size.y); }

float spread_reach(const BodyStyle& style, glm::ivec2 size) {
  return std::min(style.spread_reach * static_cast<float>(size.y), widest_spread(size));
}

float largest_point(const glm::vec4& sprite) {
  const float width = sprite.w > 0.0F ? sprite.z : std::clamp(sprite.x, sprite.y, sprite.z);
  return width / shared::half_maximum + 1.0F;
}

}  // namespace orrery::render
