#include "tests/sim/cuda/emulator/tree_kernels.h"

#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "sim/cuda/emulator/device_language.h"

#define CONSTANT_COUNT 2
#define GROUP 64
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
#include "sim/tree/shared/tree_numbers.h"
//
#include "sim/tree/shared/tree_rule.cuh"
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
#include "sim/cuda/families/tree_series.cuh"
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

namespace {

/// Calls a kernel with the values that the pointers point to.
template <typename... Parameters>
std::function<void()> bound(void (*kernel)(Parameters...), void** arguments) {
  return [=] {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      kernel(*static_cast<std::remove_cv_t<Parameters>*>(arguments[k])...);
    }
    (std::index_sequence_for<Parameters...>());
  };
}

/// As the kernels have a cell in memory.
struct CellInMemory {
  device::float4 moment, third[2];
  device::float2 more_moment;
  float mass;

  explicit CellInMemory(const CellNumbers& n) : mass(static_cast<float>(n[0])) {
    const auto second = [&](std::size_t k) { return static_cast<float>(3.0 * n[k]); };
    const auto of_third = [&](std::size_t k) { return static_cast<float>(7.5 * n[k]); };
    moment = {second(1), second(2), second(3), second(4)};
    more_moment = {second(5), second(6)};
    third[0] = {of_third(7), of_third(8), of_third(9), of_third(10)};
    third[1] = {of_third(11), of_third(12), of_third(13), 1.0F};
  }
};

device::float3 single(const DVec3& x) {
  return {static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z)};
}

}  // namespace

DVec3 pull_of_cell(const CellNumbers& cell, const DVec3& place) {
  const CellInMemory c(cell);
  const auto x = single(place);
  const device::float3 here{x.x, x.y, x.z};
  device::CellSources sources{};
  sources.place[0] = {0.0F, 0.0F, 0.0F, c.mass};
  sources.moment[0] = c.moment;
  sources.more_moment[0] = {c.more_moment.x, c.more_moment.y,
                            0.5F * (c.moment.x + c.moment.w + c.more_moment.y),
                            -(c.third[0].x + c.third[0].w)};
  sources.third[0][0] = c.third[0], sources.third[1][0] = c.third[1];
  device::float3 sum{};
  device::pull_of_cell(sum, here, device::loaded_cell<true>(sources, 0), 0.0F);
  return {sum.x, sum.y, sum.z};
}

DVec3 pull_by_series(const CellNumbers& cell, const DVec3& place, const DVec3& middle) {
  const CellInMemory c(cell);
  float terms[SERIES_TERMS] = {};
  const auto to_cell = single(middle * -1.0);
  device::add_to_series(terms, to_cell, c.mass, c.moment, c.more_moment, 0.0F);
  device::add_third_to_series(terms, to_cell, c.third[0], c.third[1], 0.0F);
  const auto pull = device::pull_of_series(terms, single(place - middle));
  return {pull.x, pull.y, pull.z};
}

std::function<void()> tree_kernel(const std::string& name, void** arguments) {
  using namespace device;
#define ORRERY_KERNEL(kernel) \
  if (name == #kernel) return bound(&device::kernel, arguments)
  ORRERY_KERNEL(tree_grid);
  ORRERY_KERNEL(tree_keys);
  ORRERY_KERNEL(tree_sort);
  ORRERY_KERNEL(tree_sort_wide);
  ORRERY_KERNEL(tree_refine);
  ORRERY_KERNEL(tree_gather);
  ORRERY_KERNEL(tree_mark);
  ORRERY_KERNEL(tree_count);
  ORRERY_KERNEL(tree_cells);
  ORRERY_KERNEL(tree_weigh_leaves);
  ORRERY_KERNEL(tree_weigh);
  ORRERY_KERNEL(forces);
  ORRERY_KERNEL(domain_owners);
  ORRERY_KERNEL(domain_emigrants);
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
  ORRERY_KERNEL(domain_costs);
  ORRERY_KERNEL(domain_vertices);
#undef ORRERY_KERNEL
  throw std::out_of_range("the tree has no kernel " + name);
}

}  // namespace orrery::sim::cuda::emulator
