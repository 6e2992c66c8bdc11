#include "render/bodies/body_reader.h"

#include "render/context/gl.h"
#include "render/error.h"

namespace orrery::render {
namespace {
constexpr std::size_t floats_per_body = 4;
GLsizeiptr bytes_of(std::size_t bodies) {
  return static_cast<GLsizeiptr>(bodies * floats_per_body * sizeof(float));
}
}  // namespace

BodyReader::~BodyReader() { cancel(); }

void BodyReader::cancel() {
  glDeleteSync(static_cast<GLsync>(fence_));
  fence_ = nullptr;
}

void BodyReader::allocate(std::size_t bodies) {
  if (bodies == bodies_) return;
  constexpr GLbitfield flags = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  bodies_ = 0;
  buffer_ = make_buffer();
  glNamedBufferStorage(buffer_.name(), bytes_of(bodies), nullptr, flags);
  const void* memory = glMapNamedBufferRange(buffer_.name(), 0, bytes_of(bodies), flags);
  if (memory == nullptr) throw Error("no memory to read the bodies back: choose another colour mode");
  mapped_ = static_cast<const float*>(memory);
  bodies_ = bodies;
}

void BodyReader::begin(const BodyBuffers& buffers, int slot, int place) {
  cancel();
  allocate(buffers.bodies());
  glCopyNamedBufferSubData(buffers.buffer(place, slot), buffer_.name(), 0, 0, bytes_of(bodies_));
  fence_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

std::optional<std::span<const float>> BodyReader::take() {
  if (fence_ == nullptr) return std::nullopt;
  const GLenum state = glClientWaitSync(static_cast<GLsync>(fence_), GL_SYNC_FLUSH_COMMANDS_BIT, 0);
  if (state != GL_ALREADY_SIGNALED && state != GL_CONDITION_SATISFIED) return std::nullopt;
  cancel();
  return std::span(mapped_, bodies_ * floats_per_body);
}

}  // namespace orrery::render
