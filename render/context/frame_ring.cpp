#include "render/context/frame_ring.h"

#include <fmt/format.h>

#include "render/context/gl.h"
#include "render/error.h"

namespace orrery::render {

namespace {

constexpr GLbitfield mapping = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;

}  // namespace

FrameRing::FrameRing(glm::ivec2 size)
    : size_(size), bytes_(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y) * 4) {
  while (glGetError() != GL_NO_ERROR) {
  }
  const auto bytes = static_cast<GLsizeiptr>(bytes_);
  for (auto& slot : ring_) {
    slot.buffer = make_buffer();
    // In the memory of the CPU, where another thread reads it.
    glNamedBufferStorage(slot.buffer.name(), bytes, nullptr, mapping | GL_CLIENT_STORAGE_BIT);
    slot.mapped = static_cast<const std::byte*>(glMapNamedBufferRange(slot.buffer.name(), 0, bytes, mapping));
    if (slot.mapped == nullptr || glGetError() != GL_NO_ERROR)
      throw Error(fmt::format("no memory for {} frames of {} x {} pixels: choose a smaller size", slots,
                              size.x, size.y));
  }
}

FrameRing::~FrameRing() {
  for (const auto& copy : under_way_) glDeleteSync(static_cast<GLsync>(copy.fence));
}

int FrameRing::free_slot() const {
  for (int slot = 0; slot < slots; ++slot)
    if (!busy_.at(static_cast<std::size_t>(slot))) return slot;
  return -1;
}

void FrameRing::start(const PictureTarget& picture) {
  const int slot = free_slot();
  if (slot < 0 || picture.size() != size_) throw Error("a frame was started without room for it");
  busy_.at(static_cast<std::size_t>(slot)) = true;
  glBindBuffer(GL_PIXEL_PACK_BUFFER, ring_.at(static_cast<std::size_t>(slot)).buffer.name());
  glGetTextureImage(picture.texture(), 0, GL_RGBA, GL_UNSIGNED_BYTE, static_cast<GLsizei>(bytes_), nullptr);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  under_way_.push_back({slot, glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0)});
  // Without it the fence might never be reached while nobody draws.
  glFlush();
}

std::optional<ArrivedFrame> FrameRing::take() {
  if (under_way_.empty()) return std::nullopt;
  const auto copy = under_way_.front();
  auto* fence = static_cast<GLsync>(copy.fence);
  if (glClientWaitSync(fence, 0, 0) == GL_TIMEOUT_EXPIRED) return std::nullopt;
  glDeleteSync(fence);
  under_way_.pop_front();
  return ArrivedFrame{copy.slot, {ring_.at(static_cast<std::size_t>(copy.slot)).mapped, bytes_}};
}

}  // namespace orrery::render
