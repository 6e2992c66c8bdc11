#include <array>

#include "sim/cuda/families/family.h"
#include "sim/cuda/families/shared_memory.h"

namespace orrery::sim::cuda {

namespace {

constexpr std::size_t most_bodies = 262144;

std::string galaxy_too_large(const OptionValue&, const Configuration&, const OptionContext& context) {
  const auto largest = context.largest_galaxy();
  if (largest <= most_bodies) return {};
  return fmt::format(
      "one block would compute a galaxy of {} bodies, many seconds a step; use tiled (at most {} here)",
      largest, most_bodies);
}

std::string tile_too_large(const OptionValue& value, const Configuration& rest,
                           const OptionContext& context) {
  return rest.choice("staging") == "none" ? std::string() : plain_tile_refusal(value, rest, context);
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

constexpr std::array<std::string_view, 1> sources{"galaxy_block.cu"};
constexpr std::array<std::string_view, 4> uses{"staging", "tile", "block", "unroll"};
constexpr std::array<FamilyRefusal, 3> refusals{
    {{"family", galaxy_too_large}, {"staging", no_whole_bodies}, {"tile", tile_too_large}}};

}  // namespace

extern const Family galaxy_block_family;
constinit const Family galaxy_block_family{
    .name = "galaxy-block",
    .meaning = "one block a galaxy, bodies strided over its threads, staged or not (ECE415 2025)",
    .usual_rate = 8.6,
    .sources = sources,
    .uses = uses,
    .refusals = refusals,
    .no_sharing =
        "one block computes a whole galaxy, which several GPUs cannot share; use split-by=galaxies, or tiled",
    .forces = nullptr,
    .galaxies = queue_galaxies,
};

}  // namespace orrery::sim::cuda
