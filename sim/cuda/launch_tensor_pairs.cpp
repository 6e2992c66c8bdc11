#include <algorithm>
#include <cstdint>

#include "sim/cuda/launch.h"
#include "sim/cuda/source_split.h"

namespace orrery::sim::cuda {

namespace {

constexpr std::size_t finished_at_a_time = 65536;  ///< targets

}  // namespace

/// The tiles of a slice meet all tiles after them: only with the last slice is a body's sum complete.
void ForceLauncher::tensor_pairs(const ForceSlice& slice) const {
  const auto& c = module.configuration();
  const std::size_t bodies = slice.galaxy.size();
  const std::size_t tiles = blocks_for(bodies, tensor_stage);
  const auto layout = tensor_scratch(c, bodies, bodies);
  const CUdeviceptr marks = scratch + layout.marks;
  const CUdeviceptr totals = scratch + layout.partials;
  if (slice.begin == slice.galaxy.first) pack_for_tensor_cores(slice, layout);

  // A tile meets itself and half of the others; of an even number, half of the tiles the one opposite.
  const auto split =
      split_sources(c, {.sources = (tiles + 1) * tensor_stage / 2,
                        .columns = tiles,
                        .multiprocessors = static_cast<std::size_t>(module.facts().multiprocessors),
                        .grain = tensor_stage,
                        .saturating = 2.5,
                        .row_cost = 1.5});
  const std::size_t first_tile = (slice.begin - slice.galaxy.first) / tensor_stage;
  const std::size_t last_tile = blocks_for(slice.end - slice.galaxy.first, tensor_stage);
  Arguments forces;
  forces.add(scratch).add(marks).add(totals).add(static_cast<std::uint32_t>(bodies));
  forces.add(static_cast<std::uint32_t>(first_tile))
      .add(static_cast<std::uint32_t>(split.range / tensor_stage));
  launch(module.forces(),
         {.grid_x = static_cast<unsigned>(last_tile - first_tile),
          .grid_y = static_cast<unsigned>(split.rows),
          .block_x = static_cast<unsigned>(module.facts().block),
          .early = module.launches_early()},
         forces, stream);
  if (slice.end < slice.galaxy.last) return;

  // Where nearly all pairs are close they take long: in pieces, so that others use the GPU in between.
  for (std::size_t begin = 0; begin < bodies; begin += finished_at_a_time) {
    const std::size_t end = std::min(bodies, begin + finished_at_a_time);
    Arguments finish;
    add_constants(finish);
    state.add_to(finish, c.passing);
    finish.add(scratch).add(marks).add(totals).add(accelerations);
    for (const auto index : {slice.galaxy.first, slice.galaxy.last, begin, end})
      finish.add(static_cast<std::uint32_t>(index));
    finish_on_tensor_cores(finish, end - begin);
  }
}

}  // namespace orrery::sim::cuda
