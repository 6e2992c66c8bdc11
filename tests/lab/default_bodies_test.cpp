#include "lab/bench/default_bodies.h"

#include <gtest/gtest.h>

#include "app/picture/display_options.h"
#include "sim/core/error.h"

namespace orrery::lab {
namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

std::size_t for_gpu(const GpuDescription& gpu, const std::vector<TunedResult>& results = {}) {
  return bodies_to_begin_with(*sim::find_galaxy_model("disk"), power_of_gpu(gpu, results));
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

// 132 x 128 x 1.98 GHz / 13 are 2573 GInteractions/s; 0.6 of them make sqrt(1544e9 / 30) = 226 849 bodies.
TEST(DefaultBodies, FillALargeGpu) {
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
  EXPECT_EQ(for_processor(500.0), 20'000U);
  EXPECT_EQ(for_processor(0.01), 4096U);
  EXPECT_EQ(for_processor(0.0), 4096U);
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
  EXPECT_LE(*request.bodies, 20'000U);
  EXPECT_THROW(choose_bodies(request = {.source = "disk"}, table, {"kernel=nonsense"}, {}), sim::UsageError);
}

}  // namespace
}  // namespace orrery::lab
