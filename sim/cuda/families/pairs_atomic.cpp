#include <array>

#include "sim/cuda/families/block_rows.h"
#include "sim/cuda/families/family.h"
#include "sim/cuda/options/kernel_configuration.h"

namespace orrery::sim::cuda {

namespace {

void queue_forces(ForceQueue& queue, const ForceSlice& slice) {
  queue.clear(queue.accelerations() + 3 * queue.real_bytes() * slice.begin,
              3 * queue.real_bytes() * slice.targets());
  const auto block = pair_block(queue.block(), queue.kernel().value(block_rows_option));
  for_pieces(slice, block.y * most_grid_rows, [&](const ForceSlice& piece) {
    auto arguments = constants_and_bodies(queue);
    arguments.add(queue.accelerations());
    add_range(queue, arguments, piece);
    queue.launch("forces",
                 {.grid_x = blocks_for(piece.galaxy.size(), block.x),
                  .grid_y = blocks_for(piece.targets(), block.y),
                  .block_x = block.x,
                  .block_y = block.y},
                 arguments);
  });
}

constexpr std::array<std::string_view, 1> pairs_atomic_sources{"pairs_atomic.cu"};
constexpr std::array<std::string_view, 2> pairs_atomic_uses{"block", block_rows_option};

}  // namespace

extern const Family pairs_atomic_family;
constinit const Family pairs_atomic_family{
    .name = "pairs-atomic",
    .meaning = "N x N threads, one pair each, added atomically (COM4521)",
    .usual_rate = 0.48,
    .code = {.files = pairs_atomic_sources},
    .uses = pairs_atomic_uses,
    .options = block_rows_options,
    .constant_ranges = true,
    .forces = queue_forces,
};

}  // namespace orrery::sim::cuda
