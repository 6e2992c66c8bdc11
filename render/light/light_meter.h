#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/context/gl_object.h"
#include "render/context/shader_program.h"
#include "render/light/accumulation.h"

namespace orrery::render {

/// Counts the pixels of an Accumulation by their brightness, on the GPU: shared::meter_bins bins of
/// 1 / meter_bins_per_stop stops of the mean of red, green and blue. Counts are whole numbers, so the same
/// light gives the same histogram.
class LightMeter {
 public:
  /// Needs a current context. Throws Error.
  LightMeter();
  LightMeter(const LightMeter&) = delete;
  LightMeter& operator=(const LightMeter&) = delete;

  /// Starts to measure; `take` has the result some frames later. False while another is under way. `stride`:
  /// looks at every such pixel of every such row only.
  bool start(const Accumulation& light, int stride = 1);
  /// True between start and take.
  bool busy() const { return fence_.is_set(); }
  /// The histogram that was started, once it is there, until the next start; else empty. Never waits.
  std::span<const std::uint32_t> take();
  /// Measures all pixels and waits for the GPU.
  std::vector<std::uint32_t> measure(const Accumulation& light);

 private:
  void count(const Accumulation& light, int stride);

  Uniform<int> stride_;
  ShaderProgram program_;
  Buffer counts_;
  Buffer late_;
  const std::uint32_t* answer_ = nullptr;  ///< mapped contents of late_
  Fence fence_;
};

}  // namespace orrery::render
