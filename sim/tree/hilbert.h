#pragma once

#include <cstdint>

namespace orrery::sim {

/// Bits of a Hilbert key for each axis.
inline constexpr int hilbert_bits = 21;

/// The place of a cell of a grid of 2^21 cells per side on Hilbert's curve: 63 bits, three for each level
/// from the coarsest to the finest, so that what lies in one octant of any level has a common prefix. Cells
/// with neighbouring keys are neighbours in space. Coordinates are below 2^21. Source: C. Hamilton, Compact
/// Hilbert Indices, Dalhousie University CS-2006-07, algorithm 2, as a table of the 24 states of the curve.
std::uint64_t hilbert_key(std::uint32_t x, std::uint32_t y, std::uint32_t z);

}  // namespace orrery::sim
