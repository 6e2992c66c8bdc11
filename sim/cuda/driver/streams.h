#pragma once

#include "sim/cuda/driver/cuda_abi.h"

#include <cstddef>
#include <memory>
#include <vector>

#include "sim/cuda/driver/device.h"

namespace orrery::sim::cuda {

/// The streams of one engine on one device: the main one, in which everything is ordered, and workers that
/// galaxies are spread over between a fork and a join. None of them waits for the default stream. For the
/// context that was current when it was made, which must be current for all calls.
class Streams {
 public:
  Streams();
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  ~Streams();

  CUstream main() const { return main_; }
  /// Worker k modulo the number of workers; the main stream where there are none.
  CUstream worker(std::size_t k) const {
    return workers_.empty() ? main_ : workers_[k % workers_.size()].stream;
  }
  std::size_t workers() const { return workers_.size(); }
  /// Sets the number of workers. Joins first.
  void resize(std::size_t workers);
  /// The workers wait for what the main stream has queued.
  void fork();
  /// Blocks until all streams have done what is queued; what is forked stays so.
  void wait() const;
  /// Forgets a capture that failed: nothing was queued, nothing is to be joined.
  void abandon() { forked_ = false; }
  /// The main stream waits for what the workers have queued since the fork.
  void join();

 private:
  struct Worker {
    CUstream stream = nullptr;
    std::unique_ptr<Event> done;
  };
  CUstream main_ = nullptr;
  std::vector<Worker> workers_;
  Event forked_at_{Event::Use::order};
  bool forked_ = false;
};

}  // namespace orrery::sim::cuda
