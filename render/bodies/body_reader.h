#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "render/bodies/body_buffers.h"
#include "render/context/gl_object.h"

namespace orrery::render {

/// Brings positions or velocities from the GPU to the host without waiting for it: for what looks at the
/// bodies now and then. Needs the context of the buffers.
class BodyReader {
 public:
  /// Queues a copy of an array of a slot (shared::position_place or shared::velocity_place), which the caller
  /// then marks as drawn. A copy under way is forgotten. Throws Error without memory.
  void begin(const BodyBuffers& buffers, int slot, int place);
  /// Forgets a copy under way.
  void cancel() { fence_.clear(); }
  /// True from begin() until the copy was taken or forgotten.
  bool busy() const { return fence_.is_set(); }
  /// The copy once it has arrived: 4 floats per body, valid until the next begin(). Never waits.
  std::optional<std::span<const float>> take();

 private:
  void allocate(std::size_t bodies);

  std::size_t bodies_ = 0;
  Buffer buffer_;
  const float* mapped_ = nullptr;
  Fence fence_;
};

}  // namespace orrery::render
