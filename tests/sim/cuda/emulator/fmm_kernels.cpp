#include "tests/sim/cuda/emulator/fmm_kernels.h"

#include <stdexcept>
#include <string>

#include "tests/sim/cuda/emulator/bound_kernel.h"
#include "tests/sim/cuda/emulator/device_language.h"

#define CONSTANT_COUNT 2
#include "tests/sim/cuda/emulator/kernel_settings.h"

namespace orrery::sim::cuda::device {
#include "sim/cuda/device/shared.h"
//
#include "sim/cuda/device/common.cuh"
//
#include "sim/cuda/laws/gravity.cuh"
//
#include "sim/cuda/device/sums.cuh"
//
#include "sim/cuda/families/tree_shapes.h"
//
#include "sim/cuda/families/tree_sort.cu"
//
#include "sim/cuda/families/tree_build.cu"
//
#include "sim/cuda/families/tree_refine.cu"
//
#include "sim/cuda/families/tree_moments.cu"
//
#include "sim/cuda/families/fmm_shapes.h"
}  // namespace orrery::sim::cuda::device

// Each order in a namespace of its own; functions with C names need different ones.
// NOLINTBEGIN
#define ORDERED_NAME(name, order) name##order
#define ORDERED(name, order) ORDERED_NAME(name, order)
#define fmm_link ORDERED(fmm_link_, EXPANSION)
#define fmm_slots ORDERED(fmm_slots_, EXPANSION)
#define fmm_moments ORDERED(fmm_moments_, EXPANSION)
#define forces ORDERED(fmm_forces_, EXPANSION)
#define KERNELS                                                              \
  std::function<void()> kernel_named(const std::string& name, void** with) { \
    if (name == "fmm_link") return emulator::bound(&fmm_link, with);         \
    if (name == "fmm_slots") return emulator::bound(&fmm_slots, with);       \
    if (name == "fmm_moments") return emulator::bound(&fmm_moments, with);   \
    if (name == "forces") return emulator::bound(&forces, with);             \
    throw std::out_of_range("fast multipoles have no kernel " + name);       \
  }
// NOLINTEND

namespace orrery::sim::cuda::device::order3 {
#undef EXPANSION
#define EXPANSION 3
#include "sim/cuda/families/fmm_terms.cuh"
//
#include "sim/cuda/families/fmm_moments.cu"
//
#include "sim/cuda/families/fmm.cu"
KERNELS
}  // namespace orrery::sim::cuda::device::order3

namespace orrery::sim::cuda::device::order4 {
#undef EXPANSION
#define EXPANSION 4
#include "sim/cuda/families/fmm_terms.cuh"
//
#include "sim/cuda/families/fmm_moments.cu"
//
#include "sim/cuda/families/fmm.cu"
KERNELS
}  // namespace orrery::sim::cuda::device::order4

namespace orrery::sim::cuda::device::order5 {
#undef EXPANSION
#define EXPANSION 5
#include "sim/cuda/families/fmm_terms.cuh"
//
#include "sim/cuda/families/fmm_moments.cu"
//
#include "sim/cuda/families/fmm.cu"
KERNELS
}  // namespace orrery::sim::cuda::device::order5

namespace orrery::sim::cuda::device::order6 {
#undef EXPANSION
#define EXPANSION 6
#include "sim/cuda/families/fmm_terms.cuh"
//
#include "sim/cuda/families/fmm_moments.cu"
//
#include "sim/cuda/families/fmm.cu"
KERNELS
}  // namespace orrery::sim::cuda::device::order6

namespace orrery::sim::cuda::emulator {

std::function<void()> fmm_kernel(const std::string& name, int order, void** arguments) {
#define TREE_KERNEL(kernel) \
  if (name == #kernel) return bound(&device::kernel, arguments)
  TREE_KERNEL(tree_grid);
  TREE_KERNEL(tree_keys);
  TREE_KERNEL(tree_sort);
  TREE_KERNEL(tree_sort_wide);
  TREE_KERNEL(tree_refine);
  TREE_KERNEL(tree_gather);
  TREE_KERNEL(tree_mark);
  TREE_KERNEL(tree_count);
  TREE_KERNEL(tree_cells);
  TREE_KERNEL(tree_weigh_leaves);
  TREE_KERNEL(tree_weigh);
#undef TREE_KERNEL
  switch (order) {
    case 3:
      return device::order3::kernel_named(name, arguments);
    case 4:
      return device::order4::kernel_named(name, arguments);
    case 5:
      return device::order5::kernel_named(name, arguments);
    case 6:
      return device::order6::kernel_named(name, arguments);
    default:
      throw std::out_of_range("fast multipoles have no order " + std::to_string(order));
  }
}

}  // namespace orrery::sim::cuda::emulator
