#include "tests/sim/cuda/emulator/tree_kernels.h"

#include <stdexcept>
#include <string>

#include "tests/sim/cuda/emulator/bound_kernel.h"
#include "tests/sim/cuda/emulator/device_language.h"
#include "tests/sim/cuda/emulator/half_products.h"

#define CONSTANT_COUNT 2
#define GROUP 64
#define NEAR_CODE 1
#define NEAR_CHOSEN (::orrery::sim::cuda::emulator::near_products)
#define THIRD_CODE 1
#define HAS_THIRD(how) ((how).third_moments != 0)
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
#include "sim/cuda/families/tree_moments.cu"
//
#include "sim/cuda/families/tree_series.cuh"
//
#include "sim/cuda/families/tree_near.cuh"
//
#include "sim/cuda/families/tree_lists.cuh"
//
#include "sim/cuda/families/tree_sums.cuh"
//
#include "sim/cuda/families/tree.cu"
//
#include "sim/cuda/families/tree_domain_shapes.h"
//
#include "sim/cuda/families/tree_domains.cu"
}  // namespace orrery::sim::cuda::device

namespace orrery::sim::cuda::emulator {

void use_near_products(bool use) { near_products = use; }

std::function<void()> tree_kernel(const std::string& name, void** arguments) {
  using namespace device;
#define ORRERY_KERNEL(kernel) \
  if (name == #kernel) return bound(&device::kernel, arguments)
  ORRERY_KERNEL(tree_grid);
  ORRERY_KERNEL(tree_keys);
  ORRERY_KERNEL(tree_digits);
  ORRERY_KERNEL(tree_sort);
  ORRERY_KERNEL(tree_gather);
  ORRERY_KERNEL(tree_mark);
  ORRERY_KERNEL(tree_count);
  ORRERY_KERNEL(tree_cells);
  ORRERY_KERNEL(tree_weigh_leaves);
  ORRERY_KERNEL(tree_weigh);
  ORRERY_KERNEL(forces);
  ORRERY_KERNEL(domain_owners);
  ORRERY_KERNEL(domain_leavers);
  ORRERY_KERNEL(domain_return);
  ORRERY_KERNEL(domain_grid);
  ORRERY_KERNEL(domain_boxes);
  ORRERY_KERNEL(domain_pulls);
  ORRERY_KERNEL(domain_mark);
  ORRERY_KERNEL(domain_count);
  ORRERY_KERNEL(domain_sums);
  ORRERY_KERNEL(domain_rank);
  ORRERY_KERNEL(domain_pack);
  ORRERY_KERNEL(domain_roots);
  ORRERY_KERNEL(domain_vertices);
#undef ORRERY_KERNEL
  throw std::out_of_range("the tree has no kernel " + name);
}

}  // namespace orrery::sim::cuda::emulator
