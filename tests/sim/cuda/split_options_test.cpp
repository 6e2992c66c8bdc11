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
  EXPECT_EQ(idle("polynomial", "tensor"), "");
  EXPECT_EQ(idle("polynomial", "tensor-pairs"), "");
  EXPECT_NE(idle("row-tiles", "tensor-pairs"), "") << "its shape is fixed";
  EXPECT_NE(idle("polynomial", "tensor-sum"), "");
}

TEST(SplitOptions, ReachTheKernelConfiguration) {
  const auto tensor =
      cuda::kernel_configuration(with({"family=tensor", "split=5", "row-tiles=2", "polynomial=4"}));
  EXPECT_EQ(tensor.value("split"), 5);
  EXPECT_EQ(tensor.value("row-tiles"), 2);
  EXPECT_EQ(tensor.value("polynomial"), 4);
  const auto split = cuda::kernel_configuration(
      with({"family=register-split", "bodies-per-thread=3", "accumulation=atomic"}));
  EXPECT_EQ(split.value("bodies-per-thread"), 3);
  EXPECT_TRUE(split.chose("accumulation", "atomic"));
}

// Another module would be compiled, and the step in the making abandoned.
TEST(SplitOptions, WhatAFamilyDoesNotUseMakesNoOtherKernel) {
  const auto kernel = [](const std::vector<std::string>& settings) {
    return cuda::kernel_configuration(with(settings));
  };
  EXPECT_EQ(kernel({"family=tensor-pairs", "tile=512", "unroll=2", "block=512", "row-tiles=1"}),
            kernel({"family=tensor-pairs"}));
  EXPECT_EQ(kernel({"family=pairwise", "weights=split", "staging=bodies"}), kernel({"family=pairwise"}));
  EXPECT_NE(kernel({"family=tensor", "row-tiles=1"}), kernel({"family=tensor"}));
}

}  // namespace
}  // namespace orrery::sim
