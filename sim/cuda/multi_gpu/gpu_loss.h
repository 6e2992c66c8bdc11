#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sim/core/error.h"
#include "sim/cuda/worker/gpu_worker.h"
#include "sim/engines/packed_bodies.h"

namespace orrery::sim::cuda {

/// The state from which a run goes on if one of several GPUs fails, and what is said after that.
class GpuLoss {
 public:
  GpuLoss();
  GpuLoss(const GpuLoss&) = delete;
  GpuLoss& operator=(const GpuLoss&) = delete;
  ~GpuLoss();

  bool happened() const { return !message_.empty(); }
  /// Throws Error if a GPU has failed.
  void refuse() const {
    if (happened()) throw Error(message_);
  }
  /// Notes that the host's state is on the GPUs.
  void note_upload(double time, std::uint64_t steps) { uploaded_ = {time, steps}; }
  /// Copies the state of these GPUs now and then; they must outlive that. Bodies are in this order.
  void keep_copies(std::span<GpuWorker* const> parts, std::size_t bodies, BodyOrder order);
  void drop_copies();
  bool keeps_copies() const { return copies_ != nullptr; }
  /// Queues a copy if it is time, after a step that is complete in the main streams.
  void queue_copy_if_due(double time, std::uint64_t steps);
  /// The time and the number of steps of the newest state that was kept, which `host` has then.
  struct Kept {
    double time;
    std::uint64_t steps;
  };
  Kept go_back(Bodies& host);
  void say(std::string message) { message_ = std::move(message); }

 private:
  class Copies;
  std::unique_ptr<Copies> copies_;
  Kept uploaded_{};
  std::string message_;
};

}  // namespace orrery::sim::cuda
