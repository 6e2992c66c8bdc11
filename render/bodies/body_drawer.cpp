#include "render/bodies/body_drawer.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/context/gl.h"
#include "render/context/shader_constants.h"
#include "render/error.h"

namespace orrery::render {
namespace {

std::string milliseconds(const std::optional<double>& time) {
  return time ? fmt::format("{:.2f} ms", *time) : std::string("?");
}

/// With fewer bodies no image is wide, and light levels cost more than they save.
constexpr std::size_t fewest_for_levels = 1000;
/// Wider images go to the levels.
const float largest_direct_px = 2.0F * shared::widest_in_level * shared::half_maximum;

float half_width(float size_px, const BodyStyle& style) {
  return 0.5F * std::min(size_px, style.max_size_px) * style.pixel_scale / shared::half_maximum;
}

float largest_half_width(const BodyStyle& style) {
  return half_width(style.perspective_size ? style.max_size_px : style.size_px, style);
}

float smallest_half_width(const BodyStyle& style) {
  return style.perspective_size ? 0.0F : half_width(style.size_px, style);
}

bool has_wide_images(const BodyStyle& style, std::size_t bodies) {
  if (!style.radii.empty() || bodies < fewest_for_levels) return false;
  return style.spread_share > 0.0F || largest_half_width(style) >= shared::widest_in_level;
}

std::span<BodyEffect* const> effects_on(const BodyStyle& style) {
  if (!style.radii.empty()) return {};
  return style.effects;
}

void draw_effects(const BodyScene& scene, const Accumulation& light, const BodyLayer& layer) {
  for (auto* effect : layer.effects) {
    glBindFramebuffer(GL_FRAMEBUFFER, light.framebuffer());
    effect->draw(scene, layer);
  }
}

}  // namespace

BodyDrawer::BodyDrawer() : BodyDrawer(gl_info().software) {}

BodyDrawer::BodyDrawer(bool software) : software_(software) {}

std::string BodyDrawer::why_not_compute(std::size_t bodies, glm::ivec2 size) {
  if (!failure_.empty()) return failure_;
  if (!splatter_) splatter_ = std::make_unique<BodySplatter>();
  return splatter_->refusal(bodies, size);
}

DrawMethod BodyDrawer::choose(std::size_t bodies, glm::ivec2 size, const BodyStyle& style,
                              Splatting splatting) {
  refusal_.clear();
  const bool needless = splatting == Splatting::automatic && software_;
  // Discs are few.
  if (splatting == Splatting::raster || needless || !style.radii.empty()) return DrawMethod::sprites;
  refusal_ = why_not_compute(bodies, size);
  if (!refusal_.empty()) return DrawMethod::sprites;
  if (splatting == Splatting::compute) return DrawMethod::compute;
  for (const auto& [label, time] : timer_.take()) chooser_.add(label, time);
  const auto pixels = static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y);
  const float sprite_px = style.size_px * style.pixel_scale;
  const bool wide = has_wide_images(style, bodies);
  return chooser_.next({bodies, wide ? std::min(sprite_px, largest_direct_px) : sprite_px, pixels});
}

void BodyDrawer::draw(const BodyBuffers& buffers, int slot, const BodyView& from, const Accumulation& light,
                      const BodyStyle& style, Splatting splatting) {
  splatting_ = splatting;
  by_processor_ = software_ && style.rough && splatting == Splatting::automatic &&
                  ProcessorSplatter::suits(buffers, slot, from, style);
  if (by_processor_) return processor_.draw(buffers, slot, from, style, light);
  method_ = choose(buffers.bodies(), light.size(), style, splatting);
  const bool comparing = splatting == Splatting::automatic && chooser_.is_measuring() && refusal_.empty();
  const bool timed = comparing && !software_ && timer_.begin(chooser_.label());
  std::string problem;
  const BodyScene scene{buffers, slot, from, style};
  if (method_ == DrawMethod::compute) try {
      draw_by(DrawMethod::compute, scene, light);
    } catch (const Error& error) {
      problem = error.what();
      method_ = DrawMethod::sprites;
    }
  // A mistake in the style is thrown here: no reason to give compute up.
  if (method_ == DrawMethod::sprites) draw_by(DrawMethod::sprites, scene, light);
  if (!problem.empty()) failure_ = refusal_ = problem;
  if (timed) timer_.end();
}

void BodyDrawer::draw_by(DrawMethod method, const BodyScene& scene, const Accumulation& light) {
  for (auto* effect : effects_on(scene.style)) effect->prepare(scene);
  if (has_wide_images(scene.style, scene.buffers.bodies()))
    draw_layers(method, scene, light);
  else
    draw_alone(method, scene, light);
}

/// Without levels: all light is in the stars.
void BodyDrawer::draw_alone(DrawMethod method, const BodyScene& scene, const Accumulation& light) {
  const BodyLayer layer{.effects = effects_on(scene.style)};
  glBindFramebuffer(GL_FRAMEBUFFER, light.framebuffer());
  draw_part(method, scene, light, layer);
  draw_effects(scene, light, layer);
}

/// Counts the screen density, if the style needs it; else null.
const ScreenDensity* BodyDrawer::count(DrawMethod method, const BodyScene& scene) {
  if (scene.style.spread_share <= 0.0F) return nullptr;
  auto& screen_density = crowding_.at(static_cast<std::size_t>(method));
  if (!screen_density) screen_density = std::make_unique<ScreenDensity>(method);
  // What the other way counted is of an earlier picture.
  for (const auto& other : crowding_)
    if (other && other != screen_density) other->forget();
  screen_density->update(scene.buffers, scene.slot, scene.from, scene.style);
  return screen_density.get();
}

void BodyDrawer::draw_layers(DrawMethod method, const BodyScene& scene, const Accumulation& light) {
  if (!levels_) levels_.emplace();
  const glm::ivec2 whole = scene.from.size_px;
  levels_->resize(light.size(), std::max(widest_spread(whole), largest_half_width(scene.style)), whole);
  BodyLayer layer{
      .levels = &*levels_, .screen_density = count(method, scene), .effects = effects_on(scene.style)};
  glBindFramebuffer(GL_FRAMEBUFFER, light.framebuffer());
  if (smallest_half_width(scene.style) < shared::widest_in_level) {
    layer.part = shared::part_stars;
    draw_part(method, scene, light, layer);
  }
  draw_effects(scene, light, layer);
  levels_->begin();
  if (largest_half_width(scene.style) >= shared::widest_in_level) {
    layer.part = shared::part_large;
    draw_part(method, scene, light, layer);
  }
  if (layer.screen_density != nullptr) {
    layer.part = shared::part_spread;
    if (scene.style.rough && method == DrawMethod::sprites)
      layer.stride = rough_stride(scene.buffers.bodies());
    draw_part(method, scene, light, layer);
  }
  levels_->add_to(light);
}

void BodyDrawer::draw_part(DrawMethod method, const BodyScene& scene, const Accumulation& light,
                           const BodyLayer& layer) {
  const auto& [buffers, slot, from, style] = scene;
  if (method == DrawMethod::sprites)
    sprites_.draw(buffers, slot, from, style, layer);
  else if (layer.to_levels())
    splatter_->draw(buffers, slot, from, *levels_, style, layer);
  else
    splatter_->draw(buffers, slot, from, light, style, layer);
}

std::string BodyDrawer::comparison() const {
  if (software_) return "software OpenGL";
  if (!chooser_.winner())
    return chooser_.is_measuring() ? "both ways are being timed" : "the sprites are large";
  const bool compute = method_ == DrawMethod::compute;
  return fmt::format("{}; {} {}", milliseconds(chooser_.time(method_)), compute ? "point sprites" : "compute",
                     milliseconds(chooser_.time(compute ? DrawMethod::sprites : DrawMethod::compute)));
}

void BodyDrawer::release() {
  splatter_.reset();
  levels_.reset();
  for (auto& each : crowding_) each.reset();
  processor_ = {};
}

std::string BodyDrawer::how() const {
  if (by_processor_) return "the CPU, while it moves (software OpenGL)";
  const std::string name = method_ == DrawMethod::compute ? "compute" : "point sprites";
  if (!refusal_.empty()) return fmt::format("{} (not by compute: {})", name, refusal_);
  return splatting_ == Splatting::automatic ? fmt::format("{} ({})", name, comparison()) : name;
}

}  // namespace orrery::render
