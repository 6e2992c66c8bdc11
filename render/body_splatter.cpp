#include "render/body_splatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "render/body_look.h"
#include "render/error.h"
#include "render/gl.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

/// The location of the uniform that splat.comp adds to those of body.glsl, and the bindings of its buffers.
constexpr GLint work_location = 16;
enum Binding : GLuint {
  position_binding,
  velocity_binding,
  component_binding,
  galaxy_binding,
  sum_binding,
};

constexpr GLuint group_size = 128;
constexpr std::size_t bytes_per_body = 16;
constexpr std::size_t bytes_per_pixel = 16;
constexpr const char* float_atomics_extension = "GL_NV_shader_atomic_float";

Program make_splat_program(const ColorMode& mode, const std::string& scalar, bool float_atomics) {
  const std::string extension =
      float_atomics ? fmt::format("#extension {} : require\n#define FLOAT_ATOMICS\n", float_atomics_extension)
                    : std::string();
  const std::array<std::string_view, 6> parts{
      shader_version, extension, shaders::body_glsl, shaders::body_kernel_glsl, shaders::splat_comp, scalar};
  return make_compute_program(fmt::format("splat, colour mode {}", mode.name), parts);
}

Program make_add_program() {
  const std::array<std::string_view, 1> parts{shaders::splat_add_comp};
  return make_compute_program("adding splats", parts);
}

GLuint groups(std::size_t items, GLuint size) { return static_cast<GLuint>((items + size - 1) / size); }

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
  Program add;
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
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, position_binding, buffers.position_buffer(slot));
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, velocity_binding, buffers.velocity_buffer(slot));
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, component_binding, buffers.component_buffer());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, galaxy_binding, buffers.galaxy_buffer());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, sum_binding, sums.name());
  }

  /// The sums to the picture, and zeros to the sums.
  void add_to(const Accumulation& light) {
    if (add.name() == 0) add = make_add_program();
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glBindImageTexture(0, light.texture(), 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA32F);
    glUseProgram(add.name());
    glDispatchCompute(groups(static_cast<std::size_t>(light.size().x), 32),
                      groups(static_cast<std::size_t>(light.size().y), 8), 1);
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
  const GlName program = state_->look.use({view, projection, light.size()}, 0, style);
  state_->resize(light.size());
  const int team = state_->team != 0 ? state_->team : suitable_team(state_->look.sprite(style));
  glProgramUniform2ui(program, work_location, static_cast<GLuint>(buffers.bodies()),
                      static_cast<GLuint>(team));
  state_->bind(buffers, slot);
  dispatch(groups(buffers.bodies(), group_size));
  state_->add_to(light);
}

}  // namespace orrery::render
