#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/body_buffers.h"
#include "render/one_body.h"
#include "render/shader_program.h"

namespace orrery::render {

/// Reads some bodies of a slot, all at once. Needs a current context.
class BodyGatherer {
 public:
  /// Throws Error.
  BodyGatherer();
  /// Which bodies, by number.
  void choose(std::span<const std::uint32_t> bodies);
  std::size_t size() const { return bodies_.size(); }
  /// Those of a slot, in the order in which they were chosen. Of buffers in device memory a compute shader
  /// gathers them, and the GPU's work on the slot is waited for, once. All numbers must be below bodies().
  std::vector<OneBody> read(const BodyBuffers& buffers, int slot) const;

 private:
  std::vector<OneBody> gather(const BodyBuffers& buffers, int slot) const;

  std::vector<std::uint32_t> bodies_;
  Buffer numbers_;
  Buffer gathered_;
  Uniform<glm::uint> count_;
  ShaderProgram program_;
};

}  // namespace orrery::render
