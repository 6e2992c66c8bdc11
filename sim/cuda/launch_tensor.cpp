#include <cstdint>

#include "sim/cuda/launch.h"
#include "sim/cuda/source_split.h"

namespace orrery::sim::cuda {

namespace {

// Shapes in kernels/tensor_common.cuh, tensor.cu and tensor_pairs.cu: EXTENT_BLOCKS, and the blocks of
// `measure`, `prepare` and `finish`.
constexpr unsigned extent_blocks = 64;
constexpr int measuring_block = 256;
constexpr int preparing_block = 128;
constexpr int finishing_block = 128;
constexpr int targets_of_warp = 16;

}  // namespace

void ForceLauncher::pack_for_tensor_cores(const ForceSlice& slice, const TensorScratch& layout) const {
  const auto& c = module.configuration();
  const auto first = static_cast<std::uint32_t>(slice.galaxy.first);
  const auto last = static_cast<std::uint32_t>(slice.galaxy.last);

  Arguments measure;
  state.add_to(measure, c.passing);
  measure.add(scratch).add(first).add(last);
  launch(module.function("measure"),
         {.grid_x = extent_blocks, .block_x = measuring_block, .early = module.launches_early()}, measure,
         stream);

  Arguments prepare;
  add_constants(prepare);
  state.add_to(prepare, c.passing);
  prepare.add(scratch).add(scratch + layout.marks).add(static_cast<std::uint64_t>(layout.mark_words));
  if (sums_pairs(c)) prepare.add(scratch + layout.partials);
  prepare.add(first).add(last);
  const std::size_t packed = blocks_for(slice.galaxy.size(), tensor_stage) * tensor_stage;
  launch(module.function("prepare"),
         {.grid_x = blocks_for(packed, preparing_block),
          .block_x = preparing_block,
          .early = module.launches_early()},
         prepare, stream);
}

void ForceLauncher::finish_on_tensor_cores(Arguments& arguments, std::size_t targets) const {
  launch(module.function("finish"),
         {.grid_x = blocks_for(targets, finishing_block / 32 * targets_of_warp),
          .block_x = finishing_block,
          .early = module.launches_early()},
         arguments, stream);
}

void ForceLauncher::tensor(const ForceSlice& slice) const {
  const auto& c = module.configuration();
  const std::size_t sources = slice.galaxy.size();
  const std::size_t targets = slice.end - slice.begin;
  const int block = module.facts().block;
  const int covered = block / 32 * c.row_tiles * targets_of_warp;
  const auto split =
      split_sources(c, {.sources = sources,
                        .columns = blocks_for(sources, covered),
                        .multiprocessors = static_cast<std::size_t>(module.facts().multiprocessors),
                        .grain = tensor_stage,
                        .saturating = 2.0});
  const auto layout = tensor_scratch(c, sources, targets);
  const CUdeviceptr marks = scratch + layout.marks;
  const CUdeviceptr partials = scratch + layout.partials;
  pack_for_tensor_cores(slice, layout);

  Arguments forces;
  add_constants(forces);
  state.add_to(forces, c.passing);
  forces.add(scratch).add(marks).add(partials);
  add_slice(forces, slice);
  forces.add(static_cast<std::uint32_t>(split.range));
  launch(module.forces(),
         {.grid_x = blocks_for(targets, covered),
          .grid_y = static_cast<unsigned>(split.rows),
          .block_x = static_cast<unsigned>(block),
          .early = module.launches_early()},
         forces, stream);

  Arguments finish;
  add_constants(finish);
  state.add_to(finish, c.passing);
  finish.add(marks).add(partials).add(accelerations).add(static_cast<std::uint32_t>(split.rows));
  add_slice(finish, slice);
  finish_on_tensor_cores(finish, targets);
}

}  // namespace orrery::sim::cuda
