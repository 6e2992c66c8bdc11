#pragma once

#include <cstddef>

#include "sim/cuda/families/fmm_shapes.h"
#include "sim/cuda/families/force_queue.h"
#include "sim/tree/tree_settings.h"

namespace orrery::sim::cuda::fmm {

/// Orders of the series that there is code for.
inline constexpr int least_order = 3, most_order = 6;
/// Numbers of a local series, and of a cell's moments, in memory.
std::size_t local_numbers(int order);
std::size_t moment_numbers(int order);
/// Bytes behind those of the tree, for targets of `group` bodies.
std::size_t bytes(std::size_t bodies, std::size_t leaf_size, int order, std::size_t group);
/// The arrays that begin at this address, the counters first.
FmmMemory memory(DeviceAddress begin, std::size_t bodies, std::size_t leaf_size, int order,
                 std::size_t group);
/// When cells act as a whole: so that the median error is that of the tree's walk with these settings
/// (stated_error).
FmmRule rule(const TreeSettings& settings, int order);

}  // namespace orrery::sim::cuda::fmm
