#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <glm/glm.hpp>
#include <optional>
#include <span>

#include "render/context/gl_object.h"
#include "render/context/target.h"

namespace orrery::render {

/// A picture in memory that the GPU has written: RGBA, 8 bits each, bottom row first.
struct ArrivedFrame {
  int slot = 0;
  std::span<const std::byte> rgba;  ///< valid until the slot is given back
};

/// Pictures on their way from the GPU to another thread: copies into pixel buffers that stay mapped, each
/// with a fence. The thread of the context starts copies and asks which have arrived; neither waits.
class FrameRing {
 public:
  static constexpr int slots = 4;

  /// Creates a ring for pictures of `size` pixels. Needs a current context, as do all functions but
  /// give_back. Throws Error when out of memory.
  explicit FrameRing(glm::ivec2 size);
  FrameRing(const FrameRing&) = delete;
  FrameRing& operator=(const FrameRing&) = delete;

  glm::ivec2 size() const { return size_; }
  /// True if a copy can be started.
  bool has_room() const { return free_slot() >= 0; }
  /// Starts to copy a picture of this size; there must be room.
  void start(const PictureTarget& picture);
  /// The oldest copy that was not taken yet, if it has arrived.
  std::optional<ArrivedFrame> take();
  /// True while copies are under way that were not taken.
  bool is_waiting() const { return !under_way_.empty(); }
  /// The slot may be written again. From any thread.
  void give_back(int slot) { busy_.at(static_cast<std::size_t>(slot)) = false; }

 private:
  struct Slot {
    Buffer buffer;
    const std::byte* mapped = nullptr;
  };
  struct Copy {
    int slot;
    Fence fence;
  };
  int free_slot() const;

  glm::ivec2 size_;
  std::size_t bytes_;
  std::array<Slot, slots> ring_;
  std::array<std::atomic<bool>, slots> busy_{};
  std::deque<Copy> under_way_;  ///< oldest first
};

}  // namespace orrery::render
