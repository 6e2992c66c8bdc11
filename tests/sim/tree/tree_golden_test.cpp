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
    GoldenCase{.name = "relative", .settings = {}, .cpu = "1f049d49e297d7fd", .gpu = "5ace5f0266fff149"},
    GoldenCase{.name = "coarse in parts",
               .settings = {.alpha = 0.3, .budget = 0.3},
               .cpu = "25b9c01ceb454281",
               .gpu = "d7685491927c0e0b"},
    GoldenCase{.name = "geometric",
               .settings = {.relative = false},
               .cpu = "926a19dc660b311f",
               .gpu = "ee952b2d1817335d"},
    GoldenCase{.name = "monopoles",
               .settings = {.order = CellOrder::monopole},
               .cpu = "223eecdf1b902de4",
               .gpu = "e860140fa50f6b7f"},
    GoldenCase{.name = "octupoles",
               .settings = {.alpha = 1e-3, .order = CellOrder::octupole},
               .cpu = "9576423b118bebbf",
               .gpu = "df02f25790b75c2f"},
    GoldenCase{.name = "octupoles, geometric, one by one",
               .settings = {.relative = false,
                            .theta = 0.9,
                            .order = CellOrder::octupole,
                            .far_series = false,
                            .leaf_size = 8},
               .cpu = "de0c34b1b40459f2",
               .gpu = "8aa987cb3b934dcd"},
    GoldenCase{.name = "flat",
               .settings = {.leaf_size = 8},
               .flat = true,
               .cpu = "cd570b3edf1058de",
               .gpu = "10151b7bef967d7d"},
    GoldenCase{.name = "many bodies",
               .settings = {},
               .bodies = 66'001,
               .cpu = "72bf1ee5a33e5933",
               .gpu = "e0cd786e6e62ca5c"},
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
