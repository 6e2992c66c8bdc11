#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/cuda/families/tree_domains.h"
#include "sim/cuda/multi_gpu/domain_balance.h"
#include "sim/cuda/multi_gpu/domain_team.h"
#include "sim/cuda/multi_gpu/galaxy_cut.h"
#include "sim/cuda/worker/gpu_worker.h"
#include "sim/engines/engine_report.h"

namespace orrery::sim::cuda {

/// The forces of one galaxy on several GPUs, each of which has the bodies of one domain
/// (families/tree_domains.h): queues the kernels, and what goes from GPU to GPU. GPUs of other processes
/// belong to it too: all processes of the team know the numbers of all domains, call the same functions, and
/// compute the same sizes; what goes to another process goes through MPI, from GPU memory or the host's.
class TreeExchange {
 public:
  /// `parts`: the GPU of each domain of the cut, at most tree::most_domains; nullptr for one of another
  /// process. They, the cut, whose borders are moved here, and the team must outlive this. `weights`:
  /// relative speeds of all. All processes of the team make it together.
  TreeExchange(std::span<GpuWorker* const> parts, std::vector<double> weights, GalaxyCut& cut,
               DomainTeam& team, RanksTransfer transfer);
  TreeExchange(const TreeExchange&) = delete;
  TreeExchange& operator=(const TreeExchange&) = delete;
  ~TreeExchange();

  /// Queues one force evaluation in the main streams. Waits until it is known how large the essential trees
  /// are, and so for all that was queued before; with other processes, for what goes to them too. Throws
  /// Error: out of memory.
  void evaluate();

  DomainBalance& balance() { return balance_; }
  /// Takes what the last evaluation, which is done, has cost, once.
  void note_costs();

  const std::string& how() const { return how_; }
  /// Device memory that all GPUs hold for the exchange.
  std::size_t device_bytes() const;
  /// Adds the times of the phases on the first GPU, in the last evaluation that is done.
  void add_facts(EngineReport& report);

 private:
  struct Domain;
  struct Marks;
  struct Move;
  struct Freight;
  tree::DomainShape shape_of(std::size_t k) const;
  void queue(Domain& domain, const std::function<void(tree::DomainQueue&)>& kernels);
  void find_emigrants();
  void list_emigrants(Domain& domain);
  void take_imports();
  void build();
  void select();
  bool make_room();
  void send();
  void pack(Domain& from);
  bool writes_into(const Domain& from, const Domain& to) const;
  void carry(std::span<const Move> moves, Event Marks::*ready, const char* what);
  void carry_between_processes(std::span<const Move> moves, const char* what);
  std::byte* host_room(HostMemory& memory, std::size_t bytes) const;
  void walk();
  void return_accelerations();
  void stamp(std::size_t phase);
  std::size_t imports() const;
  std::string walk_times() const;

  DomainTeam& team_;
  std::vector<std::unique_ptr<Domain>> domains_;
  std::vector<Domain*> here_;       ///< domains of this process, at least one
  HostMemory outgoing_, incoming_;  ///< what goes to other processes, and comes from them, unless is_direct_
  bool is_direct_ = false;          ///< MPI gets addresses of GPU memory
  std::string how_;
  DomainBalance balance_;
  GalaxyCut& cut_;
  double sent_ = 0.0;                             ///< bytes of the last evaluation
  bool has_peers_ = false;                        ///< GPUs of this process can write into each other's memory
  std::array<std::unique_ptr<Event>, 6> stamps_;  ///< phase boundaries on the first part here
  std::array<double, 5> phase_ms_{};
  bool stamped_ = false;
};

}  // namespace orrery::sim::cuda
