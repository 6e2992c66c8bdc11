#include <array>

#include "tests/sim/engines/engine_cases.h"
#include "tests/sim/engines/exact_bodies.h"
#include "tests/sim/tree/both_walks.h"

/// Hashes of the accelerations by both walks of the tree, written down: those of the GPU's kernels on the
/// emulator, and those of the CPU's kernel without vector instructions. Real GPUs and vectors have other last
/// bits, by their reciprocal roots. A change of a bit is a change of the physics: write the new hash down
/// only if it was meant.
namespace orrery::sim {
namespace {

using checks::exact_number;

/// Two galaxies, denser in the middle, with uneven masses; some bodies are at one place.
Bodies exact_cloud(std::size_t count, bool flat) {
  Bodies bodies = checks::ragged_bodies(count, 2);
  for (std::size_t i = 0; i < count; ++i) {
    const float size = exact_number(7 * count + i);
    bodies.position[i] = checks::exact_vector(i) * (size * size);
    if (flat) bodies.position[i].z = 0.0F;
    if (i % 97 == 1) bodies.position[i] = bodies.position[i - 1];
    bodies.mass[i] = i % 101 == 0 ? 0.0F : (exact_number(6 * count + i) + 1.5F) * 0x1p-9F;
  }
  return bodies;
}

struct GoldenCase {
  const char* name;
  TreeSettings settings;
  std::size_t bodies = 2011;
  bool flat = false;
  const char *cpu, *gpu;
};

const std::array golden{
    GoldenCase{.name = "relative", .settings = {}, .cpu = "756aca9b57ff99f1", .gpu = "6f2e3761e9eeec7d"},
    GoldenCase{.name = "coarse in parts",
               .settings = {.alpha = 0.3, .budget = 0.3},
               .cpu = "b5ccde24eb6d3ebf",
               .gpu = "fe61947ff305e128"},
    GoldenCase{.name = "geometric",
               .settings = {.relative = false},
               .cpu = "b977f61b18dbbab1",
               .gpu = "348656bb0d1a6c6e"},
    GoldenCase{.name = "monopoles",
               .settings = {.order = CellOrder::monopole},
               .cpu = "7e1a1d891b4dabf1",
               .gpu = "a457277cd02aee4b"},
    GoldenCase{.name = "octupoles",
               .settings = {.alpha = 1e-3, .order = CellOrder::octupole},
               .cpu = "eb8316355f427b8e",
               .gpu = "5814a004653d0750"},
    GoldenCase{.name = "octupoles, geometric, one by one",
               .settings = {.relative = false,
                            .theta = 0.9,
                            .order = CellOrder::octupole,
                            .far_series = false,
                            .leaf_size = 8},
               .cpu = "3b6b8434e3cbcaa4",
               .gpu = "ae5d70a6f30fe4ca"},
    GoldenCase{.name = "flat",
               .settings = {.leaf_size = 8},
               .flat = true,
               .cpu = "8657faad28225d33",
               .gpu = "0d02458539b76f05"},
    GoldenCase{.name = "many bodies",
               .settings = {},
               .bodies = 66'001,
               .cpu = "3cab1cb358b50b74",
               .gpu = "e7c8e0b7638de37d"},
};

std::string hash_of(const checks::TreeForces& forces) {
  Fnv1a<std::uint64_t> hash;
  checks::add_bits(forces.acceleration, hash);
  hash.add_word(static_cast<std::uint64_t>(forces.interactions));
  return checks::text_of(hash);
}

TEST(TreeGolden, BothWalksHaveTheBitsThatWereWrittenDown) {
  const auto& scalar = instruction_set("scalar");
  for (const auto& each : golden) {
    const auto bodies = exact_cloud(each.bodies, each.flat);
    EXPECT_EQ(hash_of(checks::gpu_walk.forces(bodies, each.settings, 0x1p-12F)), each.gpu) << each.name;
    if (!why_not_here(scalar).empty()) continue;
    EXPECT_EQ(hash_of(checks::forces_on_cpu(bodies, each.settings, 0x1p-12F, &scalar)), each.cpu)
        << each.name;
  }
}

}  // namespace
}  // namespace orrery::sim
