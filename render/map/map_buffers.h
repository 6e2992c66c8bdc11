#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "render/context/gl_object.h"

namespace orrery::render {

/// Activity maps of `size` x `size` values in one or more slots of graphics memory: a header of
/// shared::map_header floats, of which the first is the largest value, then the values row by row from the
/// bottom. All functions need the current context.
class MapBuffers {
 public:
  /// New maps hold zeros. Throws Error if the size is 0 or the memory cannot be had.
  MapBuffers(std::size_t size, int slots);

  std::size_t size() const { return size_; }
  std::size_t floats() const;  ///< floats per slot: header and values
  GlName buffer(int slot) const { return slots_.at(static_cast<std::size_t>(slot)).name(); }
  /// Copies header and values into a slot. Throws Error if the length differs from floats().
  void upload(int slot, std::span<const float> map);

  /// Asks for the largest value of a slot, without waiting; `largest` has it some time later.
  void ask_largest(int slot);
  /// The result of the last request, if it has arrived.
  std::optional<float> largest();

 private:
  std::size_t size_;
  std::vector<Buffer> slots_;
  Buffer answer_;
  const float* answered_ = nullptr;  ///< mapped
  Fence fence_;
  std::optional<float> largest_;
};

}  // namespace orrery::render
