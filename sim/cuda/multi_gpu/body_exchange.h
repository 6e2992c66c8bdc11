#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/cuda/driver/device.h"
#include "sim/cuda/multi_gpu/domain_team.h"
#include "sim/cuda/worker/gpu_worker.h"

namespace orrery::sim::cuda {

/// Lets every GPU have the positions of all bodies where several share a galaxy: each sends those that it
/// moved. To other processes they go by MPI, from GPU memory or through the host.
class BodyExchange {
 public:
  /// `parts`: those that have targets; they and the team must outlive this and keep their shares. All
  /// processes of the team make it together.
  BodyExchange(std::span<GpuWorker* const> parts, DomainTeam& team, RanksTransfer transfer);
  BodyExchange(const BodyExchange&) = delete;
  BodyExchange& operator=(const BodyExchange&) = delete;
  ~BodyExchange();

  /// Notes that GPUs lack positions that others moved.
  void note_moved() { is_due_ = true; }
  /// Queues the exchange in the main streams if bodies have moved; with `velocities` of those too (forces
  /// that depend on them).
  void run_if_due(bool velocities, int step);
  /// Time of the last exchange that is done, as the first device saw it.
  double milliseconds() { return timer_.milliseconds(); }
  /// "peer copies", "copies through the host" and the like.
  const std::string& how() const { return how_; }

 private:
  void copy_from_peers(bool velocities);
  void copy_from_processes(bool velocities);
  void copy_through_host(bool velocities);

  DomainTeam& team_;
  std::vector<GpuWorker*> parts_;
  struct Signals {
    Event moved{Event::Use::order};
    Event received{Event::Use::order};
  };
  std::vector<std::unique_ptr<Signals>> signals_;
  EventTimer timer_;
  bool is_due_ = false;
  bool is_direct_ = false;  ///< MPI gets addresses of GPU memory
  HostMemory bodies_;  ///< else, with other processes: what moves of all bodies, one process after the other
  std::string how_;
};

/// Lets every device read the memory of every other one where the hardware can. True if all can.
bool enable_peer_access(std::span<GpuWorker* const> parts);

}  // namespace orrery::sim::cuda
