#pragma once

#include <functional>
#include <string>

namespace orrery::sim::cuda::emulator {

/// A kernel of the tree (sim/cuda/families/tree.cu), to be run for each thread: single precision, bodies as
/// float4, groups of 64. `arguments`: pointers to its arguments, as cuLaunchKernel takes them; they are read
/// by every thread. Asking for another kernel is our own mistake (std::out_of_range).
std::function<void()> tree_kernel(const std::string& name, void** arguments);

/// From now on near bodies are summed as products on tensor cores (near=tensor), or one by one.
void use_near_products(bool use);

}  // namespace orrery::sim::cuda::emulator
