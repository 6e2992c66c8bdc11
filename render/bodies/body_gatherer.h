#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "render/bodies/body_buffers.h"
#include "render/context/shader_program.h"

namespace orrery::render {

/// Reads some bodies of a slot, all at once, without waiting for the GPU. Needs a current context.
class BodyGatherer {
 public:
  /// Throws Error.
  BodyGatherer();
  BodyGatherer(const BodyGatherer&) = delete;
  BodyGatherer& operator=(const BodyGatherer&) = delete;
  /// Chooses bodies by number. A transfer under way is discarded.
  void choose(std::span<const std::uint32_t> bodies);
  std::size_t size() const { return bodies_.size(); }
  /// Begins to read the chosen bodies of a slot, which the caller then marks as drawn. Buffers in device
  /// memory are gathered by a compute shader; others are read at once. All numbers must be below bodies().
  /// Forgets the gathering under way.
  void begin(const BodyBuffers& buffers, int slot);
  /// True while the GPU gathers, and until the result was taken.
  bool busy() const { return fence_.is_set(); }
  /// The bodies once they have arrived, in the order in which they were chosen. Never waits.
  std::optional<std::vector<OneBody>> take();

 private:
  void cancel();
  void gather(const BodyBuffers& buffers, int slot);

  std::vector<std::uint32_t> bodies_;
  std::optional<std::vector<OneBody>> found_;  ///< and not yet taken
  const OneBody* mapped_ = nullptr;
  Fence fence_;
  Buffer numbers_;
  Buffer gathered_;
  Uniform<glm::uint> count_;
  ShaderProgram program_;
};

}  // namespace orrery::render
