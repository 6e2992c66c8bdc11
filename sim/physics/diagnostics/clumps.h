#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/tree/octree.h"

namespace orrery::sim {

/// A compact group of bodies: at least ten times as dense as what separates it from other such groups.
struct Clump {
  std::vector<GalaxyRange> ranges;  ///< its bodies, as ranges of positions on the tree's curve; ascending
  std::size_t bodies = 0;           ///< number of bodies in all ranges
};

/// The clumps of a tree's bodies, the largest first; clumps within clumps too. A single galaxy has none.
/// Fewer than `fewest_in_clump` bodies are no clump.
///
/// Clumps are connected regions above a threshold of the number density, which rises by decades: where such
/// a region falls into several, and at least two of them go on above the next threshold, these are clumps.
/// The density of a cell of the tree is the number of its bodies over the cube of the longest side of the
/// smallest box around them; cells are connected if their boxes are less than two mean distances of bodies
/// apart.
std::vector<Clump> find_clumps(const Octree& tree);

inline constexpr std::uint32_t fewest_in_clump = 8;

/// The decimal logarithm of the number density at each position of the tree's curve, by the smallest cell
/// with at least `fewest_in_clump` bodies.
std::vector<float> log_number_density(const Octree& tree);

/// Bodies of groups with 2 to `fewest_in_clump` - 1 bodies that are `tight_ratio` times as small as the cell
/// around them, such as binaries far from all others: their positions on the curve, ascending.
std::vector<std::uint32_t> bodies_of_tight_groups(const Octree& tree);

inline constexpr float tight_ratio = 30.0F;

}  // namespace orrery::sim
