// The families with one thread per pair of bodies: pulls are added atomically, or written as a matrix whose
// rows are added.
#include <algorithm>
#include <array>

#include "cuda_families.h"
#include "sim/cuda/options/kernel_configuration.h"
#include "sim/cuda/options/option_helpers.h"

namespace orrery::sim::cuda {

namespace {

constexpr std::string_view block_rows_option = "block-rows";

std::string no_rectangle(const OptionValue& value, const Configuration&, const OptionContext&) {
  const auto rows = std::get<std::int64_t>(value);
  return (rows & (rows - 1)) == 0 ? "" : "a block has 1, 2, 4, 8, 16 or 32 rows";
}

std::vector<Option> options() {
  return {integer(std::string(block_rows_option),
                  "Rows of a block of threads, one thread per pair. 256 threads in 8 rows are 32 x 8 "
                  "(COM4521): 32 sources by 8 targets.",
                  1, 1, 32)
              .labelled("Rows of a block")
              .refused(on_cuda(no_rectangle))
              .tried({std::int64_t{1}, std::int64_t{2}, std::int64_t{4}, std::int64_t{8}, std::int64_t{16}})};
}

/// Threads of a block along the sources and along the targets.
struct PairBlock {
  unsigned x, y;
};

/// Blocks are multiples of 32 threads, and rows powers of two up to 32.
PairBlock pair_block(const ForceQueue& queue) {
  const int rows = queue.kernel().value(block_rows_option);
  return {static_cast<unsigned>(std::max(queue.block() / rows, 1)), static_cast<unsigned>(rows)};
}

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

/// A thread for each pair of a source and a target, whose results go to `results`.
void queue_pairs(ForceQueue& queue, const ForceSlice& slice, const PairBlock& block, DeviceAddress results) {
  auto arguments = constants_and_bodies(queue);
  arguments.add(results);
  add_range(queue, arguments, slice);
  queue.launch("forces",
               {.grid_x = blocks_for(slice.galaxy.size(), block.x),
                .grid_y = blocks_for(slice.targets(), block.y),
                .block_x = block.x,
                .block_y = block.y},
               arguments);
}

void queue_atomic(ForceQueue& queue, const ForceSlice& slice) {
  queue.clear(queue.accelerations() + 3 * queue.real_bytes() * slice.begin,
              3 * queue.real_bytes() * slice.targets());
  const auto block = pair_block(queue);
  for_pieces(slice, block.y * most_grid_rows,
             [&](const ForceSlice& piece) { queue_pairs(queue, piece, block, queue.accelerations()); });
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
  const auto block = pair_block(queue);
  for_pieces(slice, block.y * most_grid_rows, [&](const ForceSlice& piece) {
    queue_pairs(queue, piece, block, queue.scratch());
    queue_sums(queue, piece, blocks_for(piece.targets(), row_threads));
  });
}

constexpr unsigned side = 16;  ///< side of the thread blocks of force-matrix

void queue_blocks(ForceQueue& queue, const ForceSlice& slice) {
  for_pieces(slice, side * most_grid_rows, [&](const ForceSlice& piece) {
    queue_pairs(queue, piece, {side, side}, queue.scratch());
    queue_sums(queue, piece, static_cast<unsigned>(piece.targets()));
  });
}

int square_block(const KernelConfiguration&) { return side * side; }

constexpr std::array<std::string_view, 1> atomic_sources{"pairs_atomic.cu"},
    matrix_sources{"pairs_matrix.cu"};
constexpr std::array<std::string_view, 2> pair_uses{"block", block_rows_option};

}  // namespace

constinit const Family pairs_atomic_family{
    .name = "pairs-atomic",
    .meaning = "N x N threads, one pair each, added atomically (COM4521)",
    .usual_rate = 0.48,
    .code = {.files = atomic_sources},
    .uses = pair_uses,
    .options = options,
    .constant_ranges = true,
    .forces = queue_atomic,
};

constinit const Family pairs_matrix_family{
    .name = "pairs-matrix",
    .meaning = "N x N threads write a force matrix, one thread per row adds it (COM4521)",
    .usual_rate = 80,
    .code = {.files = matrix_sources, .kernels = kernels, .macros = thread_a_row},
    .uses = pair_uses,
    .options = options,
    .constant_ranges = true,
    .limits = {.no_streams = one_stream},
    .forces = queue_threads,
    .scratch = {.bytes = scratch_bytes, .meaning = "matrix of forces"},
};

constinit const Family force_matrix_family{
    .name = "force-matrix",
    .meaning =
        "N x N threads in blocks of 16 x 16 write a force matrix, one block per row adds it (the electric "
        "report)",
    .usual_rate = 144,
    .code = {.files = matrix_sources, .kernels = kernels, .macros = block_a_row},
    .constant_ranges = true,
    .limits = {.no_streams = one_stream},
    .forces = queue_blocks,
    .block = square_block,
    .scratch = {.bytes = scratch_bytes, .meaning = "matrix of forces"},
};

}  // namespace orrery::sim::cuda
