// The two families on tensor cores that sum a body's forces by itself.
#include <array>

#include "sim/cuda/families/split_sources.h"
#include "sim/cuda/families/tensor_families.h"
#include "sim/cuda/families/tensor_shapes.h"
#include "sim/cuda/options/kernel_configuration.h"

namespace orrery::sim::cuda {

namespace {

std::vector<Option> sum_options() { return {split_option()}; }
std::vector<Option> options() { return {split_option(), weights_option()}; }

void add_macros(const KernelConfiguration& c, Macros& macros, int distances) {
  macros.insert(macros.end(), {{"BLOCK", block_that_splits(c)},
                               {"ROW_TILES", c.family->code.row_tiles},
                               {"MAX_REGISTERS", c.registers},
                               {"TENSOR_DISTANCES", distances},
                               {"PAIR_SUMS", 0}});
}
void sum_macros(const KernelConfiguration& c, Macros& macros) { add_macros(c, macros, 0); }
void macros(const KernelConfiguration& c, Macros& macros) { add_macros(c, macros, 1); }

bool rounds_in_sum(const KernelConfiguration&) { return true; }
/// Targets of a block.
std::size_t covered(const KernelConfiguration& c, int block) {
  const auto warps = (static_cast<std::size_t>(block) + 31) / 32;
  return warps * static_cast<std::size_t>(c.family->code.row_tiles) * tensor::row_targets;
}

std::size_t scratch_bytes(const KernelConfiguration& c, std::size_t sources, std::size_t targets) {
  return tensor_scratch(sources, targets, covered(c, block_that_splits(c))).partials +
         partial_sum_bytes(c, sources, targets);
}

SourceSplit split_of(const ForceQueue& queue, const ForceSlice& slice) {
  const std::size_t sources = slice.galaxy.size();
  return split_sources(queue.kernel().value("split"),
                       {.sources = sources,
                        .columns = blocks_for(sources, covered(queue.kernel(), queue.block())),
                        .multiprocessors = queue.multiprocessors(),
                        .grain = tensor::staged_sources,
                        .saturating = 2.0});
}

void queue_products(ForceQueue& queue, const ForceSlice& slice, const TensorScratch& layout,
                    const SourceSplit& split) {
  auto arguments = constants_and_bodies(queue);
  arguments.add(queue.scratch()).add(queue.scratch() + layout.marks).add(queue.scratch() + layout.partials);
  add_slice(arguments, slice);
  add_index(arguments, split.range);
  queue.launch("forces",
               {.grid_x = blocks_for(slice.targets(), covered(queue.kernel(), queue.block())),
                .grid_y = static_cast<unsigned>(split.rows),
                .block_x = static_cast<unsigned>(queue.block()),
                .early = queue.early()},
               arguments);
}

void queue_forces(ForceQueue& queue, const ForceSlice& slice) {
  const auto split = split_of(queue, slice);
  const auto layout =
      tensor_scratch(slice.galaxy.size(), slice.targets(), covered(queue.kernel(), queue.block()));
  queue_packing(queue, slice.galaxy, layout, 0);
  queue_products(queue, slice, layout, split);

  auto finish = constants_and_bodies(queue);
  finish.add(queue.scratch() + layout.marks).add(queue.scratch() + layout.partials);
  finish.add(queue.accelerations());
  add_index(finish, split.rows);
  add_slice(finish, slice);
  queue_finish(queue, finish, slice.targets());
}

constexpr std::array<std::string_view, 4> tensor_sources{"tensor_shapes.h", "half_products.cuh",
                                                         "tensor_common.cuh", "tensor.cu"};
constexpr std::array<std::string_view, 2> sum_uses{"block", "split"};
constexpr std::array<std::string_view, 3> tensor_uses{"block", "split", "weights"};

}  // namespace

extern const Family tensor_sum_family;
constinit const Family tensor_sum_family{
    .name = "tensor-sum",
    .meaning = "distances in FP32, the sum of forces as a product on tensor cores (TF32)",
    .usual_rate = 2270,
    // 4 row tiles are the fastest of 1 to 4 on an H200.
    .code = {.files = tensor_sources, .kernels = tensor_kernels, .macros = sum_macros, .row_tiles = 4},
    .uses = sum_uses,
    .options = sum_options,
    .limits = {.gravity_only = tensor_is_gravity, .float_only = tensor_is_float},
    .forces = queue_forces,
    .block = block_that_splits,
    .slice_grain = tensor::group_sources,
    .scratch = {.bytes = scratch_bytes, .meaning = tensor_scratch_meaning, .less = "tiled"},
    .needs_tensor_cores = true,
    .rounds_weights = rounds_in_sum,
};

extern const Family tensor_family;
constinit const Family tensor_family{
    .name = "tensor",
    .meaning = "distances and sum as products on tensor cores, close pairs in FP32",
    .usual_rate = 3500,
    // 3 row tiles are the fastest of 1 to 4 on an H200.
    .code = {.files = tensor_sources, .kernels = tensor_kernels, .macros = macros, .row_tiles = 3},
    .uses = tensor_uses,
    .options = options,
    .limits = {.gravity_only = tensor_is_gravity, .float_only = tensor_is_float},
    .forces = queue_forces,
    .block = block_that_splits,
    .slice_grain = tensor::group_sources,
    .scratch = {.bytes = scratch_bytes, .meaning = tensor_scratch_meaning, .less = "tiled"},
    .needs_tensor_cores = true,
    .rounds_weights = rounds_tensor_weights,
};

}  // namespace orrery::sim::cuda
