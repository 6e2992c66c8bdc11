#include <array>
#include <cstdint>

#include "cuda_families.h"
#include "sim/cuda/families/shared_memory.h"
#include "sim/cuda/families/split_sources.h"
#include "sim/cuda/options/kernel_configuration.h"

namespace orrery::sim::cuda {

namespace {

constexpr std::size_t grain = 8;  ///< ranges of sources: enough for whole unrolled steps
/// A block of add_partials: several threads add a number each.
constexpr unsigned adding_threads = 256;
constexpr unsigned adders = 4;
constexpr unsigned numbers_of_block = adding_threads / adders;
/// Fused: a launch has that many columns of blocks at most, each with a counter of those that have ended.
constexpr std::size_t most_columns = 16384;
constexpr std::size_t counter_bytes = most_columns * sizeof(std::uint32_t);

// ---- options ----
std::vector<Option> options() {
  return {integer("bodies-per-thread",
                  "register-split: bodies per thread; each source that is read serves all of them.", 4, 1, 8)
              .with_macro("BODIES_PER_THREAD")
              .tuned(4),
          split_option()};
}

void macros(const KernelConfiguration& c, Macros& macros) {
  macros.insert(macros.end(), {{"BLOCK", block_that_splits(c)},
                               {"MAX_REGISTERS", c.registers},
                               {"UPDATES", c.updates() ? 1 : 0},
                               {"ADDING_THREADS", static_cast<int>(adding_threads)},
                               {"ADDERS", static_cast<int>(adders)}});
}

std::vector<const char*> kernels(const KernelConfiguration&) { return {"add_partials"}; }

std::size_t fused_scratch_bytes(const KernelConfiguration& c, std::size_t sources, std::size_t targets) {
  return counter_bytes + partial_sum_bytes(c, sources, targets);
}

// ---- launch ----
std::size_t targets_of_block(const ForceQueue& queue) {
  return static_cast<std::size_t>(queue.block()) *
         static_cast<std::size_t>(queue.kernel().value("bodies-per-thread"));
}

SourceSplit split_of(const ForceQueue& queue, const ForceSlice& slice, std::size_t covered) {
  return split_sources(queue.kernel().value("split"),
                       {.sources = slice.galaxy.size(),
                        .columns = blocks_for(slice.galaxy.size(), covered),
                        .multiprocessors = queue.multiprocessors(),
                        .grain = grain,
                        .whole = static_cast<std::size_t>(queue.kernel().value("tile"))});
}

void queue_sums(ForceQueue& queue, const ForceSlice& slice, std::size_t rows) {
  Arguments sums;
  queue.add_constants(sums);
  sums.add(queue.scratch()).add(queue.accelerations());
  for (const auto index : {rows, slice.begin, slice.end}) add_index(sums, index);
  queue.launch("add_partials",
               {.grid_x = blocks_for(3 * slice.targets(), numbers_of_block),
                .block_x = adding_threads,
                .early = queue.early()},
               sums);
}

void queue_forces(ForceQueue& queue, const ForceSlice& slice) {
  const auto block = static_cast<unsigned>(queue.block());
  const auto covered = targets_of_block(queue);
  const auto split = split_of(queue, slice, covered);
  auto arguments = constants_and_bodies(queue);
  arguments.add(queue.scratch());
  add_slice(arguments, slice);
  add_index(arguments, split.range);
  queue.launch("forces",
               {.grid_x = blocks_for(slice.targets(), covered),
                .grid_y = static_cast<unsigned>(split.rows),
                .block_x = block,
                .early = queue.early()},
               arguments);
  queue_sums(queue, slice, split.rows);
}

void queue_fused_piece(ForceQueue& queue, const ForceSlice& slice, const SourceSplit& split) {
  auto arguments = constants_and_bodies(queue);
  queue.add_next(arguments);
  arguments.add(queue.accelerations()).add(queue.scratch()).add(queue.scratch() + counter_bytes);
  add_slice(arguments, slice);
  add_index(arguments, split.range);
  queue.add_update(arguments);
  queue.launch("fused_step",
               {.grid_x = blocks_for(slice.targets(), targets_of_block(queue)),
                .grid_y = static_cast<unsigned>(split.rows),
                .block_x = static_cast<unsigned>(queue.block()),
                .early = queue.early()},
               arguments);
}

void queue_fused(ForceQueue& queue, const ForceSlice& slice) {
  const auto covered = targets_of_block(queue);
  const auto split = split_of(queue, slice, covered);
  for_pieces(slice, most_columns * covered,
             [&](const ForceSlice& piece) { queue_fused_piece(queue, piece, split); });
}

constexpr std::array<std::string_view, 1> register_split_sources{"register_split.cu"};
constexpr std::array<std::string_view, 3> fused_sources{"fused_update.cuh", "register_split.cu",
                                                        "register_split_fused.cu"};
constexpr std::array<std::string_view, 5> register_split_uses{"tile", "block", "unroll", "bodies-per-thread",
                                                              "split"};
constexpr std::array<FamilyRefusal, 1> register_split_refusals{{{"tile", plain_tile_refusal}}};

/// Not chosen by its name: update=fused of register-split.
constexpr Family register_split_fused_family{
    .name = "register-split",
    .meaning = "forces and update in one kernel: the last block of a column adds and moves",
    .code = {.files = fused_sources, .entry = "fused_step", .macros = macros},
    .uses = register_split_uses,
    .refusals = register_split_refusals,
    .limits = {.gravity_only = "the fused kernel computes gravity only; use update=separate"},
    .forces = queue_fused,
    .block = block_that_splits,
    .scratch = {.bytes = fused_scratch_bytes, .meaning = "partial sums", .less = "tiled"},
    .updates = true,
};

}  // namespace

constinit const Family register_split_family{
    .name = "register-split",
    .meaning = "several bodies per thread, sources split over rows of blocks, equal masses out of the loop",
    .usual_rate = 2230,
    .code = {.files = register_split_sources, .kernels = kernels, .macros = macros},
    .uses = register_split_uses,
    .options = options,
    .refusals = register_split_refusals,
    .forces = queue_forces,
    .block = block_that_splits,
    .targets = Targets::any,
    .scratch = {.bytes = partial_sum_bytes, .meaning = "partial sums", .less = "tiled"},
    .fused = &register_split_fused_family,
};

}  // namespace orrery::sim::cuda
