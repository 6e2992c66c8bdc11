#include "render/bodies/processor_splatter.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>
#include <numbers>
#include <optional>

#include "render/bodies/body_effect.h"
#include "render/bodies/color_scale.h"
#include "render/bodies/lot.h"
#include "render/color_maps/color_space.h"
#include "render/context/gl.h"
#include "render/context/shader_constants.h"

namespace orrery::render {
namespace {

/// Spread bodies are drawn on coarser levels, as by OpenGL.
constexpr int levels_coarser = 1;

glm::vec2 own_deviates(std::uint32_t body) {
  const std::uint32_t first = lot(body);
  const float radius = std::sqrt(-2.0F * std::log(std::max(part_of_lot(first), shared::least_deviate)));
  const float angle = 2.0F * std::numbers::pi_v<float> * part_of_lot(lot(first));
  return radius * glm::vec2(std::cos(angle), std::sin(angle));
}

glm::vec4 star_light(std::uint32_t body, const glm::vec3& kind) {
  if (kind.x == 0.0F && kind.y == 0.0F) return glm::vec4(1.0F);
  const glm::vec2 deviates = own_deviates(body);
  const float redness = kind.z * deviates.x + std::sqrt(1.0F - kind.z * kind.z) * deviates.y;
  const glm::vec4 slopes = kind.y * glm::vec4(1.0F, 0.15F, -1.0F, 0.0F);
  const glm::vec4 log_light = kind.x * deviates.x + slopes * redness;
  return glm::exp(log_light - 0.5F * (kind.x * kind.x + slopes * slopes) - kind.z * kind.x * slopes);
}

/// The mean light of a body, in the colours of a style: body_light of shaders/body.glsl.
class BodyColors {
 public:
  BodyColors(const BodyBuffers& buffers, int slot, const BodyView& from, const BodyStyle& style)
      : mode_(color_mode_named(style.color_mode)),
        palette_(lit_palette(style)),
        style_(style),
        buffers_(buffers),
        position_(buffers.mapped_position(slot)),
        velocity_(buffers.mapped_velocity(slot)),
        line_of_sight_(line_of_sight(from.view)) {
    if (mode_.categorical) return;
    scale_.emplace(style, mode_);
    colors_ = color_texels(scale_->map(), style.equal_luminance);
  }

  glm::vec4 light(std::size_t body) const {
    const float weight = palette_[component(body)].a;
    return set_apart(body, glm::vec4(color(body), 1.0F) * weight);
  }

  float weight(std::size_t body) const { return palette_[component(body)].a; }

  glm::vec4 passes(std::size_t body, const ProcessorEffect& effect) const {
    const float* const at = position_ + 4 * body;
    return effect.passes({at[0], at[1], at[2]}, static_cast<std::uint32_t>(component(body)),
                         static_cast<std::uint32_t>(body));
  }

 private:
  std::size_t component(std::size_t body) const {
    return std::min<std::size_t>(buffers_.components()[body], shared::last_component);
  }

  float scalar(std::size_t body) const {
    const float* const at = position_ + 4 * body;
    const float* const moves = velocity_ + 4 * body;
    return mode_.scalar({.position = {at[0], at[1], at[2]},
                         .mass = at[3],
                         .velocity = {moves[0], moves[1], moves[2]},
                         .component = buffers_.components()[body],
                         .galaxy = buffers_.galaxies()[body],
                         .body = static_cast<std::uint32_t>(body),
                         .quantity = buffers_.quantities().empty() ? 0.0F : buffers_.quantities()[body],
                         .acceleration = std::sqrt(moves[3]),
                         .line_of_sight = line_of_sight_});
  }

  glm::vec3 color(std::size_t body) const {
    if (mode_.is_color)
      return linear_from_packed(scalar(body)).value_or(glm::vec3(palette_[component(body)]));
    if (mode_.categorical) {
      const float value = std::clamp(scalar(body), 0.0F, static_cast<float>(shared::last_component));
      return glm::vec3(palette_[static_cast<std::size_t>(value)]);
    }
    return scale_->color(scalar(body), [this](float place) {
      const float above = place * static_cast<float>(colors_.size() - 1) + 0.5F;  // and it is not below 0
      return colors_[static_cast<std::size_t>(above)];
    });
  }

  glm::vec4 set_apart(std::size_t body, glm::vec4 light) const {
    if (style_.singled_out == no_galaxy) return light;
    const bool one = buffers_.galaxies()[body] == style_.singled_out;
    const GalaxyLook& look = one ? style_.singled_out_look : style_.others_look;
    const glm::vec3 mixed = glm::mix(glm::vec3(light), look.color * light.a, look.color_share);
    return glm::vec4(mixed, light.a) * look.light;
  }

  const ColorMode& mode_;
  LitPalette palette_;
  const BodyStyle& style_;
  const BodyBuffers& buffers_;
  const float* position_;
  const float* velocity_;
  glm::vec3 line_of_sight_;
  std::optional<ColorScale> scale_;  ///< for colours that are no categories
  std::vector<glm::vec3> colors_;
};

ProcessorEffect* on_processor(BodyEffect* effect) { return dynamic_cast<ProcessorEffect*>(effect); }

bool is_finite(const glm::vec4& clip) { return std::isfinite(clip.x + clip.y + clip.z + clip.w); }

}  // namespace

bool ProcessorSplatter::suits(const BodyBuffers& buffers, int slot, const BodyView& from,
                              const BodyStyle& style) {
  return buffers.mapped_position(slot) != nullptr && !buffers.components().empty() && style.radii.empty() &&
         std::ranges::all_of(style.effects, [](auto* effect) { return on_processor(effect) != nullptr; }) &&
         from.tile.is_whole();
}

void ProcessorSplatter::find_seen(const BodyBuffers& buffers, int slot, const BodyView& from,
                                  const BodyStyle& style) {
  const glm::mat4 matrix = from.projection * from.view;
  const glm::vec2 size(from.size_px);
  const glm::vec4 sprite = sprite_widths(style);
  const auto palette = lit_palette(style);
  const float* const positions = buffers.mapped_position(slot);
  const bool grid = style.grid_columns > 1 || style.grid_spacing != 0.0F;
  seen_.clear();
  for (std::size_t body = 0; body < buffers.bodies(); ++body) {
    const auto component = std::min<std::size_t>(buffers.components()[body], shared::last_component);
    if (palette[component].a <= 0.0F) continue;
    const float* const at = positions + 4 * body;
    glm::vec3 place(at[0], at[1], at[2]);
    if (grid) place += grid_offset(buffers.galaxies()[body], style);
    const glm::vec4 clip = matrix * glm::vec4(place, 1.0F);
    if (!(clip.w > 0.0F) || !is_finite(clip) || std::abs(clip.z) > clip.w) continue;
    const glm::vec2 pixel = (glm::vec2(clip) / clip.w * 0.5F + 0.5F) * size;
    // Not even light that is spread reaches the picture from there.
    if (glm::any(glm::greaterThan(glm::abs(pixel - 0.5F * size), 1.5F * size))) continue;
    const float scale = sprite.w > 0.0F ? sprite.w / clip.w : 1.0F;
    const float width = std::clamp(sprite.x * scale, sprite.y, sprite.z);
    seen_.push_back({body, pixel, width * 0.5F / shared::half_maximum});
  }
}

/// Only where bodies or options changed.
void ProcessorSplatter::vary_stars(const BodyBuffers& buffers, const StarKinds& kinds) {
  const auto components = buffers.components();
  if (kinds == star_kinds_ && std::ranges::equal(components, star_components_)) return;
  star_kinds_ = kinds;
  star_components_.assign(components.begin(), components.end());
  star_light_.resize(components.size());
  for (std::size_t i = 0; i < components.size(); ++i)
    star_light_[i] = star_light(static_cast<std::uint32_t>(i),
                                kinds.at(std::min<std::size_t>(components[i], shared::last_component)));
}

void ProcessorSplatter::add_bodies(const BodyBuffers& buffers, int slot, const BodyView& from,
                                   const BodyStyle& style) {
  const BodyColors colors(buffers, slot, from, style);
  const std::size_t stride = rough_stride(buffers.bodies());
  const float widest = std::min(pyramid_.widest(), spread_reach(style, from.size_px));
  stars_.clear();
  for (const auto& [body, place, half_width] : seen_) {
    glm::vec4 light = colors.light(body);
    for (const auto* effect : effects_) light *= colors.passes(body, *effect);
    float spread = 0.0F;
    if (style.spread_share > 0.0F) {
      const float wanted = crowd_.half_width(place);
      const float width = std::min(wanted, widest);
      const float least = std::max(half_width, 0.8F * shared::widest_in_level);
      const float held = width / wanted;
      spread = style.spread_share * held * held * glm::smoothstep(1.0F, 2.0F, width / least);
      if (spread > 0.0F && body % stride == 0)
        pyramid_.add_wide(place, width, light * (spread * static_cast<float>(stride)), levels_coarser);
    }
    const glm::vec4 own = light * star_light_[body] * (1.0F - spread);
    if (half_width >= shared::widest_in_level)
      pyramid_.add_wide(place, half_width, own, 0);
    else
      stars_.push_back({place, half_width, own});
  }
  pyramid_.add_levels();
  for (const auto& star : stars_) pyramid_.add_star(star.place, star.half_width, star.light);
}

void ProcessorSplatter::draw(const BodyBuffers& buffers, int slot, const BodyView& from,
                             const BodyStyle& style, const Accumulation& light) {
  effects_.clear();
  for (auto* effect : style.effects) {
    effects_.push_back(on_processor(effect));
    effects_.back()->prepare_in_memory({buffers, slot, from, style});
  }
  find_seen(buffers, slot, from, style);
  vary_stars(buffers, star_kinds(color_mode_named(style.color_mode), style));
  if (style.spread_share > 0.0F) {
    crowd_.begin(from.size_px, style.spread_neighbours);
    for (const auto& seen : seen_) crowd_.add(seen.place);
    crowd_.finish();
  }
  pyramid_.begin(light.size(), widest_spread(from.size_px));
  add_bodies(buffers, slot, from, style);
  light.write(pyramid_.picture());
}

}  // namespace orrery::render
