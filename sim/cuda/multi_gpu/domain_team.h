#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "sim/bodies/partition.h"
#include "sim/core/vec3.h"
#include "sim/cuda/driver/cuda_abi.h"
#include "sim/cuda/options/schedule.h"
#include "sim/engines/packed_bodies.h"
#include "sim/ranks/agreement.h"

namespace orrery::sim::cuda {

/// Bytes in the memory of a GPU, as MPI takes them; the host reads those of emulated GPUs only.
template <typename Byte>
std::span<Byte> bytes_on_gpu(CUdeviceptr address, std::size_t bytes) {
  return {reinterpret_cast<Byte*>(address), bytes};  // NOLINT(performance-no-int-to-ptr)
}

/// The processes whose GPUs share galaxies, as one of them sees them; or one process alone, for which nothing
/// is sent. Each GPU has one domain, or one part of the bodies; these are numbered process by process.
///
/// Every process calls every function that is not const, in the same order. What one throws, all throw.
class DomainTeam {
 public:
  /// `ranks` must outlive this, or the next call of `leave`.
  void join(Communicator& ranks, bool in_domains) {
    ranks_ = &ranks;
    in_domains_ = in_domains;
  }
  void leave() {
    ranks_ = nullptr;
    moved_.clear();
  }
  bool has_others() const { return ranks_ != nullptr; }
  /// True if the processes share one galaxy in domains, false if they share the bodies of all galaxies.
  bool in_domains() const { return in_domains_; }

  /// The weights of all GPUs, given those of this process; each process has as many domains as it gave
  /// weights.
  std::vector<double> all_weights(std::vector<double> mine);
  std::size_t process_of(std::size_t domain) const;
  bool is_here(std::size_t domain) const { return domain >= first() && domain < first_[self() + 1]; }
  /// The first domain of this process.
  std::size_t first() const { return first_[self()]; }
  std::size_t processes() const { return has_others() ? static_cast<std::size_t>(ranks_->size()) : 1; }

  /// Sends to[w] to process w and fills from[w] with what that sends here; both know the order and the sizes
  /// of the pieces. Waits.
  void trade(std::span<const OutgoingPieces> to, std::span<const IncomingPieces> from) {
    sim::trade(*ranks_, to, from);
  }
  /// Says if processes may trade pieces in the memory of GPUs, as far as this one knows.
  GpuAddresses gpu_addresses() const {
    return has_others() ? ranks_->gpu_addresses() : GpuAddresses::refused;
  }
  /// True if all processes will do so. Where one was asked to, it is known that it can.
  bool agree_on_gpu_addresses(RanksTransfer asked) {
    const bool automatic = asked == RanksTransfer::automatic;
    return has_others() &&
           all(asked == RanksTransfer::direct || (automatic && gpu_addresses() == GpuAddresses::taken));
  }
  /// Exchanges a block of bytes per domain: `of(k)` is read for the domains of this process and overwritten
  /// for those of others. All processes know its size.
  void tell(std::size_t domains, const std::function<std::span<std::byte>(std::size_t)>& of);
  double largest(double mine);
  /// True if `mine` is true in all processes.
  bool all(bool mine) { return has_others() ? !call_roll(*ranks_, {.vote = mine}).no : mine; }
  /// Gives the domains these stretches of `order`, or of the dataset (nullptr).
  void hold(BodyOrder order, std::vector<BodyRange> stretches);
  /// The bodies of the dataset that this process moves; none before it holds stretches, or alone.
  std::span<const std::uint32_t> moved_bodies() const { return moved_; }
  /// The union of the stretches of a process's domains.
  BodyRange stretch_of_process(std::size_t process) const;
  std::size_t domains() const { return stretches_.size(); }
  BodyRange stretch(std::size_t domain) const { return stretches_[domain]; }
  /// `all` has `each` bytes per body, stretch by stretch. Every process fills its own stretches, and gets
  /// those of the others.
  void share_bytes(std::span<std::byte> all, std::size_t each);
  /// Vectors of bodies in the dataset's order: all processes get those of the others.
  void gather(std::span<Vec3> vectors);

 private:
  std::size_t self() const { return has_others() ? static_cast<std::size_t>(ranks_->rank()) : 0; }

  Communicator* ranks_ = nullptr;
  bool in_domains_ = false;
  BodyOrder order_;
  std::vector<BodyRange> stretches_;
  std::vector<std::uint32_t> moved_;
  std::vector<std::size_t> first_{0, 0};  ///< the first domain of each process, and the number of all
};

}  // namespace orrery::sim::cuda
