#include "render/effects/dust.h"

#include <algorithm>
#include <cmath>

#include "render/bodies/body_arrays.h"
#include "render/bodies/body_look.h"
#include "render/color_modes/color_mode.h"
#include "render/context/gl.h"
#include "render/context/pixel_pass.h"
#include "render/context/shader_constants.h"
#include "render/context/target.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

/// Along the longer side of the picture.
constexpr float cells_of_side = 384.0F;
/// Cells around it, for bodies whose light reaches into it.
constexpr int cells_around = 8;
constexpr int rows_of_slices = shared::dust_slices / shared::dust_columns;
static_assert(rows_of_slices * shared::dust_columns == shared::dust_slices);
/// More clouds cost more than they smooth.
constexpr std::size_t most_clouds = 500'000;
constexpr std::size_t most_clouds_of_body = 32;
/// Bodies a cloud: OpenGL promises steps of 2048 bytes from one vertex to the next.
constexpr std::size_t most_stride = 128;

glm::ivec2 slice_place(int slice) { return {slice % shared::dust_columns, slice / shared::dust_columns}; }

PixelImage make_slices(glm::ivec2 size) {
  Texture texture = make_texture(GL_TEXTURE_2D);
  PixelImage slices{std::move(texture), make_framebuffer(), size, GL_R32F};
  attach_texture(slices.framebuffer, slices.texture, GL_R32F, size);
  glTextureParameteri(slices.texture.name(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(slices.texture.name(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  return slices;
}

/// The direction in which slices follow each other. Any that all lines of sight go along puts them in order
/// from the eye. The more it is across the layer, the more slices a line of sight has where there is dust:
/// along the lines themselves, a layer that is seen at a slant would have but one.
glm::vec3 way_through(const BodyView& from, glm::vec3 normal) {
  constexpr float least_advance = 0.1F;
  constexpr float mostly_across = 20.0F;
  const auto& view = from.view;
  const glm::vec3 right(view[0][0], view[1][0], view[2][0]), up(view[0][1], view[1][1], view[2][1]);
  const glm::vec3 forward = -glm::vec3(view[0][2], view[1][2], view[2][2]);
  if (glm::dot(forward, normal) < 0.0F) normal = -normal;
  // Tangents of the picture's edges; a picture can be off its axis.
  const float wide = (1.0F + std::abs(from.projection[2][0])) / from.projection[0][0];
  const float high = 1.0F / from.projection[1][1];
  // By how much the line of sight that is least across advances across the layer.
  const float least = glm::dot(forward, normal) - wide * std::abs(glm::dot(right, normal)) -
                      high * std::abs(glm::dot(up, normal));
  if (least > least_advance) return normal;
  const float share = least < 0.0F ? (1.0F - least_advance) / -least : mostly_across;
  return forward + std::min(share, mostly_across) * normal;
}

}  // namespace

struct Dust::State {
  Uniform<glm::vec4> layer_middle, layer_normal;
  Uniform<glm::vec2> amount;
  Uniform<float> carried;
  Setter set_own;
  BodyLook look;
  Uniform<glm::ivec2> step_back;
  ShaderProgram sum;
  BodyArrays arrays;
  VertexArray no_vertices = make_vertex_array();
  PixelImage slices;
  glm::ivec2 cells{0, 0};  ///< cells of a slice
  std::size_t stride = 1;  ///< one body in `stride` has clouds
  std::size_t clouds = 1;  ///< clouds per body that has clouds

  explicit State(Dust& dust)
      : look([this, &dust](const BodyText& text) { return make_program(dust, text); }),
        sum({.name = "sums of dust",
             .vertex = {shaders::fullscreen_vert},
             .fragment = {shaders::dust_sum_frag}},
            [this](UniformTable& uniforms) { step_back = uniforms.find<glm::ivec2>("step_back"); }) {}

  BodyProgram make_program(Dust& dust, const BodyText& text) {
    const ShaderSources sources{
        .name = "dust",
        .vertex = {shaders::body_glsl, text.glsl, shaders::dust_glsl, shaders::dust_vert},
        .fragment = {shaders::dust_frag}};
    BodyProgram made;
    made.program = ShaderProgram(sources, [&](UniformTable& uniforms) {
      made.find_uniforms(uniforms, text);
      set_own = dust.find_uniforms(uniforms);
      layer_middle = uniforms.find<glm::vec4>("layer_middle");
      layer_normal = uniforms.find<glm::vec4>("layer_normal");
      amount = uniforms.find<glm::vec2>("amount");
      carried = uniforms.find<float>("carried", shared::body_components);
    });
    return made;
  }

  void resize(glm::ivec2 wanted) {
    if (wanted == cells) return;
    slices = make_slices(wanted * glm::ivec2(shared::dust_columns, rows_of_slices));
    cells = wanted;
  }

  void divide(std::size_t bodies) {
    stride = std::min((bodies + most_clouds - 1) / most_clouds, most_stride);
    clouds = std::clamp<std::size_t>(most_clouds / std::max<std::size_t>(bodies, 1), 1, most_clouds_of_body);
  }

  void set_uniforms(const BodyView& from, const DustStyle& dust, float cells_of_pixel) const {
    layer_middle.set({dust.middle, dust.height});
    layer_normal.set({dust.normal, dust.spread});
    // The side of a cell at distance 1.
    const float pixel = 2.0F / (from.projection[1][1] * static_cast<float>(from.size_px.y));
    const float side = pixel / cells_of_pixel;
    const float each = dust.cross_section * static_cast<float>(stride) / static_cast<float>(clouds);
    amount.set({each / (side * side), static_cast<float>(stride)});
    std::array<float, shared::body_components> carriers{};
    std::ranges::transform(dust.carried, carriers.begin(), [](bool has) { return has ? 1.0F : 0.0F; });
    carried.set(std::span<const float>(carriers));
  }

  void draw_clouds(std::size_t bodies) const {
    constexpr GLfloat none[4] = {0, 0, 0, 0};
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_DEPTH_TEST);
    glClearNamedFramebufferfv(slices.framebuffer.name(), GL_COLOR, 0, none);
    glBindFramebuffer(GL_FRAMEBUFFER, slices.framebuffer.name());
    glViewport(0, 0, slices.size.x, slices.size.y);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE);
    glDrawArraysInstanced(GL_POINTS, 0, static_cast<GLsizei>((bodies + stride - 1) / stride),
                          static_cast<GLsizei>(clouds));
  }

  /// From the nearest slice to the farthest. What is read and what is written lie apart in one texture.
  void add_up() const {
    glBindVertexArray(no_vertices.name());
    glBindTextureUnit(shared::dust_unit, slices.texture.name());
    sum.use();
    for (int slice = 1; slice < shared::dust_slices; ++slice) {
      const glm::ivec2 corner = slice_place(slice) * cells;
      step_back.set(corner - slice_place(slice - 1) * cells);
      glTextureBarrier();
      glViewport(corner.x, corner.y, cells.x, cells.y);
      glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    glTextureBarrier();
    glDisable(GL_BLEND);
    glBindVertexArray(0);
  }
};

Dust::Dust() = default;

Dust::~Dust() = default;

BodyEffect::Code Dust::code() const { return {.glsl = shaders::dust_glsl, .passes = "dust_passes"}; }

BodyEffect::Setter Dust::find_uniforms(UniformTable& uniforms) {
  const auto dust = uniforms.find<glm::vec4>("dust");
  const auto grid = uniforms.find<glm::vec4>("dust_grid");
  return [this, dust, grid](const BodyStyle& /*style*/) {
    dust.set(absorption_);
    grid.set(grid_);
    glBindTextureUnit(shared::dust_unit, state_->slices.texture.name());
  };
}

/// Slices from one end of the layer to the other, as the eye passes them.
void Dust::arrange(const BodyView& from) {
  const glm::vec2 size(from.size_px);
  const float cells_of_pixel = cells_of_side / std::max(size.x, size.y);
  state_->resize(glm::ivec2(glm::ceil(size * cells_of_pixel)) + 2 * cells_around);
  absorption_ = {style.reddening, cells_of_pixel};
  const auto way = way_through(from, style.normal);
  const float across = glm::dot(way, style.normal);
  const float along = glm::length(way - across * style.normal);
  // A disk without any thickness is seen through too.
  const float least = 1e-3F * style.radius;
  const float half = std::max(style.radius * along + style.thickness * std::abs(across), least);
  const float slices_of_length = 0.5F * static_cast<float>(shared::dust_slices) / half;
  grid_ = slices_of_length * glm::vec4(way, half - glm::dot(way, style.middle));
}

void Dust::prepare(const BodyScene& scene) {
  if (!state_) state_ = std::make_unique<State>(*this);
  arrange(scene.from);
  state_->divide(scene.buffers.bodies());
  // Colours do not count: one program.
  BodyStyle plain = scene.style;
  plain.color_mode = color_modes().front()->name;
  state_->look.use(scene.from, 0, plain);
  state_->set_own(plain);
  state_->set_uniforms(scene.from, style, absorption_.w);
  state_->arrays.bind(scene.buffers, scene.slot, state_->stride);
  state_->draw_clouds(scene.buffers.bodies());
  state_->add_up();
}

}  // namespace orrery::render
