#include "render/context/frame_ring.h"

#include <fmt/format.h>

#include "render/context/gl.h"
#include "render/error.h"

namespace orrery::render {

FrameRing::FrameRing(glm::ivec2 size)
    : size_(size), bytes_(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y) * 4) {
  for (auto& slot : ring_) {
    slot.buffer = make_buffer();
    // In the memory of the CPU, where another thread reads it.
    const bool done = succeeds([&] {
      slot.mapped = static_cast<const std::byte*>(map_to_read(slot.buffer, bytes_, GL_CLIENT_STORAGE_BIT));
    });
    if (!done || slot.mapped == nullptr)
      throw Error(fmt::format("no memory for {} frames of {} x {} pixels: choose a smaller size", slots,
                              size.x, size.y));
  }
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
  under_way_.push_back({.slot = slot, .fence = {}});
  under_way_.back().fence.set();
  // Without it the fence might never be reached while nobody draws.
  glFlush();
}

std::optional<ArrivedFrame> FrameRing::take() {
  if (under_way_.empty() || !under_way_.front().fence.is_passed()) return std::nullopt;
  const int slot = under_way_.front().slot;
  under_way_.pop_front();
  return ArrivedFrame{slot, {ring_.at(static_cast<std::size_t>(slot)).mapped, bytes_}};
}

}  // namespace orrery::render
