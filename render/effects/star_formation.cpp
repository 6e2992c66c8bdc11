#include "render/effects/star_formation.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "render/bodies/body_arrays.h"
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
/// More bodies are not counted one by one; with software OpenGL fewer.
constexpr std::size_t most_counted = 2'000'000, most_counted_by_software = 200'000;
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
  glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
  glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(texture, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(texture, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glNamedFramebufferTexture(map.framebuffer.name(), GL_COLOR_ATTACHMENT0, texture, 0);
  return map;
}

glm::uint bits_of(const std::array<bool, 8>& components) {
  glm::uint bits = 0;
  for (std::size_t i = 0; i < components.size(); ++i) bits |= components.at(i) ? 1U << i : 0U;
  return bits;
}

/// The axes of the map: any that are across the normal and each other.
glm::mat2x3 axes_of(const StarFormationStyle& style) {
  const glm::vec3 other = std::abs(style.normal.x) < 0.7F ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0);
  const glm::vec3 right = glm::normalize(glm::cross(other, style.normal));
  return glm::mat2x3(right, glm::cross(style.normal, right)) / style.length;
}

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

// As in shaders/forming_light.glsl and shaders/forming.glsl.
float youth_of(float density) { return glm::smoothstep(0.75F, 1.5F, density); }
float plain_light(float youth) { return 0.5F + 1.2F * youth; }

float knot(std::uint32_t number, float part) {
  return glm::smoothstep(1.0F, 1.6F, part / part_of_lot(lot(number)));
}

}  // namespace

struct StarFormation::State {
  std::optional<MapUniforms> map_place;
  Uniform<glm::uvec2> components;
  Uniform<float> cells_of_side, pass, spacing;
  Uniform<glm::vec4> knots;
  PixelPass passes{suitable_pixel_stage()};
  ShaderProgram count, blur;
  BodyArrays arrays;
  PixelImage counts, rows, map;
  int cells = 0;
  std::vector<glm::vec4> read;  ///< the map in main memory
  glm::mat2x3 axes{0.0F};       ///< and its axes
  glm::vec4 mean{0.0F};

  State()
      : count({.name = "counting the disk",
               .vertex = {shaders::forming_map_glsl, shaders::forming_vert},
               .fragment = {shaders::forming_frag}},
              [this](UniformTable& uniforms) {
                map_place.emplace(uniforms);
                components = uniforms.find<glm::uvec2>("forming_components");
                cells_of_side = uniforms.find<float>("forming_cells");
              }),
        blur(passes.sources("density of the disk", {shaders::forming_light_glsl, shaders::forming_blur_glsl}),
             [this](UniformTable& uniforms) {
               pass = uniforms.find<float>("forming_pass");
               spacing = uniforms.find<float>("forming_spacing");
               knots = uniforms.find<glm::vec4>("forming_knots");
             }) {}

  void resize(int wanted) {
    if (wanted == cells) return;
    counts = make_map(wanted, GL_RG32F);
    rows = make_map(wanted, GL_RGBA32F);
    map = make_map(wanted, GL_RGBA32F);
    cells = wanted;
  }

  void count_bodies(const BodyScene& scene, const StarFormationStyle& style) const {
    const std::size_t bodies = scene.buffers.bodies();
    const std::size_t most = gl_info().software ? most_counted_by_software : most_counted;
    const std::size_t stride = std::min((bodies + most - 1) / most, most_vertex_stride);
    map_place->set(style);
    components.set({bits_of(style.counted), 1U << style.young});
    cells_of_side.set(static_cast<float>(cells));
    constexpr GLfloat none[4] = {0, 0, 0, 0};
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_DEPTH_TEST);
    glClearNamedFramebufferfv(counts.framebuffer.name(), GL_COLOR, 0, none);
    glBindFramebuffer(GL_FRAMEBUFFER, counts.framebuffer.name());
    glViewport(0, 0, cells, cells);
    glEnable(GL_PROGRAM_POINT_SIZE);
    arrays.bind(scene.buffers, scene.slot, stride);
    count.use();
    add_light();
    glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>((bodies + stride - 1) / stride));
    glDisable(GL_BLEND);
    glBindVertexArray(0);
    glGenerateTextureMipmap(counts.texture.name());
  }

  void find_density(const StarFormationStyle& style) const {
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
  state_->count_bodies(scene, style);
  state_->find_density(style);
}

void StarFormation::read_back() {
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
  const glm::vec2 in_plane = (position - style.middle) * state_->axes;
  const glm::vec2 at = 0.5F + 0.5F * in_plane / (1.0F + glm::length(in_plane));
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
