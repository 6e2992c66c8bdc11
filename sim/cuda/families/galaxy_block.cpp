#include <array>

#include "cuda_families.h"
#include "sim/cuda/families/shared_memory.h"
#include "sim/cuda/options/gpu_options.h"

namespace orrery::sim::cuda {

namespace {

constexpr std::size_t most_bodies = 262144;

std::string galaxy_too_large(const OptionValue&, const Configuration&, const OptionContext& context) {
  const auto largest = context.largest_galaxy();
  if (largest <= most_bodies) return {};
  return fmt::format(
      "one block would compute a galaxy of {} bodies, many seconds per step; use tiled (at most {} here)",
      largest, most_bodies);
}

std::string tile_too_large(const OptionValue& value, const Configuration& rest,
                           const OptionContext& context) {
  return gpu_options(rest).staging == "none" ? std::string() : plain_tile_refusal(value, rest, context);
}

/// A block each.
void queue_galaxies(ForceQueue& queue, std::size_t first, std::size_t last) {
  auto arguments = constants_and_bodies(queue);
  arguments.add(queue.accelerations()).add(queue.galaxy_starts() + first * sizeof(std::uint32_t));
  queue.launch(
      "forces",
      {.grid_x = static_cast<unsigned>(last - first), .block_x = static_cast<unsigned>(queue.block())},
      arguments);
}

/// The same, with the steps made inside.
void queue_steps(ForceQueue& queue, std::size_t first, std::size_t last) {
  auto arguments = constants_and_bodies(queue);
  queue.add_next(arguments);
  arguments.add(queue.accelerations()).add(queue.galaxy_starts() + first * sizeof(std::uint32_t));
  arguments.add(queue.steps());
  queue.add_update(arguments);
  queue.launch(
      "fused_steps",
      {.grid_x = static_cast<unsigned>(last - first), .block_x = static_cast<unsigned>(queue.block())},
      arguments);
}

constexpr std::array<std::string_view, 2> fused_sources{"fused_update.cuh", "galaxy_block_fused.cu"};
constexpr std::array<std::string_view, 1> galaxy_block_sources{"galaxy_block.cu"};
constexpr std::array<std::string_view, 4> galaxy_block_uses{"staging", "tile", "block", "unroll"};
constexpr std::string_view whole_galaxies_only =
    "one block computes a whole galaxy, which several GPUs cannot share; use split-by=galaxies, or tiled";
constexpr std::array<FamilyRefusal, 3> galaxy_block_refusals{
    {{"family", galaxy_too_large}, {"staging", no_whole_bodies}, {"tile", tile_too_large}}};

/// Not chosen by its name: update=fused of galaxy-block. In the offline job all steps are one launch, as in
/// the report.
constexpr Family galaxy_block_fused_family{
    .name = "galaxy-block",
    .meaning = "forces and update in one kernel, which loops over the steps of the offline job",
    .code = {.files = fused_sources, .entry = "fused_steps"},
    .uses = galaxy_block_uses,
    .refusals = galaxy_block_refusals,
    .limits = {.gravity_only = "the fused kernel computes gravity only; use update=separate",
               .no_sharing = whole_galaxies_only},
    .forces = nullptr,
    .galaxies = queue_steps,
    .updates = true,
    .many_steps = true,
};

}  // namespace

constinit const Family galaxy_block_family{
    .name = "galaxy-block",
    .meaning =
        "one block per galaxy, one launch for all, bodies strided over its threads, staged or not (ECE415 "
        "2025); update=fused: one launch for all steps of the offline job",
    .usual_rate = 8.6,
    .code = {.files = galaxy_block_sources},
    .uses = galaxy_block_uses,
    .refusals = galaxy_block_refusals,
    .limits = {.no_sharing = whole_galaxies_only},
    .forces = nullptr,
    .galaxies = queue_galaxies,
    .fused = &galaxy_block_fused_family,
};

}  // namespace orrery::sim::cuda
