#include "render/context/gl_object.h"

#include <fmt/format.h>

#include "render/context/gl.h"
#include "render/error.h"

namespace orrery::render {
namespace {

template <typename Object>
Object make(void (*create)(GLsizei count, GLuint* names)) {
  GlName name = 0;
  create(1, &name);
  return Object(name);
}

}  // namespace

void destroy_buffer(GlName name) { glDeleteBuffers(1, &name); }
void destroy_texture(GlName name) { glDeleteTextures(1, &name); }
void destroy_framebuffer(GlName name) { glDeleteFramebuffers(1, &name); }
void destroy_vertex_array(GlName name) { glDeleteVertexArrays(1, &name); }
void destroy_program(GlName name) { glDeleteProgram(name); }

Buffer make_buffer() { return make<Buffer>(glCreateBuffers); }
Framebuffer make_framebuffer() { return make<Framebuffer>(glCreateFramebuffers); }
VertexArray make_vertex_array() { return make<VertexArray>(glCreateVertexArrays); }

Texture make_texture(unsigned int target) {
  GlName name = 0;
  glCreateTextures(target, 1, &name);
  return Texture(name);
}

Buffer make_storage(std::size_t bytes, const void* data, unsigned int flags, const char* what) {
  Buffer buffer = make_buffer();
  if (!succeeds([&] { glNamedBufferStorage(buffer.name(), static_cast<GLsizeiptr>(bytes), data, flags); }))
    throw Error("no graphics memory for " +
                fmt::format(fmt::runtime(what), static_cast<double>(bytes) / 1e6));
  return buffer;
}

const void* map_to_read(const Buffer& buffer, std::size_t bytes, unsigned int flags) {
  constexpr GLbitfield mapping = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  const auto size = static_cast<GLsizeiptr>(bytes);
  glNamedBufferStorage(buffer.name(), size, nullptr, mapping | flags);
  return glMapNamedBufferRange(buffer.name(), 0, size, mapping);
}

void set_sampling(const Texture& texture, int smaller, int larger, bool clamped) {
  glTextureParameteri(texture.name(), GL_TEXTURE_MIN_FILTER, smaller);
  glTextureParameteri(texture.name(), GL_TEXTURE_MAG_FILTER, larger);
  if (!clamped) return;
  glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

void Fence::Deleter::operator()(void* fence) const { glDeleteSync(static_cast<GLsync>(fence)); }

void Fence::set() { fence_.reset(glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0)); }

bool Fence::is_passed() {
  if (!is_set()) return true;
  const GLenum state = glClientWaitSync(static_cast<GLsync>(fence_.get()), GL_SYNC_FLUSH_COMMANDS_BIT, 0);
  if (state == GL_TIMEOUT_EXPIRED) return false;  // a wait that fails would never pass
  clear();
  return true;
}

}  // namespace orrery::render
