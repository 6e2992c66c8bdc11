#include "lab/setup/free_option.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/options/physics_options.h"
#include "sim/options/tree_options.h"
#include "sim/simulation/alpha_steps.h"
#include "sim/simulation/approximate_kernels.h"
#include "sim/simulation/simulation_options.h"

namespace orrery::lab {
namespace {

const sim::OptionTable& table() {
  static const auto options = [] {
    sim::OptionTable made;
    sim::add_simulation_options(made);
    return made;
  }();
  return options;
}

sim::Configuration on_the_processor() {
  auto configuration = table().defaults();
  configuration.set("engine", std::string("cpu"));
  return configuration;
}

/// So many bodies with mass, and tracers behind them.
sim::Scene scene_of(std::size_t bodies, std::size_t tracers = 0) {
  sim::Scene scene;
  scene.bodies.resize(bodies + tracers);
  std::fill_n(scene.bodies.mass.begin(), bodies, 1.0F);
  return scene;
}

/// The kernel chosen for a scene.
std::string chosen(const sim::Scene& scene, const std::vector<std::string>& assignments = {},
                   sim::Configuration configuration = on_the_processor()) {
  const auto before = configuration;
  const auto line = choose_kernel_for_many(table(), configuration, scene, assignments);
  EXPECT_EQ(line.empty(), configuration == before) << line;
  return configuration.choice("kernel");
}

constexpr double usual_alpha = 0.01;
const auto crossover = static_cast<std::size_t>(sim::fewest_for_tree(usual_alpha, false));
const auto crossover_on_gpu = static_cast<std::size_t>(sim::fewest_for_tree(usual_alpha, true));

TEST(ManyBodies, GetATreeFromTheMeasuredCrossoverOn) {
  EXPECT_GT(crossover, 4000U);
  EXPECT_LT(crossover, 10'000U);
  EXPECT_EQ(chosen(scene_of(crossover)), "simd");
  EXPECT_EQ(chosen(scene_of(crossover + 1)), "tree");
}

TEST(ManyBodies, ASmallerErrorNeedsMoreOfThem) {
  auto accurate = on_the_processor();
  accurate.set("opening", sim::relative_opening(1e-5));
  EXPECT_EQ(chosen(scene_of(crossover + 1), {}, accurate), "simd");
  EXPECT_EQ(chosen(scene_of(300'000), {}, accurate), "tree");
  accurate.set("opening", sim::geometric_opening(0.7));
  EXPECT_EQ(chosen(scene_of(2 * crossover), {}, accurate), "tree") << "theta counts";
  accurate.set("opening", sim::geometric_opening(0.2));
  EXPECT_EQ(chosen(scene_of(2 * crossover), {}, accurate), "simd");
  accurate.set("opening", sim::geometric_opening(0.0));
  EXPECT_EQ(chosen(scene_of(1'000'000), {}, accurate), "simd") << "every pair is summed";
}

TEST(ManyBodies, OfABuiltInGalaxyTheKernelIsKnownBeforeItIsMade) {
  const auto kernel = [](DatasetRequest request, std::vector<std::string> assignments) {
    assignments.emplace_back("engine=cpu");
    return probable_configuration(table(), request, assignments).choice("kernel");
  };
  EXPECT_EQ(kernel({.source = "plummer"}, {}), "simd");
  EXPECT_EQ(kernel({.source = "plummer", .bodies = crossover}, {}), "simd");
  EXPECT_EQ(kernel({.source = "plummer", .bodies = crossover + 1}, {}), "tree");
  EXPECT_EQ(kernel({.bodies = crossover, .galaxies = 100}, {}), "simd");
  EXPECT_EQ(kernel({.source = "plummer", .bodies = 100'000}, {"kernel=sequential"}), "sequential");
  EXPECT_EQ(kernel({.source = "a-file.bin", .bodies = 100'001}, {}), "simd");
}

TEST(ManyBodies, TracersExertNoForce) {
  EXPECT_EQ(chosen(scene_of(10, 1'000'000)), "simd");
  EXPECT_EQ(chosen(scene_of(20'000, 1'000'000)), "tree");
}

TEST(ManyBodies, GalaxiesCountEachForItself) {
  auto scene = scene_of(50 * crossover);
  const auto divide = [&](std::size_t each) {
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
      scene.bodies.galaxy[i] = static_cast<std::uint32_t>(i / each);
  };
  divide(crossover);
  EXPECT_EQ(chosen(scene), "simd");
  divide(2 * crossover);
  EXPECT_EQ(chosen(scene), "tree");
}

/// The line has the errors that the badge holds the tree to.
TEST(ManyBodies, TheLineHasTheStatedErrors) {
  auto configuration = on_the_processor();
  const auto line = choose_kernel_for_many(table(), configuration, scene_of(120'500), {});
  const auto stated = sim::stated_error(configuration);
  EXPECT_NE(line.find(fmt::format("median below {:.1e}", stated.median)), std::string::npos) << line;
  EXPECT_NE(line.find(fmt::format("99 % of the bodies below {:.1e}", stated.p99)), std::string::npos) << line;
  EXPECT_NE(line.find("--set kernel=simd"), std::string::npos) << line;
}

TEST(ManyBodies, WhatAPersonChoseStays) {
  EXPECT_EQ(chosen(scene_of(200'000), {"kernel=simd"}), "simd");
  auto other = on_the_processor();
  other.set("kernel", std::string("omp-bodies"));
  EXPECT_EQ(chosen(scene_of(200'000), {}, other), "omp-bodies");
}

TEST(ManyBodies, AnIntegratorThatTreesCannotServeKeepsItsKernel) {
  auto hermite = on_the_processor();
  hermite.set("integrator", std::string("hermite"));
  EXPECT_EQ(chosen(scene_of(200'000), {}, hermite), "simd");
}

TEST(ManyBodies, AnAccuracyThatIsAskedForDecides) {
  auto accurate = on_the_processor();
  accurate.set("accuracy", 1e-4);
  const std::vector<std::string> asked{"accuracy=1e-4"};
  EXPECT_EQ(chosen(scene_of(200'000), asked, accurate), "auto");
  EXPECT_EQ(chosen(scene_of(2000), asked, accurate), "auto");
  EXPECT_EQ(chosen(scene_of(2000), {"kernel=simd", "accuracy=1e-4"}, accurate), "simd");
  EXPECT_EQ(chosen(scene_of(2000), {}, accurate), "simd") << "of another run";
  accurate.set("integrator", std::string("hermite"));
  EXPECT_EQ(chosen(scene_of(2000), asked, accurate), "simd");
}

TEST(ManyBodies, OnAGpuAreMore) {
  auto gpu = on_the_processor();
  gpu.set("engine", std::string("cuda"));
  const auto family = [&](std::size_t bodies, const std::vector<std::string>& assignments = {}) {
    auto configuration = gpu;
    choose_kernel_for_many(table(), configuration, scene_of(bodies), assignments);
    EXPECT_EQ(configuration.choice("kernel"), gpu.choice("kernel"));
    return configuration.choice("family");
  };
  EXPECT_GT(crossover_on_gpu, crossover);
  EXPECT_EQ(family(crossover_on_gpu), gpu.choice("family"));
  EXPECT_EQ(family(crossover_on_gpu + 1), "tree");
  EXPECT_EQ(family(3'000'000, {"family=pairwise"}), gpu.choice("family"));
  gpu.set("precision", std::string("double"));
  EXPECT_EQ(family(3'000'000), gpu.choice("family")) << "the tree is in single precision";
}

TEST(ManyBodies, ChargesAreSummedPairByPair) {
  auto electric = on_the_processor();
  electric.set("force-law", std::string("electric"));
  EXPECT_EQ(chosen(scene_of(200'000), {}, electric), "simd");
}

}  // namespace
}  // namespace orrery::lab
