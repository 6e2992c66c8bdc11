#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sim/cuda/driver/device.h"
#include "sim/engines/engine.h"
#include "sim/physics/diagnostics/force_error.h"

namespace orrery::sim::cuda {

/// Brings a sample of accelerations to the host without waiting for the GPU.
class ForceSampler {
 public:
  void request(const SampleRequest& wanted) { wanted_ = wanted; }
  /// True if a sample is asked for and none is on its way.
  bool due() const { return wanted_.forces != 0 && done_.empty(); }
  /// Memory for the copies: positions and, for laws with charges, velocities, 4 floats per body each, then
  /// the accelerations, 3 reals of `real_bytes` a body. The caller queues the copies.
  void* memory(std::size_t bodies, bool velocities, std::size_t real_bytes);
  /// All copies are queued; `sample` says what is known of the evaluation besides them. `order`: the body of
  /// the dataset at each place of the copies; nullptr: they are in its order.
  void queued(ForceSample sample, std::shared_ptr<const std::vector<std::uint32_t>> order = nullptr);
  /// The copies of one device are queued, in this stream of the present context.
  void queued_in(CUstream stream);
  /// The sample when it has arrived.
  std::optional<ForceSample> take();
  /// Forgets a sample on its way: other bodies were loaded.
  void drop();

 private:
  SampleRequest wanted_;  ///< forces: 0 if none are
  HostMemory memory_;
  std::size_t bodies_ = 0;
  std::size_t real_bytes_ = 4;
  bool velocities_ = false;
  std::vector<std::unique_ptr<Event>> done_;
  std::optional<ForceSample> sample_;
  std::shared_ptr<const std::vector<std::uint32_t>> order_;
};

}  // namespace orrery::sim::cuda
