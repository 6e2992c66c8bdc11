#include <gtest/gtest.h>

#include "lab/sweeps/sweep.h"
#include "sim/cuda/options/kernel_configuration.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim {
namespace {

using checks::simulation_options;

Configuration with(const std::vector<std::string>& more) {
  return checks::configuration_of({.name = "", .assignments = {"engine=cuda"}}, more);
}
std::string refusal(const char* option, const Configuration& configuration,
                    const OptionContext& context = {}) {
  return simulation_options().refusal(simulation_options().at(option), configuration.value(option),
                                      configuration, context);
}

TEST(SplitOptions, TensorFamiliesRefuseWhatTheirProductsLack) {
  for (const std::string family : {"family=tensor", "family=tensor-sum", "family=tensor-pairs"}) {
    EXPECT_EQ(refusal("family", with({family})), "");
    EXPECT_NE(refusal("family", with({family, "precision=double"})), "");
    EXPECT_NE(refusal("family", with({family, "force-law=electric"})), "");
  }
  EXPECT_EQ(refusal("family", with({"family=register-split", "precision=double", "force-law=electric"})), "");
}

TEST(SplitOptions, TilesAndScratchMemoryThatDoNotFitAreRefusedWithNumbers) {
  EXPECT_EQ(refusal("tile", with({"family=register-split", "tile=2048"})), "");
  EXPECT_NE(refusal("tile", with({"family=register-split", "tile=2048", "precision=double"})), "");
  constexpr std::uint64_t gib = 1ULL << 30;
  const OptionContext many{
      .bodies = 20'000'000, .galaxies = 1, .host_memory = 64 * gib, .device_memory = 24 * gib};
  EXPECT_NE(refusal("family", with({"family=tensor"}), many).find("24.0 GiB"), std::string::npos);
  EXPECT_EQ(refusal("family", with({"family=register-split"}), many), "");
}

/// One galaxy of so many bodies, and 999 small ones.
OptionContext one_large_galaxy(std::size_t bodies) {
  const std::vector<GalaxyRange> galaxies{{0, bodies}};
  OptionContext context{.bodies = bodies + 999 * 100, .galaxies = 1000, .device_memory = 24ULL << 30};
  context.sizes = galaxy_sizes(galaxies);
  context.sizes.push_back({.bodies = 100, .galaxies = 999});
  return context;
}

// By the mean of the galaxies' sizes all of these would pass, and fail in allocation.
TEST(SplitOptions, TheLargestGalaxyDecidesWhetherScratchMemoryFits) {
  const auto large = one_large_galaxy(100'000);
  for (const std::string family : {"pairs-matrix", "force-matrix"}) {
    const auto reason = refusal("family", with({"family=" + family}), large);
    EXPECT_NE(reason.find("up to 100000 bodies"), std::string::npos) << family << ": " << reason;
    EXPECT_NE(reason.find("149.0 GiB"), std::string::npos) << reason;
  }
  EXPECT_NE(refusal("family", with({"family=tensor", "schedule=streams", "streams=32"}),
                    one_large_galaxy(5'000'000)),
            "");
  EXPECT_NE(refusal("family", with({"family=galaxy-block"}), one_large_galaxy(262'145)).find("262145"),
            std::string::npos);
  EXPECT_EQ(refusal("family", with({"family=galaxy-block"}), one_large_galaxy(262'144)), "");
}

// One launch for all galaxies needs the sum of what they need, not the largest for each.
TEST(SplitOptions, ABatchOfUnevenGalaxiesNeedsTheirSum) {
  const auto batched = with({"family=tiled-2d", "schedule=batched", "tiling=2:128:256"});
  EXPECT_EQ(refusal("family", batched, one_large_galaxy(400'000)), "");
  const auto larger = refusal("family", batched, one_large_galaxy(2'000'000));
  EXPECT_NE(larger.find("174.7 GiB"), std::string::npos) << larger;
}

// Trees that stay have memory of their own; others take turns.
TEST(SplitOptions, KeptCellsOfUnevenGalaxiesNeedTheirSum) {
  OptionContext many{.bodies = 500'000'000, .galaxies = 100, .device_memory = 24ULL << 30};
  many.sizes.push_back({.bodies = 5'000'000, .galaxies = 100});
  EXPECT_EQ(refusal("family", with({"family=tree", "schedule=serial"}), many), "");
  const auto reason = refusal("family", with({"family=tree", "schedule=serial", "rebuild=4"}), many);
  EXPECT_NE(reason.find("use rebuild=1"), std::string::npos) << reason;
  EXPECT_EQ(refusal("family", with({"family=tree", "rebuild=4"}), one_large_galaxy(50'000'000)), "");
}

TEST(SplitOptions, SizesAreCountedTheLargestFirst) {
  const std::vector<GalaxyRange> galaxies{{0, 5}, {5, 12}, {12, 17}};
  const auto sizes = galaxy_sizes(galaxies);
  ASSERT_EQ(sizes.size(), 2U);
  EXPECT_EQ(sizes[0].bodies, 7U);
  EXPECT_EQ(sizes[1].galaxies, 2U);
  EXPECT_EQ((OptionContext{.bodies = 10, .galaxies = 3}.largest_galaxy()), 4U);
  EXPECT_EQ(OptionContext{}.largest_galaxy(), 0U);
}

// block=16 with a tensor family once was a division by zero.
TEST(SplitOptions, RefusalsAreFoundForEveryValueOfEveryOption) {
  const auto& table = simulation_options();
  const OptionContext context{
      .bodies = 4099, .galaxies = 1, .host_memory = 1ULL << 36, .device_memory = 1ULL << 34};
  std::size_t refused = 0;
  for (const auto& family : table.at("family").choices) {
    const auto start = with({"family=" + family});
    for (const auto& option : table.options()) {
      for (const auto& value : lab::sweep_values(option, start)) {
        auto configuration = start;
        configuration.set(option.name, value);
        // Of each option: refusal_of ends at the first, which is the engine where there is no GPU.
        for (const auto& each : table.options()) {
          if (!table.refusal(each, configuration.value(each.name), configuration, context).empty()) ++refused;
        }
      }
    }
  }
  EXPECT_GT(refused, 100U);
}

TEST(SplitOptions, OnlyTheirFamiliesUseThem) {
  const auto idle = [](const char* option, const char* family) {
    return simulation_options().at(option).inactive(with({std::string("family=") + family}));
  };
  EXPECT_EQ(idle("bodies-per-thread", "register-split"), "");
  EXPECT_NE(idle("bodies-per-thread", "tensor"), "");
  EXPECT_EQ(idle("split", "tensor-sum"), "");
  EXPECT_NE(idle("split", "tiled"), "");
  EXPECT_EQ(idle("weights", "tensor-pairs"), "");
  EXPECT_NE(idle("weights", "tensor-sum"), "");
}

TEST(SplitOptions, ReachTheKernelConfiguration) {
  const auto tensor = cuda::kernel_configuration(with({"family=tensor", "split=5", "weights=split"}));
  EXPECT_EQ(tensor.value("split"), 5);
  EXPECT_TRUE(tensor.chose("weights", "split"));
  EXPECT_FALSE(tensor.chose("weights", "half"));
  EXPECT_THROW(tensor.chose("weights", "in-any-way"), std::out_of_range);
  const auto split = cuda::kernel_configuration(with({"family=register-split", "bodies-per-thread=3"}));
  EXPECT_EQ(split.value("bodies-per-thread"), 3);
  EXPECT_THROW(split.chose("tile", "256"), std::out_of_range);
  EXPECT_THROW(split.chose("weights", "half"), std::out_of_range) << "of another family";
}

// Another module would be compiled, and the step in the making abandoned.
TEST(SplitOptions, WhatAFamilyDoesNotUseMakesNoOtherKernel) {
  const auto kernel = [](const std::vector<std::string>& settings) {
    return cuda::kernel_configuration(with(settings));
  };
  EXPECT_EQ(kernel({"family=tensor-pairs", "tile=512", "unroll=2", "block=512"}),
            kernel({"family=tensor-pairs"}));
  EXPECT_EQ(kernel({"family=pairwise", "weights=split", "staging=bodies"}), kernel({"family=pairwise"}));
  EXPECT_NE(kernel({"family=tensor", "weights=split"}), kernel({"family=tensor"}));
}

}  // namespace
}  // namespace orrery::sim
