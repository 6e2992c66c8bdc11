#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "sim/bodies/bodies.h"
#include "sim/core/progress.h"
#include "sim/core/random.h"
#include "sim/core/vec3.h"

namespace orrery::sim {

/// The initial position and velocity of a body.
struct DrawnBody {
  DVec3 position;
  DVec3 velocity;
};

/// Draws body `k` with the random numbers of its block. Is called from several threads at once.
using DrawBody = std::function<DrawnBody(std::size_t k, Random& random)>;

/// The k-th of a sequence in (0, 1) whose parts are all spread evenly (multiples of the golden ratio, Weyl
/// 1916): radii drawn with it follow their profile more closely than random ones, in any part of the list.
double even_fraction(std::size_t k, std::uint64_t seed);

/// `count` stars of equal mass, 1 in all, drawn by all cores, in single precision and not centred.
/// Blocks of bodies have seeds of their own, so the bits do not depend on the number of threads. Throws
/// Cancelled if the ticker's watcher asked for it; what `draw` throws is passed on.
Bodies draw_bodies(std::size_t count, std::uint64_t seed, const Ticker& ticker, const DrawBody& draw);

/// Moves the centre of mass to the origin and the total momentum to 0, summed in double precision.
void center(Bodies& bodies);

}  // namespace orrery::sim
