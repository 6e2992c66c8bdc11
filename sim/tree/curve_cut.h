#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/bodies/partition.h"
#include "sim/core/vec3.h"

namespace orrery::sim {

/// The bodies in the order of Hilbert's curve through a grid whose cells are even where most bodies are, and
/// widen outside, so that a body far away does not put all others into one cell (as the GPU's tree has it).
/// Bodies of one cell are in the order in which they come; so it does not depend on the number of threads.
std::vector<std::uint32_t> along_even_curve(std::span<const Vec3> position, int threads);

/// Cuts such an order into stretches of work as the weights, of which there is at least one, all positive.
/// `work`: of each body of the dataset; empty: all the same. No stretch is empty while there are bodies.
std::vector<BodyRange> cut_order(std::span<const std::uint32_t> order, std::span<const float> work,
                                 std::span<const double> weights);

}  // namespace orrery::sim
