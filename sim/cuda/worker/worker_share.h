#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sim/bodies/partition.h"
#include "sim/cuda/families/family.h"

namespace orrery::sim::cuda {

/// The bodies that a GPU holds, and of each of its galaxies the forces that it sums. Indices are local (0 is
/// the first body held) except where a name says global.
class WorkerShare {
 public:
  /// Sets the share of a dataset with these galaxies, of which these bodies exert forces (sources_of).
  void set(const Partition& share, std::span<const GalaxyRange> global_galaxies,
           std::span<const GalaxyRange> global_sources);
  /// Leaves trailing tracers out of the sources, for kernels that do so; approximate ones start with a guess
  /// of their interactions.
  void choose_sources(bool leaves_out, bool approximate);

  const Partition& partition() const { return partition_; }
  std::size_t bodies() const { return partition_.held.size(); }
  BodyRange targets() const {
    return {partition_.targets.first - partition_.held.first,
            partition_.targets.last - partition_.held.first};
  }
  std::size_t first_galaxy() const { return first_galaxy_; }
  /// The targets of each galaxy that has some.
  const std::vector<ForceSlice>& slices() const { return slices_; }
  std::size_t galaxies() const { return slices_.size(); }
  /// The targets of each galaxy with the sources that the present kernel sums.
  const std::vector<ForceSlice>& all() const { return all_; }
  /// The slices of the evaluation under way.
  const std::vector<ForceSlice>& wanted() const { return some_.empty() ? all_ : some_; }

  /// Block time steps: from now on forces are on these bodies only.
  void limit_to(std::vector<ForceSlice> some) { some_ = std::move(some); }
  void no_limit() { some_.clear(); }
  bool is_limited() const { return !some_.empty(); }

  /// Ordered pairs of a force evaluation; of approximate ones a guess, until it is known.
  double interactions() const { return interactions_; }
  void set_interactions(double interactions) { interactions_ = interactions; }

 private:
  Partition partition_;
  std::size_t first_galaxy_ = 0;  ///< global number of the first slice's galaxy
  std::vector<ForceSlice> slices_, all_, some_;
  std::vector<GalaxyRange> sources_;  ///< of each slice's galaxy, without trailing tracers
  double interactions_ = 0.0;
};

}  // namespace orrery::sim::cuda
