#include "cpu_kernels.h"

namespace orrery::sim {

namespace {

/// Engines take the tree or every pair by the number of bodies (sim/simulation/accurate_engine.h). What asks
/// kernels directly gets the tree, which is right for any number.
CpuKernel tree_by_choice() {
  CpuKernel kernel = tree_kernel;
  kernel.name = "auto";
  kernel.meaning = "simd for few bodies, tree for many: whichever is faster at the requested accuracy.";
  return kernel;
}

}  // namespace

/// tree_kernel is a constant: it is there before this is made.
const CpuKernel auto_kernel = tree_by_choice();

}  // namespace orrery::sim
