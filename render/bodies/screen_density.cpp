#include "render/bodies/screen_density.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/bodies/body_arrays.h"
#include "render/color_modes/color_mode.h"
#include "render/context/gl.h"
#include "render/context/pixel_pass.h"
#include "render/context/shader_constants.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

constexpr glm::ivec2 cells{shared::crowd_cells, shared::crowd_cells};
/// Number of cells along the longer side of the picture.
constexpr float cells_of_picture = 0.8F * static_cast<float>(shared::crowd_cells);
/// More bodies than these are not counted one by one.
constexpr std::size_t most_counted = 1'000'000;
/// Fewer bodies in an area say too little about how crowded it is: their number varies by chance, and where
/// it is high by chance light would be narrow and bright. More blur it.
constexpr float fewest_sought = 8.0F;
constexpr float most_sought = 200.0F;
static_assert(1 << (shared::crowd_levels - 1) < shared::crowd_cells + 1);

BodyProgram make_program(DrawMethod method, const BodyText& text) {
  const bool compute = method == DrawMethod::compute;
  const ShaderSources sources =
      compute ? ShaderSources{.name = "counting bodies",
                              .compute = {shaders::body_glsl, text.glsl, shaders::stored_bodies_glsl,
                                          shaders::crowd_comp}}
              : ShaderSources{.name = "counting bodies",
                              .vertex = {shaders::body_glsl, text.glsl, shaders::crowd_vert},
                              .fragment = {shaders::crowd_frag}};
  if (compute) return {sources, text, find_work};
  return {sources, text};
}

/// A texture of cells with all its means.
Texture make_means() {
  Texture texture = make_texture(GL_TEXTURE_2D);
  glTextureStorage2D(texture.name(), shared::crowd_levels + 1, GL_R32F, cells.x, cells.y);
  set_sampling(texture, GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR);
  return texture;
}

Texture make_counts() {
  Texture texture = make_texture(GL_TEXTURE_2D);
  glTextureStorage2D(texture.name(), 1, GL_R32UI, cells.x, cells.y);
  set_sampling(texture, GL_NEAREST, GL_NEAREST, false);
  return texture;
}

}  // namespace

struct ScreenDensity::State {
  DrawMethod method;
  BodyLook look;
  PixelImage means{make_means(), make_framebuffer(), cells, GL_R32F};
  std::size_t stride = 1;  ///< one body in `stride` was counted
  /// A picture of that many bodies; 0: nothing was counted that may serve another picture.
  std::size_t serves = 0;
  // Of the compute shader.
  Texture counts;
  std::optional<PixelPass> passes;
  ShaderProgram read;
  // Of the rasterizer.
  std::optional<BodyArrays> arrays;

  explicit State(DrawMethod by)
      : method(by), look([by](const BodyText& text) { return make_program(by, text); }) {
    glNamedFramebufferTexture(means.framebuffer.name(), GL_COLOR_ATTACHMENT0, means.texture.name(), 0);
    if (method == DrawMethod::compute) {
      counts = make_counts();
      passes.emplace(PixelStage::compute);
      read = ShaderProgram(passes->sources("reading counts", {shaders::crowd_read_glsl}));
    } else {
      arrays.emplace();
    }
  }

  void draw(const BodyBuffers& buffers, int slot) const {
    constexpr GLfloat none[4] = {0, 0, 0, 0};
    add_light();
    glClearNamedFramebufferfv(means.framebuffer.name(), GL_COLOR, 0, none);
    glBindFramebuffer(GL_FRAMEBUFFER, means.framebuffer.name());
    glViewport(0, 0, cells.x, cells.y);
    glEnable(GL_PROGRAM_POINT_SIZE);
    arrays->bind(buffers, slot, stride);
    glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>((buffers.bodies() + stride - 1) / stride));
    glBindVertexArray(0);
    glDisable(GL_BLEND);
  }

  void count(const BodyBuffers& buffers, int slot, const BodyProgram& bodies) const {
    constexpr GLuint none[4] = {0, 0, 0, 0};
    glClearTexImage(counts.name(), 0, GL_RED_INTEGER, GL_UNSIGNED_INT, none);
    bodies.work.set({static_cast<glm::uint>(buffers.bodies()), static_cast<glm::uint>(stride)});
    for (const int place : {shared::position_place, shared::component_place, shared::galaxy_place})
      bind_storage(place, buffers.buffer(place, slot));
    glBindImageTexture(shared::crowd_image, counts.name(), 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
    dispatch_groups(groups_of((buffers.bodies() + stride - 1) / stride, shared::splat_group));
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
    glBindTextureUnit(shared::crowd_unit, counts.name());
    passes->run(read, means);
  }
};

ScreenDensity::ScreenDensity(DrawMethod method) : state_(std::make_unique<State>(method)) {}

ScreenDensity::~ScreenDensity() = default;

void ScreenDensity::forget() { state_->serves = 0; }

void ScreenDensity::update(const BodyBuffers& buffers, int slot, const BodyView& from,
                           const BodyStyle& style) {
  const bool serves = style.rough && state_->serves == buffers.bodies();
  state_->serves = style.rough && !serves ? buffers.bodies() : 0;
  if (serves) return;
  state_->stride = style.rough
                       ? rough_stride(buffers.bodies())
                       : std::min((buffers.bodies() + most_counted - 1) / most_counted, most_vertex_stride);
  // Colours do not count: one program.
  BodyStyle plain = style;
  plain.color_mode = color_modes().front()->name;
  const BodyProgram& bodies = state_->look.use(from, 0, plain, {.screen_density = this});
  if (state_->method == DrawMethod::compute)
    state_->count(buffers, slot, bodies);
  else
    state_->draw(buffers, slot);
  glGenerateTextureMipmap(state_->means.texture.name());
}

GlName ScreenDensity::texture() const { return state_->means.texture.name(); }

glm::vec3 ScreenDensity::uniform(glm::ivec2 picture, float neighbours) const {
  return crowding_scale(picture, neighbours, state_->stride);
}

glm::vec3 crowding_scale(glm::ivec2 picture, float neighbours, std::size_t stride) {
  const float cell = static_cast<float>(std::max(picture.x, picture.y)) / cells_of_picture;
  const float counted = neighbours / static_cast<float>(stride);
  const float sought = std::clamp(counted, fewest_sought, most_sought);
  return {1.0F / (cell * static_cast<float>(shared::crowd_cells)), sought,
          cell * std::sqrt(counted / sought * std::numbers::inv_pi_v<float>)};
}

}  // namespace orrery::render
