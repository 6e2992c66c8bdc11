#include "render/bodies/body_splatter.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/bodies/body_look.h"
#include "render/context/gl.h"
#include "render/context/shader_constants.h"
#include "render/error.h"
#include "render/light/light_levels.h"
#include "render/light/light_sums.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

/// Bytes per body of the largest body array and of the sums.
constexpr std::size_t bytes_per_body = sizeof(glm::vec4);
constexpr std::size_t bytes_per_pixel = sizeof(glm::vec4);
static_assert(sizeof(glm::vec4) == 4 * sizeof(float));
static_assert(shared::splat_group % 32 == 0, "a team of up to 32 invocations must not lie in two groups");
constexpr const char* float_atomics_extension = "GL_NV_shader_atomic_float";

BodyProgram make_splat_program(const BodyText& text, bool float_atomics) {
  const ShaderSources sources{
      .name = fmt::format("splat, {}", text.name),
      .compute = {shaders::body_glsl, text.glsl, shaders::body_kernel_glsl, shaders::stored_bodies_glsl,
                  shaders::splat_comp},
      .directives = float_atomics ? fmt::format("#extension {} : require\n#define FLOAT_ATOMICS\n",
                                                float_atomics_extension)
                                  : std::string()};
  return {sources, text, find_work};
}

/// Enough invocations for the pixels of a sprite, four channels each; on small ones more would idle.
int suitable_team(const glm::vec4& sprite) {
  const float width = largest_point({glm::vec3(sprite), 0.0F});
  const float pixels = width * width;
  if (pixels <= 3.0F) return 8;
  return pixels <= 8.0F ? 16 : 32;
}

std::size_t pixels_of(glm::ivec2 size) {
  return static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y);
}

}  // namespace

BodySplatter::BodySplatter(Atomics atomics)
    : float_atomics_(atomics == Atomics::automatic && has_extension(float_atomics_extension)),
      look_([this](const BodyText& text) { return make_splat_program(text, float_atomics_); }) {
  GLint64 most = 0;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
  largest_block_ = static_cast<std::size_t>(std::max<GLint64>(most, 0));
}

std::string BodySplatter::refusal(std::size_t bodies, glm::ivec2 size_px) const {
  if (bodies > largest_block_ / bytes_per_body)
    return fmt::format("{} bodies; this OpenGL's compute shaders reach {}", bodies,
                       largest_block_ / bytes_per_body);
  if (pixels_of(size_px) > largest_block_ / bytes_per_pixel)
    return fmt::format("{} x {} pixels; this OpenGL's compute shaders reach {} in all", size_px.x, size_px.y,
                       largest_block_ / bytes_per_pixel);
  return {};
}

/// By so many invocations a body.
void BodySplatter::splat(const BodyScene& scene, const BodyLayer& layer, int invocations,
                         const LightSums& into) {
  const auto& buffers = scene.buffers;
  const std::string reason = refusal(buffers.bodies(), scene.from.canvas());
  if (!reason.empty()) throw Error("cannot draw by compute: " + reason);
  const BodyProgram& bodies = look_.use(scene.from, 0, scene.style, layer);
  bodies.work.set({static_cast<glm::uint>(buffers.bodies()), static_cast<glm::uint>(invocations)});
  for (const int place : {shared::position_place, shared::velocity_place, shared::component_place,
                          shared::galaxy_place, shared::quantity_place})
    bind_storage(place, buffers.buffer(place, scene.slot));
  into.bind();
  dispatch_groups(groups_of(buffers.bodies(), shared::splat_group));
}

void BodySplatter::set_team(int invocations) {
  if (invocations != 0 && invocations != 4 && invocations != 8 && invocations != 16 && invocations != 32)
    throw Error(fmt::format("{} invocations cannot share a body: take 4, 8, 16 or 32", invocations));
  team_ = invocations;
}

void BodySplatter::draw(const BodyBuffers& buffers, int slot, const BodyView& from, const Accumulation& light,
                        const BodyStyle& style, const BodyLayer& layer) {
  sums_.resize(light.size());
  const int team = team_ != 0 ? team_ : suitable_team(look_.sprite(style));
  splat({buffers, slot, from, style}, layer, team, sums_);
  sums_.add_to(light);
}

void BodySplatter::draw(const BodyBuffers& buffers, int slot, const BodyView& from, LightLevels& levels,
                        const BodyStyle& style, const BodyLayer& layer) {
  // Stars in levels are narrower than what is spread.
  const int suitable = layer.part == shared::part_large ? 16 : 32;
  splat({buffers, slot, from, style}, layer, team_ != 0 ? team_ : suitable, levels.sums());
  levels.sums().add_to(levels.all());
}

}  // namespace orrery::render
