#include <algorithm>
#include <array>

#include "sim/cuda/families/family.h"

namespace orrery::sim::cuda {

namespace {

void queue_forces(ForceQueue& queue, const ForceSlice& slice) {
  queue.clear(queue.accelerations() + 3 * queue.real_bytes() * slice.begin,
              3 * queue.real_bytes() * slice.targets());
  const auto block = static_cast<unsigned>(queue.block());
  for_pieces(slice, most_grid_rows, [&](const ForceSlice& piece) {
    auto arguments = constants_and_bodies(queue);
    arguments.add(queue.accelerations());
    add_slice(arguments, piece);
    queue.launch("forces",
                 {.grid_x = blocks_for(piece.galaxy.size(), block),
                  .grid_y = static_cast<unsigned>(piece.targets()),
                  .block_x = block},
                 arguments);
  });
}

constexpr std::array<std::string_view, 1> sources{"pairs_atomic.cu"};
constexpr std::array<std::string_view, 1> uses{"block"};

}  // namespace

extern const Family pairs_atomic_family;
constinit const Family pairs_atomic_family{
    .name = "pairs-atomic",
    .meaning = "N x N threads, one pair each, added atomically (COM4521)",
    .usual_rate = 0.48,
    .sources = sources,
    .uses = uses,
    .forces = queue_forces,
};

}  // namespace orrery::sim::cuda
