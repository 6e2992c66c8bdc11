// The families on tensor cores: two that sum a body's forces by itself, and one that computes every pair
// once. tensor_common.cuh is the device's part.
#include <algorithm>
#include <array>

#include "cuda_families.h"
#include "sim/cuda/families/split_sources.h"
#include "sim/cuda/families/tensor_scratch.h"
#include "sim/cuda/families/tensor_shapes.h"
#include "sim/cuda/options/kernel_configuration.h"
#include "sim/cuda/options/option_helpers.h"

namespace orrery::sim::cuda {

namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t word_sources = 32 * std::size_t{tensor::group_sources};  ///< sources per word of marks

std::size_t parts(std::size_t all, std::size_t part) { return (all + part - 1) / part; }
std::size_t padded(std::size_t bytes, std::size_t to = alignment) { return parts(bytes, to) * to; }

/// Bodies rounded up to whole tiles of the packed arrays.
std::size_t padded_bodies(std::size_t bodies) { return padded(bodies, tensor::staged_sources); }

}  // namespace

TensorScratch tensor_scratch(std::size_t sources, std::size_t targets, std::size_t covered) {
  TensorScratch result;
  // The last block's warps may mark rows past the end. A block that is refused for its size still gets here.
  const std::size_t rows = padded(targets, covered) / tensor::row_targets;
  result.mark_words = rows * parts(sources, word_sources);
  result.marks = padded(tensor::head_bytes + tensor::packed_bytes * padded_bodies(sources));
  result.partials = padded(result.marks + 4 * result.mark_words);
  return result;
}

namespace {

// ---- what they share ----
/// Options: how weights enter the products, and where their roots are computed.
Option weights_option() {
  auto weights =
      choice("weights", "tensor, tensor-pairs: how weights enter the sums.", "half", {"half", "split"},
             {"rounded to half precision: random errors of 2^-12 per pair",
              "as a high and a low part, two products: about the accuracy of FP32"})
          .with_macro("SPLIT_WEIGHTS")
          .tuned(13);
  weights.accurate = std::string("split");
  return weights;
}

std::vector<Option> sum_options() { return {split_option()}; }
std::vector<Option> options() { return {split_option(), weights_option()}; }

/// True where a weight, or its root by a polynomial, is good to 11 bits only.
bool rounds_weights(const KernelConfiguration& c) { return c.chose("weights", "half"); }

std::vector<const char*> kernels(const KernelConfiguration&) { return {"measure", "prepare", "finish"}; }

/// Queues what precedes the products: frame and packed numbers of the galaxy. `totals`: sums to be cleared;
/// 0: none.
void queue_packing(ForceQueue& queue, const GalaxyRange& galaxy, const TensorScratch& layout,
                   DeviceAddress totals) {
  Arguments measure;
  queue.add_bodies(measure);
  measure.add(queue.scratch());
  for (const auto index : {galaxy.first, galaxy.last}) add_index(measure, index);
  queue.launch(
      "measure",
      {.grid_x = tensor::extent_blocks, .block_x = tensor::measuring_threads, .early = queue.early()},
      measure);

  auto prepare = constants_and_bodies(queue);
  prepare.add(queue.scratch()).add(queue.scratch() + layout.marks);
  prepare.add(static_cast<std::uint64_t>(layout.mark_words));
  if (totals != 0) prepare.add(totals);
  for (const auto index : {galaxy.first, galaxy.last}) add_index(prepare, index);
  queue.launch("prepare",
               {.grid_x = blocks_for(padded_bodies(galaxy.size()), tensor::preparing_threads),
                .block_x = tensor::preparing_threads,
                .early = queue.early()},
               prepare);
}

/// Queues what follows the products: accelerations of that many targets.
void queue_finish(ForceQueue& queue, Arguments& arguments, std::size_t targets) {
  constexpr std::size_t covered = tensor::finishing_threads / 32 * std::size_t{tensor::row_targets};
  queue.launch(
      "finish",
      {.grid_x = blocks_for(targets, covered), .block_x = tensor::finishing_threads, .early = queue.early()},
      arguments);
}

void add_macros(const KernelConfiguration& c, Macros& macros, int block, int row_tiles, int distances,
                int pairs) {
  macros.insert(macros.end(), {{"BLOCK", block},
                               {"ROW_TILES", row_tiles},
                               {"MAX_REGISTERS", c.registers},
                               {"TENSOR_DISTANCES", distances},
                               {"PAIR_SUMS", pairs}});
}

// ---- tensor-sum and tensor ----
void sum_macros(const KernelConfiguration& c, Macros& macros) {
  add_macros(c, macros, block_that_splits(c), c.family->code.row_tiles, 0, 0);
}
void macros(const KernelConfiguration& c, Macros& macros) {
  add_macros(c, macros, block_that_splits(c), c.family->code.row_tiles, 1, 0);
}

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

// ---- tensor-pairs ----
constexpr std::size_t finished_at_a_time = 65536;  ///< targets
constexpr std::size_t tile = tensor::staged_sources;

/// The shape is fixed: tiles of 256 bodies meet, 64 a warp.
void pair_macros(const KernelConfiguration& c, Macros& macros) {
  add_macros(c, macros, tensor::pair_threads, tensor::pair_row_tiles, 1, 1);
}
int pair_block(const KernelConfiguration&) { return tensor::pair_threads; }

/// For all bodies of the galaxy, whatever the slice.
TensorScratch layout_of(std::size_t bodies) { return tensor_scratch(bodies, bodies, tile); }

std::size_t pair_scratch_bytes(const KernelConfiguration&, std::size_t sources, std::size_t /*targets*/) {
  return layout_of(sources).partials + tensor::total_bytes * padded_bodies(sources);
}

/// A tile meets itself and half of the others; of an even number, half of the tiles the one opposite.
SourceSplit pair_split_of(const ForceQueue& queue, std::size_t tiles) {
  return split_sources(queue.kernel().value("split"), {.sources = (tiles + 1) * tile / 2,
                                                       .columns = tiles,
                                                       .multiprocessors = queue.multiprocessors(),
                                                       .grain = tile,
                                                       .saturating = 2.5,
                                                       .row_cost = 1.5});
}

void queue_pair_products(ForceQueue& queue, const ForceSlice& slice, const TensorScratch& layout) {
  const std::size_t bodies = slice.galaxy.size();
  const auto split = pair_split_of(queue, blocks_for(bodies, tile));
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
void queue_pairs(ForceQueue& queue, const ForceSlice& slice) {
  const auto layout = layout_of(slice.galaxy.size());
  if (slice.begin == slice.galaxy.first)
    queue_packing(queue, slice.galaxy, layout, queue.scratch() + layout.partials);
  queue_pair_products(queue, slice, layout);
  if (slice.end == slice.galaxy.last) queue_finishes(queue, slice.galaxy, layout);
}

constexpr std::array<std::string_view, 4> tensor_sources{"tensor_shapes.h", "half_products.cuh",
                                                         "tensor_common.cuh", "tensor.cu"};
constexpr std::array<std::string_view, 4> tensor_pairs_sources{"tensor_shapes.h", "half_products.cuh",
                                                               "tensor_common.cuh", "tensor_pairs.cu"};
constexpr std::array<std::string_view, 2> sum_uses{"block", "split"};
constexpr std::array<std::string_view, 3> tensor_uses{"block", "split", "weights"};
constexpr std::array<std::string_view, 2> tensor_pairs_uses{"split", "weights"};

constexpr std::string_view is_gravity = "its products compute gravity only; use register-split";
constexpr std::string_view is_float = "its products are of half and single precision; use precision=float";
constexpr std::string_view scratch_meaning = "partial sums and marks";

constexpr FamilyLimits tensor_limits{.gravity_only = is_gravity, .float_only = is_float};

}  // namespace

constinit const Family tensor_sum_family{
    .name = "tensor-sum",
    .meaning = "distances in FP32, the sum of forces as a product on tensor cores (TF32)",
    .usual_rate = 2270,
    // 4 row tiles are the fastest of 1 to 4 on an H200.
    .code = {.files = tensor_sources, .kernels = kernels, .macros = sum_macros, .row_tiles = 4},
    .uses = sum_uses,
    .options = sum_options,
    .limits = tensor_limits,
    .forces = queue_forces,
    .block = block_that_splits,
    .slice_grain = tensor::group_sources,
    .scratch = {.bytes = scratch_bytes, .meaning = scratch_meaning, .less = "tiled"},
    .needs_tensor_cores = true,
    .rounds_weights = rounds_in_sum,
};

constinit const Family tensor_family{
    .name = "tensor",
    .meaning = "distances and sum as products on tensor cores, close pairs in FP32",
    .usual_rate = 3500,
    // 3 row tiles are the fastest of 1 to 4 on an H200.
    .code = {.files = tensor_sources, .kernels = kernels, .macros = macros, .row_tiles = 3},
    .uses = tensor_uses,
    .options = options,
    .limits = tensor_limits,
    .forces = queue_forces,
    .block = block_that_splits,
    .slice_grain = tensor::group_sources,
    .scratch = {.bytes = scratch_bytes, .meaning = scratch_meaning, .less = "tiled"},
    .needs_tensor_cores = true,
    .rounds_weights = rounds_weights,
};

constinit const Family tensor_pairs_family{
    .name = "tensor-pairs",
    .meaning = "as tensor, every pair of bodies once for the sums of both",
    .usual_rate = 5700,
    .code = {.files = tensor_pairs_sources, .kernels = kernels, .macros = pair_macros},
    .uses = tensor_pairs_uses,
    .options = options,
    .limits = {.gravity_only = is_gravity,
               .float_only = is_float,
               .no_sharing = "a pair is computed once for both bodies, which must be on one GPU; use "
                             "split-by=galaxies, or tensor"},
    .forces = queue_pairs,
    .block = pair_block,
    .slice_grain = tile,
    .scratch = {.bytes = pair_scratch_bytes, .meaning = scratch_meaning, .less = "tiled"},
    .sums_pairs = true,
    .needs_tensor_cores = true,
    .rounds_weights = rounds_weights,
};

}  // namespace orrery::sim::cuda
