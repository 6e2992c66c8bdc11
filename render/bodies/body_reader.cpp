#include "render/bodies/body_reader.h"

#include "render/context/gl.h"
#include "render/error.h"

namespace orrery::render {
namespace {
constexpr std::size_t floats_per_body = 4;
std::size_t bytes_of(std::size_t bodies) { return bodies * floats_per_body * sizeof(float); }
}  // namespace

void BodyReader::allocate(std::size_t bodies) {
  if (bodies == bodies_) return;
  bodies_ = 0;
  buffer_ = make_buffer();
  mapped_ = static_cast<const float*>(map_to_read(buffer_, bytes_of(bodies)));
  if (mapped_ == nullptr) throw Error("no memory to read the bodies back: choose another colour mode");
  bodies_ = bodies;
}

void BodyReader::begin(const BodyBuffers& buffers, int slot, int place) {
  cancel();
  allocate(buffers.bodies());
  glCopyNamedBufferSubData(buffers.buffer(place, slot), buffer_.name(), 0, 0,
                           static_cast<GLsizeiptr>(bytes_of(bodies_)));
  fence_.set();
}

std::optional<std::span<const float>> BodyReader::take() {
  if (!busy() || !fence_.is_passed()) return std::nullopt;
  return std::span(mapped_, bodies_ * floats_per_body);
}

}  // namespace orrery::render
