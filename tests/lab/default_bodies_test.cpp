#include "lab/bench/default_bodies.h"

#include <gtest/gtest.h>

#include "app/picture/display_options.h"
#include "sim/core/error.h"

namespace orrery::lab {
namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

/// Where every pair is summed.
std::size_t for_gpu(const GpuDescription& gpu, const std::vector<TunedResult>& results = {}) {
  auto power = power_of_gpu(gpu, results);
  power.tree_rate = 0.0;
  return bodies_to_begin_with(*sim::find_galaxy_model("disk"), power);
}

std::size_t for_processor(double gips, const char* model = "disk") {
  return bodies_to_begin_with(*sim::find_galaxy_model(model), {.gips = gips});
}

TunedResult remembered(const char* engine, const char* device, double gips) {
  return {.key = {.device = device,
                  .engine = engine,
                  .bodies = 65536,
                  .galaxies = 1,
                  .precision = "float",
                  .force_law = "gravity"},
          .settings = {},
          .gips = gips,
          .default_gips = gips};
}

/// By the tree; a small one draws 4e6 x 20 x 1500 / (132 x 1980) bodies 30 times a second.
TEST(DefaultBodies, FillALargeGpu) {
  EXPECT_EQ(bodies_to_begin_with(*sim::find_galaxy_model("disk"),
                                 power_of_gpu({"Large", 132, 1980.0, 140 * gibibyte}, {})),
            1'000'000U);
  EXPECT_EQ(bodies_to_begin_with(*sim::find_galaxy_model("disk"),
                                 power_of_gpu({"Small", 20, 1500.0, 4 * gibibyte}, {})),
            450'000U);
}

// 132 x 128 x 1.98 GHz / 13 are 2573 GInteractions/s; 0.6 of them make sqrt(1544e9 / 30) = 226 849 bodies.
TEST(DefaultBodies, PairByPairFillALargeGpu) {
  EXPECT_EQ(for_gpu({"Large", 132, 1980.0, 140 * gibibyte}), 220'000U);
  EXPECT_EQ(for_gpu({"Small", 20, 1500.0, 4 * gibibyte}), 76'000U);
}

TEST(DefaultBodies, OfAGpuFollowWhatTheTunerRemembers) {
  const GpuDescription gpu{"Large", 132, 1980.0, 140 * gibibyte};
  EXPECT_EQ(for_gpu(gpu, {remembered("cuda", "Large", 3000.0)}), 310'000U);
  EXPECT_EQ(for_gpu(gpu, {remembered("cuda", "Large", 3000.0), remembered("cuda", "Large", 30.0)}), 310'000U);
  EXPECT_EQ(for_gpu(gpu, {remembered("cuda", "Another", 1.0), remembered("cpu", "Large", 1.0)}), 220'000U);
}

/// Its rate is that of so many bodies.
TEST(DefaultBodies, ATreeThatIsRememberedSaysNothing) {
  const GpuDescription gpu{"Large", 132, 1980.0, 140 * gibibyte};
  auto tree = remembered("cuda", "Large", 300'000.0);
  tree.settings = {{"family", "tree"}};
  EXPECT_EQ(for_gpu(gpu, {tree}), 220'000U);
}

TEST(DefaultBodies, OfAGpuHaveBounds) {
  EXPECT_EQ(for_gpu({"Tiny", 1, 100.0, 4 * gibibyte}), 20'000U);
  EXPECT_EQ(for_gpu({"Unknown", 0, 0.0, 0}), 20'000U);
  EXPECT_EQ(for_gpu({"Huge", 100'000, 5000.0, 140 * gibibyte}), 1'000'000U);
  EXPECT_EQ(for_gpu({"Little memory", 132, 1980.0, 100'000'000}), 100'000U);
  EXPECT_EQ(for_gpu({"No clock told", 132, 0.0, 140 * gibibyte}), 160'000U);
}

// 0.7 of 17.2 GInteractions/s make 30 steps of 20 000 bodies a second.
TEST(DefaultBodies, OfAProcessorAreThoseItSteps30TimesASecond) {
  EXPECT_EQ(for_processor(17.2), 20'000U);
  EXPECT_EQ(for_processor(4.3), 10'000U);
  EXPECT_EQ(for_processor(5000.0), 150'000U);
  EXPECT_EQ(for_processor(0.01), 4096U);
  EXPECT_EQ(for_processor(0.0), 4096U);
}

// 40 000 bodies are 611 508 of N log2 N, so 0.7 of that rate 30 times a second.
TEST(DefaultBodies, OfAProcessorAreThoseOfItsTreeWhereThatIsFaster) {
  const auto with_tree = [](double rate) {
    return bodies_to_begin_with(*sim::find_galaxy_model("disk"), {.gips = 4.3, .tree_rate = rate});
  };
  EXPECT_EQ(with_tree(611'600.0 * 30.0 / 0.7), 40'000U);
  EXPECT_EQ(with_tree(1e12), 150'000U);
  EXPECT_EQ(with_tree(1e5), 10'000U) << "pair by pair";
}

TEST(DefaultBodies, OfSmallSystemsStay) {
  for (const sim::GalaxyModel* model : sim::galaxy_models()) {
    if (model->most_shown > 0) {
      EXPECT_GE(model->most_shown, model->default_bodies) << model->name;
    } else {
      EXPECT_EQ(bodies_to_begin_with(*model, {.gips = 1e6}), model->default_bodies) << model->name;
      EXPECT_EQ(bodies_to_begin_with(*model, {.gpu = true, .gips = 1e6}), model->default_bodies)
          << model->name;
    }
  }
}

class ChooseBodiesTest : public testing::Test {
 protected:
  void choose() { choose_bodies(request, table, {"engine=cpu", "kernel=sequential"}, results); }
  sim::OptionTable table = app::all_options();
  std::vector<TunedResult> results;
  DatasetRequest request{.source = "disk", .built_in = true};
};

TEST_F(ChooseBodiesTest, OnlyWhereNobodySaidANumber) {
  request.bodies = 777;
  choose();
  EXPECT_EQ(request.bodies, 777U);
}

TEST_F(ChooseBodiesTest, SeveralGalaxiesFilesAndSmallSystemsAreLeftAlone) {
  request.galaxies = 9;
  choose();
  EXPECT_FALSE(request.bodies);
  request = {.source = "two-body", .built_in = true};
  choose();
  EXPECT_FALSE(request.bodies);
  request = {.source = "no/such/file.bin"};
  choose();
  EXPECT_FALSE(request.bodies);
}

TEST_F(ChooseBodiesTest, TheProcessorIsMeasured) {
  choose();
  ASSERT_TRUE(request.bodies);
  EXPECT_GE(*request.bodies, 4096U);
  EXPECT_LE(*request.bodies, 150'000U);
  EXPECT_THROW(choose_bodies(request = {.source = "disk"}, table, {"kernel=nonsense"}, {}), sim::UsageError);
}

TEST_F(ChooseBodiesTest, ATreeIsMeasuredUnlessAKernelIsAskedFor) {
  EXPECT_GT(power_of(table, {"engine=cpu"}, {}).tree_rate, 0.0);
  EXPECT_EQ(power_of(table, {"engine=cpu", "kernel=simd"}, {}).tree_rate, 0.0);
}

/// The same everywhere, so that a picture can be made again.
TEST_F(ChooseBodiesTest, APictureHasManyBodiesByTheTreeAndFewPairByPair) {
  const auto pictured = [&](DatasetRequest wanted, const std::vector<std::string>& assignments) {
    choose_bodies_of_picture(wanted, table, assignments);
    return wanted.bodies.value_or(0);
  };
  EXPECT_EQ(pictured({.source = "disk"}, {"engine=cpu"}), 100'000U);
  EXPECT_EQ(pictured({.source = "disk"}, {"engine=cuda"}), 1'000'000U);
  EXPECT_EQ(pictured({.source = "disk"}, {"engine=cuda", "family=tiled"}), 0U);
  EXPECT_EQ(pictured({.source = "disk"}, {"engine=emulated"}), 0U);
  EXPECT_EQ(pictured({.source = "disk"}, {"engine=cpu", "kernel=simd"}), 0U);
  EXPECT_EQ(pictured({.source = "disk", .bodies = 777}, {"engine=cpu"}), 777U);
  EXPECT_EQ(pictured({.source = "two-body"}, {"engine=cpu"}), 0U);
  EXPECT_EQ(pictured({.source = "no/such/file.bin"}, {"engine=cpu"}), 0U);
}

}  // namespace
}  // namespace orrery::lab
