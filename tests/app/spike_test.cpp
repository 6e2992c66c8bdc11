#include "render/effects/spikes.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/picture/display_options.h"
#include "app/picture/effects/effect.h"
#include "app/session/interop.h"
#include "headless_test.h"
#include "render/bodies/body_drawer.h"
#include "render/light/accumulation.h"
#include "render/picture/camera.h"
#include "tests/render/upload.h"

namespace orrery::app {
namespace {

constexpr glm::ivec2 size{400, 300};
constexpr std::size_t stars = 400;

/// Stars on a grid in front of the camera, each by lot as bright as stars are.
class SpikeTest : public HeadlessTest {
 protected:
  void SetUp() override {
    HeadlessTest::SetUp();
    if (IsSkipped()) return;
    buffers_ = std::make_unique<render::BodyBuffers>(stars, render::BodyBuffers::Storage::device);
    std::vector<float> place;
    for (std::size_t i = 0; i < stars; ++i)
      place.insert(place.end(), {0.1F * (static_cast<float>(i % 20) - 9.5F),
                                 0.07F * (static_cast<float>(i / 20) - 9.5F), 0.0F, 1.0F});
    render::upload_position(*buffers_, 0, place);
    render::upload_velocity(*buffers_, 0, std::vector<float>(4 * stars));
    buffers_->set_static(std::vector<std::uint8_t>(stars, 2), std::vector<std::uint32_t>(stars, 0));
    drawer_ = std::make_unique<render::BodyDrawer>();
    camera_.distance = 3.0;
    for (auto& spread : style_.star_spread) spread.light = 1.2F;
  }
  std::vector<float> light(float spike_light, render::Splatting splatting = render::Splatting::raster) {
    spikes_.style = {.light = spike_light, .share = 0.5F, .length = 10.0F};
    style_.effects.clear();
    if (spike_light > 0.0F) style_.effects.push_back(&spikes_);
    render::Accumulation accumulation;
    accumulation.resize(size);
    accumulation.begin();
    const auto aspect = static_cast<float>(size.x) / static_cast<float>(size.y);
    drawer_->draw(*buffers_, 0, {camera_.view(), camera_.projection(aspect), accumulation.size()},
                  accumulation, style_, splatting);
    return accumulation.read();
  }
  static double sum(const std::vector<float>& light) {
    double all = 0.0;
    for (const float value : light) all += static_cast<double>(value);
    return all;
  }

  std::unique_ptr<render::BodyBuffers> buffers_;
  render::Camera camera_;
  render::BodyStyle style_;
  render::Spikes spikes_;
  std::unique_ptr<render::BodyDrawer> drawer_;
};

TEST_F(SpikeTest, LightIsConservedHoweverItIsDrawn) {
  for (const auto splatting : {render::Splatting::raster, render::Splatting::compute}) {
    const auto plain = light(0.0F, splatting);
    const auto spiked = light(3.0F, splatting);
    ASSERT_NE(plain, spiked);
    EXPECT_NEAR(sum(spiked) / sum(plain), 1.0, 1e-3);
  }
}

/// Far along the axes of a star there is light, and none between them.
TEST_F(SpikeTest, SpikesReachAlongTheAxes) {
  const auto plain = light(0.0F);
  const auto spiked = light(3.0F);
  std::size_t best = 0;
  for (std::size_t i = 0; i < plain.size(); i += 4)
    if (plain[i + 3] > plain[best + 3]) best = i;
  const int x = static_cast<int>(best / 4) % size.x, y = static_cast<int>(best / 4) / size.x;
  const auto gain = [&](int dx, int dy) {
    const auto at = static_cast<std::size_t>(4 * ((y + dy) * size.x + x + dx) + 3);
    return spiked.at(at) - plain.at(at);
  };
  const int far = 7;
  ASSERT_TRUE(x > far && y > far && x + far < size.x && y + far < size.y);
  for (const int way : {-1, 1}) {
    EXPECT_GT(gain(way * far, 0), 0.0F);
    EXPECT_GT(gain(0, way * far), 0.0F);
    EXPECT_EQ(gain(way * far, far), 0.0F);
  }
  EXPECT_LT(gain(0, 0), 0.0F);
}

TEST(SpikesEffect, AboutAsManyStarsAsAskedFor) {
  const auto table = all_options();
  auto options = table.defaults();
  SceneSummary summary;
  summary.bodies = summary.components[2] = 100'000;
  render::BodyStyle style;
  for (auto& spread : style.star_spread) spread.light = 1.2F;
  const auto pass = (*std::ranges::find(effects(), "spikes", &Effect::name))->make_pass();
  EXPECT_EQ(pass->on_bodies(Look(options), summary, style), nullptr) << "off";
  table.assign(options, "spikes=20:15");
  const auto* spikes = dynamic_cast<render::Spikes*>(pass->on_bodies(Look(options), summary, style));
  ASSERT_NE(spikes, nullptr);
  // 20 of 100 000: 3.54 deviations above the mean of the logarithms. So many have half of the most.
  EXPECT_NEAR(std::log(1.2F * spikes->style.light), 3.54 * 1.2 - 0.5 * 1.2 * 1.2, 0.01);
  EXPECT_EQ(spikes->style.length, 30.0F);
  style.star_spread = {};
  EXPECT_EQ(pass->on_bodies(Look(options), summary, style), nullptr) << "all alike";
}

}  // namespace
}  // namespace orrery::app
