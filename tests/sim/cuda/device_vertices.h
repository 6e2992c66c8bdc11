#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "sim/cuda/driver/api.h"
#include "sim/cuda/driver/device.h"
#include "sim/engines/engine.h"

namespace orrery::sim::checks {

/// Memory for vertices on the GPU of the engine, whose context is current.
struct Vertices {
  cuda::DeviceMemory memory;
  VertexTarget target;
  explicit Vertices(std::size_t bodies) {
    memory.resize(8 * sizeof(float) * bodies);
    auto* position = reinterpret_cast<float*>(memory.pointer());  // NOLINT(performance-no-int-to-ptr)
    target = {.space = VertexTarget::Space::device,
              .position = position,
              .velocity = position + 4 * bodies,
              .bodies = bodies};
  }
  std::vector<float> read() const {
    std::vector<float> all(8 * target.bodies);
    EXPECT_EQ(cuda::driver()->cuMemcpyDtoHAsync(all.data(), memory.pointer(), memory.size(), nullptr),
              cuda::CUDA_SUCCESS);
    EXPECT_EQ(cuda::driver()->cuStreamSynchronize(nullptr), cuda::CUDA_SUCCESS);
    return all;
  }
};

}  // namespace orrery::sim::checks
