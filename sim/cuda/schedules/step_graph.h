#pragma once

#include "sim/cuda/driver/cuda_abi.h"

#include <cstdint>
#include <functional>
#include <list>
#include <vector>

namespace orrery::sim::cuda {

/// Work that is captured from streams once and replayed as a CUDA graph. A few graphs are kept, by what they
/// were captured from: two buffers that take turns need two.
class StepGraph {
 public:
  /// All that is fixed in a captured graph: addresses, kernels, numbers.
  using Key = std::vector<std::uint64_t>;

  StepGraph() = default;
  StepGraph(const StepGraph&) = delete;
  StepGraph& operator=(const StepGraph&) = delete;
  ~StepGraph() { clear(); }

  /// Replays the graph of `key` in `stream`. If there is none, `queue` is called to queue its work, forking
  /// from `stream` and joining it again; nothing of that runs yet. Without `launches` it is only captured.
  /// Throws Error.
  void run(const Key& key, CUstream stream, const std::function<void()>& queue, bool launches = true);
  /// Forgets all graphs. Those that run are finished by the device.
  void clear();
  /// The number of graphs captured so far.
  std::uint64_t captures() const { return captures_; }

 private:
  struct Entry {
    Key key;
    CUgraphExec graph;
  };
  CUgraphExec graph_of(const Key& key, CUstream stream, const std::function<void()>& queue);

  std::list<Entry> entries_;
  std::uint64_t captures_ = 0;
};

}  // namespace orrery::sim::cuda
