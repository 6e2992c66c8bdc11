#pragma once

#include <array>
#include <functional>
#include <string>

#include "sim/core/vec3.h"

namespace orrery::sim::cuda::emulator {

/// A kernel of the tree (sim/cuda/families/tree.cu), to be run for each thread: single precision, bodies as
/// float4, groups of 64. `arguments`: pointers to its arguments, as cuLaunchKernel takes them; they are read
/// by every thread. Asking for another kernel is our own mistake (std::out_of_range).
std::function<void()> tree_kernel(const std::string& name, void** arguments);

/// A cell at 0 without softening, of reach 1: mass, second moments, third moments without traces
/// (checks::LopsidedCell::numbers). Its pull at a place, summed by itself; and by a group's series about
/// `middle`.
using CellNumbers = std::array<double, 14>;
DVec3 pull_of_cell(const CellNumbers& cell, const DVec3& place);
DVec3 pull_by_series(const CellNumbers& cell, const DVec3& place, const DVec3& middle);

}  // namespace orrery::sim::cuda::emulator
