#pragma once

#include <functional>
#include <string>

namespace orrery::sim::cuda::emulator {

/// A kernel of the fast multipole method (sim/cuda/families/fmm.cu) with series of this order, or of the tree
/// before it; as tree_kernel. Asking for another kernel or order is our own mistake (std::out_of_range).
std::function<void()> fmm_kernel(const std::string& name, int order, void** arguments);

}  // namespace orrery::sim::cuda::emulator
