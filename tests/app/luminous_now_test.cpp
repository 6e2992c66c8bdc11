#include <algorithm>
#include <string>

#include "app/picture/display_options.h"
#include "app/session/playback.h"
#include "app/session/session.h"
#include "headless_test.h"
#include "lab/setup/dataset.h"
#include "sim/snapshots/format.h"
#include "tests/eventually.h"
#include "tests/temporary_folder.h"

// The positions by which a demonstration's camera follows bodies.
namespace orrery::app {
namespace {

class LuminousNow : public HeadlessTest {
 protected:
  /// Stars among a halo, at x = `x`.
  static sim::Scene stars_at(float x) {
    sim::Scene scene;
    scene.bodies.resize(60);
    for (std::size_t i = 0; i < 60; ++i) {
      scene.bodies.position[i] = {x, 0.1F * static_cast<float>(i), 0.0F};
      scene.bodies.mass[i] = 1.0F;
      scene.bodies.id[i] = i;
      scene.bodies.component[i] = i % 3 == 0 ? sim::Component::disk : sim::Component::halo;
    }
    return scene;
  }
  LoadedDataset series() {
    for (int n = 0; n < 2; ++n)
      sim::write_snapshot(stars_at(static_cast<float>(n)), folder_ / ("shot_" + std::to_string(n) + ".bin"));
    const lab::DatasetRequest request{.source = (folder_ / "shot_*.bin").string()};
    auto scene = std::make_shared<const sim::Scene>(lab::load_dataset(request));
    auto summary = summarize(scene->bodies);
    auto places = lab::series_of(request);
    return {.request = request,
            .scene = std::move(scene),
            .summary = std::move(summary),
            .hash = "0",
            .state = std::nullopt,
            .series = std::move(places)};
  }

  sim::OptionTable table_ = all_options();
  const test::TemporaryFolder folder_;
};

/// A series between two snapshots is nearest to the first one and yet elsewhere: its number was taken for the
/// start, whose positions are those of the file.
TEST_F(LuminousNow, IsWhereTheStarsAreShown) {
  Session session(table_, {"engine=cpu", "threads=1"});
  session.open(series(), true);
  const auto all_at = [&](double x) {
    const auto places = session.luminous_now();
    EXPECT_EQ(places.size(), 20U) << "stars only";
    return std::ranges::all_of(places, [&](const glm::dvec3& place) { return std::abs(place.x - x) < 1e-3; });
  };
  EXPECT_TRUE(all_at(0.0)) << "before anything is shown";
  ASSERT_NE(session.playback(), nullptr);
  session.playback()->go_to(0.4);
  ASSERT_TRUE(test::eventually([&] {
    session.update();
    return session.playback()->place() == 0.4;
  }));
  EXPECT_EQ(session.frame().steps, 0U);
  EXPECT_TRUE(all_at(0.4));
}

}  // namespace
}  // namespace orrery::app
