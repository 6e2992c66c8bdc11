#include <algorithm>
#include <array>

#include "sim/cuda/families/split_sources.h"
#include "sim/cuda/families/tensor_families.h"
#include "sim/cuda/families/tensor_shapes.h"
#include "sim/cuda/options/kernel_configuration.h"

namespace orrery::sim::cuda {

namespace {

constexpr std::size_t finished_at_a_time = 65536;  ///< targets
constexpr std::size_t tile = tensor::staged_sources;

std::vector<Option> options() { return {split_option(), weights_option()}; }

/// The shape is fixed: tiles of 256 bodies meet, 64 a warp.
void macros(const KernelConfiguration& c, Macros& macros) {
  macros.insert(macros.end(), {{"BLOCK", tensor::pair_threads},
                               {"ROW_TILES", tensor::pair_row_tiles},
                               {"MAX_REGISTERS", c.registers},
                               {"TENSOR_DISTANCES", 1},
                               {"PAIR_SUMS", 1}});
}
int block(const KernelConfiguration&) { return tensor::pair_threads; }

/// For all bodies of the galaxy, whatever the slice.
TensorScratch layout_of(std::size_t bodies) { return tensor_scratch(bodies, bodies, tile); }

std::size_t scratch_bytes(const KernelConfiguration&, std::size_t sources, std::size_t /*targets*/) {
  return layout_of(sources).partials + tensor::total_bytes * padded_bodies(sources);
}

/// A tile meets itself and half of the others; of an even number, half of the tiles the one opposite.
SourceSplit split_of(const ForceQueue& queue, std::size_t tiles) {
  return split_sources(queue.kernel().value("split"), {.sources = (tiles + 1) * tile / 2,
                                                       .columns = tiles,
                                                       .multiprocessors = queue.multiprocessors(),
                                                       .grain = tile,
                                                       .saturating = 2.5,
                                                       .row_cost = 1.5});
}

void queue_products(ForceQueue& queue, const ForceSlice& slice, const TensorScratch& layout) {
  const std::size_t bodies = slice.galaxy.size();
  const auto split = split_of(queue, blocks_for(bodies, tile));
  const std::size_t first_tile = (slice.begin - slice.galaxy.first) / tile;
  const std::size_t last_tile = blocks_for(slice.end - slice.galaxy.first, tile);
  Arguments arguments;
  arguments.add(queue.scratch()).add(queue.scratch() + layout.marks).add(queue.scratch() + layout.partials);
  for (const auto index : {bodies, first_tile, split.range / tile}) add_index(arguments, index);
  queue.launch("forces",
               {.grid_x = static_cast<unsigned>(last_tile - first_tile),
                .grid_y = static_cast<unsigned>(split.rows),
                .block_x = tensor::pair_threads,
                .early = queue.early()},
               arguments);
}

/// Where nearly all pairs are close it takes long: in pieces, so that others use the GPU in between.
void queue_finishes(ForceQueue& queue, const GalaxyRange& galaxy, const TensorScratch& layout) {
  for (std::size_t begin = 0; begin < galaxy.size(); begin += finished_at_a_time) {
    const std::size_t end = std::min(galaxy.size(), begin + finished_at_a_time);
    auto finish = constants_and_bodies(queue);
    finish.add(queue.scratch()).add(queue.scratch() + layout.marks).add(queue.scratch() + layout.partials);
    finish.add(queue.accelerations());
    for (const auto index : {galaxy.first, galaxy.last, begin, end}) add_index(finish, index);
    queue_finish(queue, finish, end - begin);
  }
}

/// The tiles of a slice meet all tiles after them: only with the last slice is a body's sum complete.
void queue_forces(ForceQueue& queue, const ForceSlice& slice) {
  const auto layout = layout_of(slice.galaxy.size());
  if (slice.begin == slice.galaxy.first)
    queue_packing(queue, slice.galaxy, layout, queue.scratch() + layout.partials);
  queue_products(queue, slice, layout);
  if (slice.end == slice.galaxy.last) queue_finishes(queue, slice.galaxy, layout);
}

constexpr std::array<std::string_view, 4> tensor_pairs_sources{"tensor_shapes.h", "half_products.cuh",
                                                               "tensor_common.cuh", "tensor_pairs.cu"};
constexpr std::array<std::string_view, 2> tensor_pairs_uses{"split", "weights"};

}  // namespace

extern const Family tensor_pairs_family;
constinit const Family tensor_pairs_family{
    .name = "tensor-pairs",
    .meaning = "as tensor, every pair of bodies once for the sums of both",
    .usual_rate = 5700,
    .code = {.files = tensor_pairs_sources, .kernels = tensor_kernels, .macros = macros},
    .uses = tensor_pairs_uses,
    .options = options,
    .limits = {.gravity_only = tensor_is_gravity,
               .float_only = tensor_is_float,
               .no_sharing = "a pair is computed once for both bodies, which must be on one GPU; use "
                             "split-by=galaxies, or tensor"},
    .forces = queue_forces,
    .block = block,
    .slice_grain = tile,
    .scratch = {.bytes = scratch_bytes, .meaning = tensor_scratch_meaning, .less = "tiled"},
    .sums_pairs = true,
    .needs_tensor_cores = true,
    .rounds_weights = rounds_tensor_weights,
};

}  // namespace orrery::sim::cuda
