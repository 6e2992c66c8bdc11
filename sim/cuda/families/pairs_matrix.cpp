// The two families that write the matrix of pair forces and add its rows.
#include <array>

#include "sim/cuda/families/block_rows.h"
#include "sim/cuda/families/family.h"
#include "sim/cuda/options/kernel_configuration.h"

namespace orrery::sim::cuda {

namespace {

constexpr unsigned row_threads = 256;  ///< threads of a block that adds rows

std::vector<const char*> kernels(const KernelConfiguration&) { return {"add_rows"}; }

/// ROW_BLOCK: a block adds a row, instead of a thread.
void thread_a_row(const KernelConfiguration&, Macros& macros) {
  macros.insert(macros.end(), {{"ROW_BLOCK", 0}, {"ROW_THREADS", static_cast<int>(row_threads)}});
}
void block_a_row(const KernelConfiguration&, Macros& macros) {
  macros.insert(macros.end(), {{"ROW_BLOCK", 1}, {"ROW_THREADS", static_cast<int>(row_threads)}});
}

std::size_t scratch_bytes(const KernelConfiguration& c, std::size_t sources, std::size_t targets) {
  return 4 * c.real_bytes() * sources * targets;
}

std::string one_stream(const Configuration&) {
  return "every stream would need a force matrix of its own; use serial";
}

void queue_matrix(ForceQueue& queue, const ForceSlice& slice, unsigned block_x, unsigned block_y) {
  auto arguments = constants_and_bodies(queue);
  arguments.add(queue.scratch());
  add_range(queue, arguments, slice);
  queue.launch("forces",
               {.grid_x = blocks_for(slice.galaxy.size(), block_x),
                .grid_y = blocks_for(slice.targets(), block_y),
                .block_x = block_x,
                .block_y = block_y},
               arguments);
}

void queue_sums(ForceQueue& queue, const ForceSlice& slice, unsigned blocks) {
  Arguments sums;
  queue.add_constants(sums);
  sums.add(queue.scratch()).add(queue.accelerations());
  if (!queue.kernel().constant_ranges) {
    for (const auto index : {slice.galaxy.size(), slice.begin, slice.end}) add_index(sums, index);
  }
  queue.launch("add_rows", {.grid_x = blocks, .block_x = row_threads}, sums);
}

void queue_threads(ForceQueue& queue, const ForceSlice& slice) {
  const auto block = pair_block(queue.block(), queue.kernel().value(block_rows_option));
  for_pieces(slice, block.y * most_grid_rows, [&](const ForceSlice& piece) {
    queue_matrix(queue, piece, block.x, block.y);
    queue_sums(queue, piece, blocks_for(piece.targets(), row_threads));
  });
}

constexpr unsigned side = 16;  ///< side of the thread blocks of force-matrix

void queue_blocks(ForceQueue& queue, const ForceSlice& slice) {
  for_pieces(slice, side * most_grid_rows, [&](const ForceSlice& piece) {
    queue_matrix(queue, piece, side, side);
    queue_sums(queue, piece, static_cast<unsigned>(piece.targets()));
  });
}

int square_block(const KernelConfiguration&) { return side * side; }

constexpr std::array<std::string_view, 1> pairs_matrix_sources{"pairs_matrix.cu"};
constexpr std::array<std::string_view, 2> pairs_matrix_uses{"block", block_rows_option};

}  // namespace

extern const Family pairs_matrix_family;
constinit const Family pairs_matrix_family{
    .name = "pairs-matrix",
    .meaning = "N x N threads write a force matrix, one thread per row adds it (COM4521)",
    .usual_rate = 80,
    .code = {.files = pairs_matrix_sources, .kernels = kernels, .macros = thread_a_row},
    .uses = pairs_matrix_uses,
    .options = block_rows_options,
    .constant_ranges = true,
    .limits = {.no_streams = one_stream},
    .forces = queue_threads,
    .scratch = {.bytes = scratch_bytes, .meaning = "matrix of forces"},
};

extern const Family force_matrix_family;
constinit const Family force_matrix_family{
    .name = "force-matrix",
    .meaning =
        "N x N threads in blocks of 16 x 16 write a force matrix, one block per row adds it (the electric "
        "report)",
    .usual_rate = 144,
    .code = {.files = pairs_matrix_sources, .kernels = kernels, .macros = block_a_row},
    .constant_ranges = true,
    .limits = {.no_streams = one_stream},
    .forces = queue_blocks,
    .block = square_block,
    .scratch = {.bytes = scratch_bytes, .meaning = "matrix of forces"},
};

}  // namespace orrery::sim::cuda
