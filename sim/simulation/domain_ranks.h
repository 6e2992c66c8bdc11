#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/engines/domain_exchange.h"
#include "sim/engines/engine.h"
#include "sim/ranks/communicator.h"

namespace orrery::sim {

/// Tracks which rank has which bodies of a dataset that is divided into domains, and gathers and migrates
/// them. Every rank calls every function except the const ones. As in agreement.h, an exception of one rank
/// is thrown on all.
class DomainRanks final : public DomainExchange {
 public:
  /// A domain begins with as many bodies at least. With group-size up to 64 there are then as many groups as
  /// ranks, wherever the bodies go: with fewer (larger groups of few bodies) DomainForces leaves the cuts as
  /// they are, and the work is not balanced.
  static constexpr std::size_t least_bodies = 64;

  using DomainExchange::DomainExchange;

  /// The first cut, into equal numbers along the curve through one galaxy after the other. Gives this rank's
  /// bodies. Throws Error if there are too few; exchanges nothing.
  Bodies begin(const Bodies& all);
  /// The engine of each rank has all bodies, and says which of them are its own (`hold`). None is before
  /// that.
  void begin_with_all();
  /// This rank's bodies, for an engine.
  DomainBodies domain() const { return {index_, galaxies_, all_galaxies_}; }
  std::size_t bodies() const { return index_.size(); }

  /// Vectors of this rank's bodies go where they belong among all: to rank 0; elsewhere this rank's are
  /// filled in. `held`: of the bodies that the engine has, in its order.
  void collect(std::span<const Vec3> held, std::span<Vec3> all);
  /// The same to every rank.
  void share(std::span<const Vec3> held, std::span<Vec3> all);
  /// After a step: bodies go to those for whom they were proposed, if that is worth it for some rank. `held`
  /// are what the engine has, and become what it has then.
  void move_bodies(Engine& engine, Bodies& held);

  /// Bytes that this rank has sent for a force evaluation, and for bodies that moved, on average since the
  /// beginning.
  double sent_per_evaluation() const {
    return evaluations_ > 0 ? static_cast<double>(sent_) / static_cast<double>(evaluations_) : 0.0;
  }

  void propose(std::vector<std::vector<std::uint32_t>> leaving) override {
    leaving_ = std::move(leaving);
    ++evaluations_;
  }
  void hold(std::vector<std::uint32_t> bodies) override { index_ = std::move(bodies); }

 private:
  std::size_t place_of(std::size_t k) const { return has_all_ ? index_[k] : k; }
  void place(std::span<const Vec3> held, std::span<Vec3> all) const;
  void bring(std::span<const Vec3> held, std::span<Vec3> all, bool to_every_rank);
  bool is_worth_it() const;
  void know(const Bodies& held);

  std::vector<std::uint32_t> index_;  ///< dataset indices of this rank's bodies; ascending unless has_all_
  bool has_all_ = false;              ///< the engine has all bodies, not only these
  std::vector<std::uint32_t> galaxies_;
  std::size_t all_galaxies_ = 0;
  std::vector<std::vector<std::uint32_t>> leaving_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace orrery::sim
