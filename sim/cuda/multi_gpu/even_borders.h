#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/cuda/families/tree_domain_shapes.h"
#include "sim/cuda/families/tree_layout.h"

namespace orrery::sim::cuda {

/// Behind the last key of the curve; a domain that begins there has no bodies.
inline constexpr std::uint64_t end_of_keys = std::uint64_t{1} << (3U * tree::key_bits);

/// The cost of a piece's bodies, in interactions: what they sum, and their places in the tree.
double cost_of(const tree::PieceCost& piece);
double cost_of(std::span<const tree::PieceCost> pieces);

/// Shares of domains in all costs over their weights, of which the mean is 1: the largest.
/// `pieces`: those of each domain; some may have no bodies.
double largest_share(std::span<const std::vector<tree::PieceCost>> pieces, std::span<const double> weights);

/// First keys of domains whose costs are nearer to being as their weights, given what the pieces of the
/// present ones cost. `begins`: the present first keys, that of the first domain 0; they are returned where
/// nothing is known.
std::vector<std::uint64_t> even_borders(std::span<const std::vector<tree::PieceCost>> pieces,
                                        std::span<const double> weights,
                                        std::span<const std::uint64_t> begins);

}  // namespace orrery::sim::cuda
