#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/cuda/multi_gpu/body_order.h"
#include "sim/cuda/multi_gpu/gpu_worker.h"

namespace orrery::sim::cuda {

/// A copy of the last complete state in the host's memory, made in the background now and then: what is left
/// when one of several GPUs fails.
class Checkpoint {
 public:
  /// `parts`: those that have targets; they must outlive this and keep their shares, of bodies in this order.
  Checkpoint(std::span<GpuWorker* const> parts, std::size_t bodies, BodyOrder order);
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;
  ~Checkpoint();

  /// Queues a copy of the state, complete in the main streams, if the last copy is done and `seconds` old.
  void queue_if_due(double seconds, double time, std::uint64_t steps);
  /// Puts the newest copy that arrived into `bodies`. Changes nothing if there is none yet.
  void restore(Bodies& bodies, double& time, std::uint64_t& steps);

 private:
  using Clock = std::chrono::steady_clock;
  struct Line;
  struct Copy {
    HostMemory memory;  ///< positions, then velocities, 4 floats per body
    double time = 0.0;
    std::uint64_t steps = 0;
    bool whole = false;
  };
  bool arrived();
  void settle();

  std::vector<std::unique_ptr<Line>> lines_;
  std::size_t bodies_;
  BodyOrder order_;
  Copy copies_[2];
  int newest_ = 0;  ///< the whole one; the other is on its way or free
  bool under_way_ = false;
  Clock::time_point queued_at_{};
};

}  // namespace orrery::sim::cuda
