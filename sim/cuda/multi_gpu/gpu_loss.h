#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/core/error.h"
#include "sim/cuda/worker/gpu_worker.h"
#include "sim/engines/packed_bodies.h"

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

/// The state from which a run goes on if one of several GPUs fails, and what is said after that.
class GpuLoss {
 public:
  bool happened() const { return !message_.empty(); }
  /// Throws Error if a GPU has failed.
  void refuse() const {
    if (happened()) throw Error(message_);
  }
  /// Notes that the host's state is on the GPUs.
  void note_upload(double time, std::uint64_t steps);
  /// Copies the state of these GPUs now and then; they must outlive that. Bodies are in this order.
  void keep_copies(std::span<GpuWorker* const> parts, std::size_t bodies, BodyOrder order);
  void drop_copies() { copies_.reset(); }
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
  std::unique_ptr<Checkpoint> copies_;
  Kept uploaded_{};
  std::string message_;
};

}  // namespace orrery::sim::cuda
