#include <cstdint>

#include "sim/cuda/api.h"
#include "sim/cuda/launch.h"
#include "sim/cuda/source_split.h"

namespace orrery::sim::cuda {

namespace {

constexpr std::size_t grain = 8;  ///< ranges of sources: enough for whole unrolled steps
constexpr int adding_block = 256;
constexpr int numbers_of_block = 64;  ///< ADDED in kernels/register_split.cu

}  // namespace

void ForceLauncher::register_split(const ForceSlice& slice) const {
  const auto& c = module.configuration();
  const int block = module.facts().block;
  const int covered = block * c.bodies_per_thread;
  const auto split =
      split_sources(c, {.sources = slice.galaxy.size(),
                        .columns = blocks_for(slice.galaxy.size(), covered),
                        .multiprocessors = static_cast<std::size_t>(module.facts().multiprocessors),
                        .grain = grain,
                        .whole = static_cast<std::size_t>(c.tile)});
  const std::size_t targets = slice.end - slice.begin;
  const std::size_t real = static_cast<std::size_t>(c.precision) / 8;
  if (c.atomic_sum) {
    check(driver()->cuMemsetD8Async(accelerations + 3 * real * slice.begin, 0, 3 * real * targets, stream),
          "clearing the accelerations");
  }
  Arguments arguments;
  add_constants(arguments);
  state.add_to(arguments, c.passing);
  arguments.add(c.atomic_sum ? accelerations : scratch);
  add_slice(arguments, slice);
  arguments.add(static_cast<std::uint32_t>(split.range));
  // What precedes it is no kernel where the sums are cleared.
  const bool early = module.launches_early() && !c.atomic_sum;
  launch(module.forces(),
         {.grid_x = blocks_for(targets, covered),
          .grid_y = static_cast<unsigned>(split.rows),
          .block_x = static_cast<unsigned>(block),
          .early = early},
         arguments, stream);
  if (c.atomic_sum) return;
  Arguments sums;
  add_constants(sums);
  sums.add(scratch).add(accelerations).add(static_cast<std::uint32_t>(split.rows));
  sums.add(static_cast<std::uint32_t>(slice.begin)).add(static_cast<std::uint32_t>(slice.end));
  launch(module.function("add_partials"),
         {.grid_x = blocks_for(3 * targets, numbers_of_block),
          .block_x = adding_block,
          .early = module.launches_early()},
         sums, stream);
}

}  // namespace orrery::sim::cuda
