#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "sim/core/error.h"
#include "sim/physics/diagnostics/diagnostics_request.h"

namespace orrery::sim {

/// True if somebody wants the sums of a request to end.
inline bool interrupted(const DiagnosticsRequest& request) {
  const auto is_set = [](const std::atomic<bool>& flag) { return flag.load(std::memory_order_relaxed); };
  return (request.interrupt != nullptr && is_set(*request.interrupt)) ||
         (request.progress != nullptr && is_set(request.progress->cancel));
}

/// Says how many of all blocks are done; `progress` may be null.
inline void tell(Progress* progress, std::size_t done, std::size_t count) {
  if (progress != nullptr) progress->fraction = static_cast<float>(done) / static_cast<float>(count);
}

/// Calls work(k) for k < count on the threads of the request. Throws Cancelled if interrupted before the end.
template <typename Work>
void parallel_blocks(std::size_t count, const DiagnosticsRequest& request, const Work& work) {
  const int threads = std::max(1, request.threads);
  std::atomic<std::size_t> done{0};
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (std::size_t k = 0; k < count; ++k) {
    if (interrupted(request)) continue;
    work(k);
    tell(request.progress, ++done, count);
  }
  if (interrupted(request)) throw Cancelled();
}

/// W by trees, one for each galaxy.
struct TreeEnergy {
  double potential = 0.0;
  /// One standard error, measured: at 64 bodies of each galaxy, drawn by mass, the potential is summed over
  /// all others. The mean of the differences and its scatter, summed in quadrature.
  double uncertainty = 0.0;
};

/// False for laws other than gravity, where a place is no number, or a mass is below 0.
bool tree_knows(const StateView& state, const Physics& physics);

/// W and its error. About N log N operations, in double precision. The same bits for any number of threads.
/// Throws Cancelled.
TreeEnergy tree_energy(const StateView& state, const DiagnosticsRequest& request);

}  // namespace orrery::sim
