#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sim/core/vec3.h"
#include "sim/ranks/agreement.h"
#include "sim/ranks/communicator.h"

namespace orrery::sim {

/// Communication between workers that share galaxies by domains. Every worker makes the same calls in the
/// same order.
class DomainExchange {
 public:
  /// A worker is a rank.
  explicit DomainExchange(Communicator& ranks) : ranks_(ranks) {}
  /// The index of this worker, and their number.
  std::size_t worker() const { return static_cast<std::size_t>(ranks_.rank()); }
  std::size_t workers() const { return static_cast<std::size_t>(ranks_.size()); }
  /// True if `mine` is true for all workers.
  bool all(bool mine) { return !call_roll(ranks_, {.vote = mine}).no; }
  /// Replaces each number by the largest that any worker has there.
  void find_largest(std::span<double> numbers) { sim::find_largest(ranks_, numbers); }
  /// Sends a message to each of the other workers. The messages travel while this worker goes on.
  std::unique_ptr<Delivery> send(std::vector<Bytes> messages) { return deliver(ranks_, std::move(messages)); }
  /// Sends to[w] to worker w and fills from[w] with what that sends here; both know the order and the sizes
  /// of the pieces. Waits.
  void trade(std::span<const OutgoingPieces> to, std::span<const IncomingPieces> from) {
    sim::trade(ranks_, to, from);
  }
  /// Says if pieces may be in the memory of GPUs.
  GpuAddresses gpu_addresses() const { return ranks_.gpu_addresses(); }
  /// The bodies of the dataset that this worker moves from now on; none before the first call.
  void hold(std::vector<std::uint32_t> bodies) { index_ = std::move(bodies); }
  std::size_t bodies() const { return index_.size(); }

  /// Sends the vectors of the bodies that this worker moves to worker 0, and fills in `all`, the vectors of
  /// the whole dataset: completely on worker 0, elsewhere with this worker's. `own` has those of all bodies.
  void collect(std::span<const Vec3> own, std::span<Vec3> all) { bring(own, all, false); }
  /// Fills in `all` on every worker as `collect` does on worker 0.
  void share(std::span<const Vec3> own, std::span<Vec3> all) { bring(own, all, true); }

 private:
  void bring(std::span<const Vec3> own, std::span<Vec3> all, bool to_every_worker);

  Communicator& ranks_;
  std::vector<std::uint32_t> index_;
};

/// An engine that loads all bodies in every process, and shares them with the engines of the others: whole
/// galaxies excepted. Positions, velocities, samples and maps that it gives are valid for the bodies that it
/// moves (DomainExchange::hold).
class TeamEngine {
 public:
  virtual ~TeamEngine() = default;
  /// Declares the loaded bodies to be shared with the engines of other processes. Call right after
  /// Engine::load, which cancels it. `exchange` must live until then. `in_domains`: each engine computes the
  /// bodies of domains, of which others get parts of a tree; else bodies whose positions all get. Throws
  /// UsageError where the options cannot be shared so.
  virtual void join(DomainExchange& exchange, bool in_domains) = 0;
  /// True if it is worth it to cut the domains anew, for all engines of the team or for none.
  virtual bool should_cut() const = 0;
  /// Cuts the galaxy again, between two steps. All engines of the team do it together.
  virtual void cut_again() = 0;
};

}  // namespace orrery::sim
