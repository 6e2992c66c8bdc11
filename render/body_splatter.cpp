#include "render/body_splatter.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/body_look.h"
#include "render/error.h"
#include "render/gl.h"
#include "render/shader_constants.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

/// Of the largest array of bodies, and of the sums.
constexpr std::size_t bytes_per_body = sizeof(glm::vec4);
constexpr std::size_t bytes_per_pixel = sizeof(glm::vec4);
static_assert(sizeof(glm::vec4) == 4 * sizeof(float));
static_assert(shared::splat_group % 32 == 0, "a team of up to 32 invocations must not lie in two groups");
constexpr const char* float_atomics_extension = "GL_NV_shader_atomic_float";

BodyProgram make_splat_program(const ColorMode& mode, const std::string& scalar, bool float_atomics) {
  const ShaderSources sources{
      .name = fmt::format("splat, colour mode {}", mode.name),
      .compute = {shaders::body_glsl, shaders::body_kernel_glsl, shaders::splat_comp, scalar},
      .directives = float_atomics ? fmt::format("#extension {} : require\n#define FLOAT_ATOMICS\n",
                                                float_atomics_extension)
                                  : std::string()};
  BodyProgram made;
  made.program = ShaderProgram(sources, [&](UniformTable& uniforms) {
    made.find_uniforms(uniforms);
    made.work = uniforms.find<glm::uvec2>("work");
  });
  return made;
}

ShaderProgram make_add_program() {
  return ShaderProgram({.name = "adding splats", .compute = {shaders::splat_add_comp}});
}

GLuint groups(std::size_t items, std::size_t size) { return static_cast<GLuint>((items + size - 1) / size); }

/// As many groups as `wanted`, or a few more, in two dimensions: the first alone may be limited to 65535.
void dispatch(GLuint wanted) {
  constexpr GLuint most = 65535;
  const GLuint columns = std::min(wanted, most);
  glDispatchCompute(columns, groups(wanted, columns), 1);
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

void bind_storage(int place, GlName buffer) {
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, static_cast<GLuint>(place), buffer);
}

Buffer make_sums(glm::ivec2 size) {
  Buffer sums = make_buffer();
  const std::size_t bytes = pixels_of(size) * bytes_per_pixel;
  while (glGetError() != GL_NO_ERROR) {
  }
  glNamedBufferStorage(sums.name(), static_cast<GLsizeiptr>(bytes), nullptr, 0);
  if (glGetError() != GL_NO_ERROR)
    throw Error(
        fmt::format("no graphics memory for {:.1f} MB of sums: use a smaller picture, or "
                    "splatting=raster",
                    static_cast<double>(bytes) / 1e6));
  glClearNamedBufferData(sums.name(), GL_RGBA32F, GL_RGBA, GL_FLOAT, nullptr);
  return sums;
}

}  // namespace

struct BodySplatter::State {
  bool float_atomics;
  BodyLook look;
  ShaderProgram add;
  Buffer sums;
  glm::ivec2 sums_size{0, 0};
  int team = 0;
  std::size_t largest_block = 0;

  explicit State(Atomics atomics)
      : float_atomics(atomics == Atomics::automatic && has_extension(float_atomics_extension)),
        look([this](const ColorMode& mode, const std::string& scalar) {
          return make_splat_program(mode, scalar, float_atomics);
        }) {
    GLint64 most = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
    largest_block = static_cast<std::size_t>(std::max<GLint64>(most, 0));
  }

  void resize(glm::ivec2 size) {
    if (size == sums_size) return;
    sums = Buffer();
    sums_size = {0, 0};
    sums = make_sums(size);
    sums_size = size;
  }

  void bind(const BodyBuffers& buffers, int slot) const {
    for (const int place :
         {shared::position_place, shared::velocity_place, shared::component_place, shared::galaxy_place})
      bind_storage(place, buffers.buffer(place, slot));
    bind_storage(shared::sum_place, sums.name());
  }

  /// The sums to the picture, and zeros to the sums.
  void add_to(const Accumulation& light) {
    if (add.name() == 0) add = make_add_program();
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glBindImageTexture(shared::light_image, light.texture(), 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA32F);
    add.use();
    glDispatchCompute(groups(static_cast<std::size_t>(light.size().x), shared::add_columns),
                      groups(static_cast<std::size_t>(light.size().y), shared::add_rows), 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT |
                    GL_FRAMEBUFFER_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
  }
};

BodySplatter::BodySplatter(Atomics atomics) : state_(std::make_unique<State>(atomics)) {}

BodySplatter::~BodySplatter() = default;

std::string BodySplatter::refusal(std::size_t bodies, glm::ivec2 size_px) const {
  const std::size_t most = state_->largest_block;
  if (bodies > most / bytes_per_body)
    return fmt::format("{} bodies; this OpenGL's compute shaders reach {}", bodies, most / bytes_per_body);
  if (pixels_of(size_px) > most / bytes_per_pixel)
    return fmt::format("{} x {} pixels; this OpenGL's compute shaders reach {} in all", size_px.x, size_px.y,
                       most / bytes_per_pixel);
  return {};
}

void BodySplatter::prepare(const std::string& color_mode) { state_->look.prepare(color_mode); }

void BodySplatter::set_team(int invocations) {
  if (invocations != 0 && invocations != 4 && invocations != 8 && invocations != 16 && invocations != 32)
    throw Error(fmt::format("{} invocations cannot share a body: take 4, 8, 16 or 32", invocations));
  state_->team = invocations;
}

bool BodySplatter::has_float_atomics() const { return state_->float_atomics; }

void BodySplatter::draw(const BodyBuffers& buffers, int slot, const glm::mat4& view,
                        const glm::mat4& projection, const Accumulation& light, const BodyStyle& style) {
  const std::string reason = refusal(buffers.bodies(), light.size());
  if (!reason.empty()) throw Error("cannot draw by compute: " + reason);
  const BodyProgram& bodies = state_->look.use({view, projection, light.size()}, 0, style);
  state_->resize(light.size());
  const int team = state_->team != 0 ? state_->team : suitable_team(state_->look.sprite(style));
  bodies.work.set({static_cast<glm::uint>(buffers.bodies()), static_cast<glm::uint>(team)});
  state_->bind(buffers, slot);
  dispatch(groups(buffers.bodies(), shared::splat_group));
  state_->add_to(light);
}

}  // namespace orrery::render
