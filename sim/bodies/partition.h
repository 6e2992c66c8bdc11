#pragma once

#include <span>
#include <vector>

#include "sim/bodies/bodies.h"

// How several workers (GPUs, processes) share a dataset. Indices are global: of the dataset.
namespace orrery::sim {

/// Bodies [first, last), of any galaxies.
using BodyRange = GalaxyRange;

/// The work of one worker. It holds the bodies `held`, whole galaxies, and computes the forces on and moves
/// `targets`, which lie within. Where held is more than targets, the positions of the others come from the
/// other workers before each force evaluation.
struct Partition {
  BodyRange held;
  BodyRange targets;
  friend bool operator==(const Partition&, const Partition&) = default;
};

/// Whole galaxies to each worker; held == targets. Galaxies of one size are dealt by number, the remainder to
/// the first workers (ECE415 2025, section 8.3); galaxies of different sizes are cut where the interactions
/// come closest to the weights. With fewer galaxies than workers the last ones get nothing (empty ranges).
/// `weights`: the speed of each worker in any unit, all positive; one share each is returned.
/// Throws Error if there is no weight, or one that is not positive.
std::vector<Partition> split_galaxies(std::span<const GalaxyRange> galaxies, std::span<const double> weights);

/// Every worker holds all bodies; the targets are cut, through galaxies too, so that the interactions are as
/// the weights; with equal weights and one galaxy the remainder goes to the first ones. As above otherwise.
std::vector<Partition> split_bodies(std::span<const GalaxyRange> galaxies, std::span<const double> weights);

}  // namespace orrery::sim
