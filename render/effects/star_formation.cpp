#include "render/effects/star_formation.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "render/bodies/body_buffers.h"
#include "render/bodies/body_look.h"
#include "render/bodies/lot.h"
#include "render/context/gl.h"
#include "render/context/pixel_pass.h"
#include "render/context/shader_constants.h"
#include "render/context/target.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

/// Cells along a side of the map; of more bodies than those twice as many.
constexpr int few_cells = 128;
constexpr float bodies_for_more_cells = 200'000.0F;
/// More bodies are not counted one by one; by the CPU fewer.
constexpr std::size_t most_counted = 2'000'000, most_counted_by_processor = 200'000;
/// The narrow blur is this wide for so many bodies; wider for fewer, whose noise would be taken for arms.
constexpr float bodies_for_narrow = 10'000.0F, widest_spacing = 2.5F;

std::string glsl() {
  std::string text;
  for (const auto part : {shaders::forming_map_glsl, shaders::forming_light_glsl, shaders::forming_glsl})
    text += part;
  return text;
}

/// A map of `cells` x `cells` with all its means.
PixelImage make_map(int cells, unsigned int format) {
  PixelImage map{make_texture(GL_TEXTURE_2D), make_framebuffer(), {cells, cells}, format};
  const GlName texture = map.texture.name();
  const auto levels = static_cast<GLsizei>(std::lround(std::log2(cells))) + 1;
  glTextureStorage2D(texture, levels, format, cells, cells);
  set_sampling(map.texture, GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR);
  glNamedFramebufferTexture(map.framebuffer.name(), GL_COLOR_ATTACHMENT0, texture, 0);
  return map;
}

glm::uint bits_of(const std::array<bool, 8>& components) {
  glm::uint bits = 0;
  for (std::size_t i = 0; i < components.size(); ++i) bits |= components.at(i) ? 1U << i : 0U;
  return bits;
}

/// The axes of the map: any that are across the normal and each other.
glm::mat2x3 axes_of(const StarFormationStyle& style) { return axes_across(style.normal) / style.length; }

/// The uniforms of shaders/forming_map.glsl.
struct MapUniforms {
  Uniform<glm::vec3> middle, right, up;
  explicit MapUniforms(UniformTable& uniforms)
      : middle(uniforms.find<glm::vec3>("forming_middle")),
        right(uniforms.find<glm::vec3>("forming_right")),
        up(uniforms.find<glm::vec3>("forming_up")) {}
  void set(const StarFormationStyle& style) const {
    const auto axes = axes_of(style);
    middle.set(style.middle);
    right.set(axes[0]);
    up.set(axes[1]);
  }
};

/// As in shaders/forming_map.glsl.
glm::vec2 place_in_map(const glm::vec3& place, const StarFormationStyle& style, const glm::mat2x3& axes) {
  const glm::vec2 in_plane = (place - style.middle) * axes;
  return 0.5F + 0.5F * in_plane / (1.0F + glm::length(in_plane));
}

std::size_t stride_of(std::size_t bodies, std::size_t most) {
  return std::min((bodies + most - 1) / most, most_vertex_stride);
}

// As in shaders/forming_light.glsl and shaders/forming.glsl.
float youth_of(float density) { return glm::smoothstep(0.75F, 1.5F, density); }
float plain_light(float youth) { return 0.5F + 1.2F * youth; }

float knot(std::uint32_t number, float part) {
  return glm::smoothstep(1.0F, 1.6F, part / part_of_lot(lot(number)));
}

}  // namespace

struct StarFormation::State {
  std::optional<MapUniforms> map_place;
  Uniform<glm::uvec2> work, components;
  Uniform<float> pass, spacing;
  Uniform<glm::vec4> knots;
  PixelPass passes{suitable_pixel_stage()};
  ShaderProgram count, read_numbers, blur;
  Texture numbers;  ///< counts as whole numbers
  PixelImage counts, rows, map;
  int cells = 0;
  std::vector<glm::vec2> counted;  ///< the counts in main memory
  std::vector<glm::vec4> read;     ///< the map in main memory
  glm::mat2x3 axes{0.0F};          ///< and its axes
  glm::vec4 mean{0.0F};

  State()
      : count({.name = "counting the disk", .compute = {shaders::forming_map_glsl, shaders::forming_comp}},
              [this](UniformTable& uniforms) {
                map_place.emplace(uniforms);
                work = uniforms.find<glm::uvec2>("work");
                components = uniforms.find<glm::uvec2>("forming_components");
              }),
        read_numbers(passes.sources("reading the disk's counts", {shaders::forming_read_glsl})),
        blur(passes.sources("density of the disk", {shaders::forming_light_glsl, shaders::forming_blur_glsl}),
             [this](UniformTable& uniforms) {
               pass = uniforms.find<float>("forming_pass");
               spacing = uniforms.find<float>("forming_spacing");
               knots = uniforms.find<glm::vec4>("forming_knots");
             }) {}

  void resize(int wanted) {
    if (wanted == cells) return;
    numbers = make_texture(GL_TEXTURE_2D);
    glTextureStorage2D(numbers.name(), 1, GL_R32UI, 2 * wanted, wanted);
    set_sampling(numbers, GL_NEAREST, GL_NEAREST, false);
    counts = make_map(wanted, GL_RG32F);
    rows = make_map(wanted, GL_RGBA32F);
    map = make_map(wanted, GL_RGBA32F);
    cells = wanted;
  }

  void count_on_device(const BodyScene& scene, const StarFormationStyle& style) const {
    const std::size_t bodies = scene.buffers.bodies(), stride = stride_of(bodies, most_counted);
    constexpr GLuint none[4] = {0, 0, 0, 0};
    glClearTexImage(numbers.name(), 0, GL_RED_INTEGER, GL_UNSIGNED_INT, none);
    map_place->set(style);
    components.set({bits_of(style.counted), 1U << style.young});
    work.set({static_cast<glm::uint>(bodies), static_cast<glm::uint>(stride)});
    for (const int place : {shared::position_place, shared::component_place})
      bind_storage(place, scene.buffers.buffer(place, scene.slot));
    glBindImageTexture(shared::crowd_image, numbers.name(), 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
    count.use();
    dispatch_groups(groups_of((bodies + stride - 1) / stride, shared::splat_group));
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
    glBindTextureUnit(shared::forming_counts_unit, numbers.name());
    passes.run(read_numbers, counts);
  }

  /// Software OpenGL takes many times as long.
  void count_in_memory(const BodyScene& scene, const StarFormationStyle& style) {
    const std::size_t bodies = scene.buffers.bodies(), stride = stride_of(bodies, most_counted_by_processor);
    const float* const positions = scene.buffers.mapped_position(scene.slot);
    const auto components_of = scene.buffers.components();
    const auto plane = axes_of(style);
    counted.assign(static_cast<std::size_t>(cells) * static_cast<std::size_t>(cells), glm::vec2(0.0F));
    for (std::size_t body = 0; body < bodies; body += stride) {
      const auto component = std::min<std::size_t>(components_of[body], shared::last_component);
      if (!style.counted.at(component)) continue;
      const float* const at = positions + 4 * body;
      const glm::vec2 cell =
          glm::floor(place_in_map({at[0], at[1], at[2]}, style, plane) * static_cast<float>(cells));
      if (!(cell.x >= 0.0F && cell.y >= 0.0F && cell.x < static_cast<float>(cells) &&
            cell.y < static_cast<float>(cells)))
        continue;
      const auto index = static_cast<std::size_t>(cell.y) * static_cast<std::size_t>(cells) +
                         static_cast<std::size_t>(cell.x);
      counted[index] += glm::vec2(1.0F, component == style.young ? 1.0F : 0.0F);
    }
    glTextureSubImage2D(counts.texture.name(), 0, 0, 0, cells, cells, GL_RG, GL_FLOAT, counted.data());
  }

  void find_density(const StarFormationStyle& style) const {
    glGenerateTextureMipmap(counts.texture.name());
    const float few = std::sqrt(bodies_for_narrow / std::max(style.disk_bodies, 1.0F));
    spacing.set(std::clamp(few, 1.0F, widest_spacing));
    knots.set(style.knots);
    glBindTextureUnit(shared::forming_counts_unit, counts.texture.name());
    glBindTextureUnit(shared::forming_map_unit, counts.texture.name());
    pass.set(0.0F);
    passes.run(blur, rows);
    glBindTextureUnit(shared::forming_map_unit, rows.texture.name());
    pass.set(1.0F);
    passes.run(blur, map);
    glGenerateTextureMipmap(map.texture.name());
  }

  /// Linear between the middles of cells.
  float density(glm::vec2 at) const {
    const glm::vec2 middle = at * static_cast<float>(cells) - 0.5F;
    const glm::vec2 low = glm::floor(middle), part = middle - low;
    const auto value = [&](int x, int y) {
      const glm::ivec2 cell = glm::clamp(glm::ivec2(low) + glm::ivec2(x, y), 0, cells - 1);
      return read[static_cast<std::size_t>(cell.y * cells + cell.x)].r;
    };
    return glm::mix(glm::mix(value(0, 0), value(1, 0), part.x), glm::mix(value(0, 1), value(1, 1), part.x),
                    part.y);
  }
};

StarFormation::StarFormation() = default;

StarFormation::~StarFormation() = default;

BodyEffect::Code StarFormation::code() const {
  static const std::string text = glsl();
  return {.glsl = text, .passes = "forming_passes"};
}

BodyEffect::Setter StarFormation::find_uniforms(UniformTable& uniforms) {
  const MapUniforms place(uniforms);
  const auto knots = uniforms.find<glm::vec4>("forming_knots");
  const auto older = uniforms.find<glm::vec4>("forming_older");
  const auto pink = uniforms.find<glm::vec4>("forming_pink");
  return [this, place, knots, older, pink](const BodyStyle& /*bodies*/) {
    place.set(style);
    knots.set(style.knots);
    older.set({style.older, static_cast<float>(style.young)});
    pink.set({style.pink, style.strength});
    if (state_) glBindTextureUnit(shared::forming_map_unit, state_->map.texture.name());
  };
}

void StarFormation::prepare(const BodyScene& scene) {
  if (!state_) state_ = std::make_unique<State>();
  state_->resize(style.disk_bodies > bodies_for_more_cells ? 2 * few_cells : few_cells);
  if (counted_in_memory(scene))
    state_->count_in_memory(scene, style);
  else
    state_->count_on_device(scene, style);
  state_->find_density(style);
}

void StarFormation::prepare_in_memory(const BodyScene& scene) {
  prepare(scene);
  auto& state = *state_;
  state.axes = axes_of(style);
  state.read.resize(static_cast<std::size_t>(state.cells) * static_cast<std::size_t>(state.cells));
  const GlName texture = state.map.texture.name();
  glGetTextureImage(texture, 0, GL_RGBA, GL_FLOAT,
                    static_cast<GLsizei>(state.read.size() * sizeof(glm::vec4)), state.read.data());
  const auto top = static_cast<GLint>(std::lround(std::log2(state.cells)));
  glGetTextureImage(texture, top, GL_RGBA, GL_FLOAT, sizeof(glm::vec4), &state.mean);
}

glm::vec4 StarFormation::passes(const glm::vec3& position, std::uint32_t component,
                                std::uint32_t body) const {
  if (component != style.young) return glm::vec4(1.0F);
  const glm::vec2 at = place_in_map(position, style, state_->axes);
  if (!std::isfinite(at.x + at.y)) return glm::vec4(1.0F);
  const float youth = youth_of(state_->density(at));
  const auto& knots = style.knots;
  const float pink = knot(body ^ 0x70696e6bU, knots.x * youth * youth) * knots.y;
  const float blue = knot(body ^ 0x626c7565U, knots.z * youth * youth) * knots.w;
  const float plain = plain_light(youth);
  const glm::vec3 color = plain * glm::mix(style.older, glm::vec3(1.0F), youth) + blue + pink * style.pink;
  const float mean = state_->mean.g > 0.0F ? state_->mean.g / state_->mean.b : 1.0F;
  return glm::mix(glm::vec4(1.0F), glm::vec4(color, plain + blue + pink) / mean, style.strength);
}

}  // namespace orrery::render
