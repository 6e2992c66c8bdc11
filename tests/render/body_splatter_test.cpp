#include "render/bodies/body_splatter.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/bodies/body_drawer.h"
#include "render/color_modes/color_mode.h"
#include "tests/render/gl_test.h"
#include "tests/render/upload.h"

namespace orrery::render::test {
namespace {

using Atomics = BodySplatter::Atomics;

/// The same bodies once by point sprites, once by compute.
class BodySplatterTest : public GlTest {
 protected:
  struct Pair {
    Photograph sprites;
    Photograph compute;
  };

  static Photograph splat(const BodyList& list, const Camera& camera, const BodyStyle& style, glm::ivec2 size,
                          int team = 0, Atomics atomics = Atomics::automatic) {
    BodyBuffers buffers(list.component.size(), BodyBuffers::Storage::device);
    list.upload_to(buffers);
    Accumulation light;
    light.resize(size);
    light.begin();
    BodySplatter splatter(atomics);
    splatter.set_team(team);
    const float aspect = static_cast<float>(size.x) / static_cast<float>(size.y);
    splatter.draw(buffers, 0, {camera.view(), camera.projection(aspect), light.size()}, light, style);
    return {size, light.read()};
  }

  static Pair both(const BodyList& list, const Camera& camera, const BodyStyle& style,
                   glm::ivec2 size = {128, 96}) {
    return {photograph(list, camera, style, size), splat(list, camera, style, size)};
  }

  /// Total light within 1e-4, every pixel within 1e-3 of the brightest.
  static void expect_same(const Pair& pair) {
    const glm::dvec4 expected = pair.sprites.total();
    const glm::dvec4 total = pair.compute.total();
    float peak = 0.0F;
    float worst = 0.0F;
    for (std::size_t i = 0; i < pair.sprites.pixels.size(); ++i) {
      peak = std::max(peak, std::abs(pair.sprites.pixels[i]));
      const float difference = std::abs(pair.sprites.pixels[i] - pair.compute.pixels[i]);
      ASSERT_TRUE(std::isfinite(difference));
      worst = std::max(worst, difference);
    }
    for (int channel = 0; channel < 4; ++channel)
      EXPECT_NEAR(total[channel], expected[channel], 1e-4 * expected[channel]) << "channel " << channel;
    EXPECT_LE(worst, 1e-3F * peak);
  }
};

Camera camera_at(double distance) {
  Camera camera;
  camera.distance = distance;
  return camera;
}

/// Bodies of all kinds in front of the camera, some outside the picture.
BodyList crowd(int count) {
  BodyList bodies;
  for (int i = 0; i < count; ++i) {
    const auto x = static_cast<float>(i);
    const glm::vec3 at{0.5F * std::sin(1.3F * x), 0.5F * std::cos(2.1F * x), 0.4F * std::sin(0.7F * x)};
    bodies.add(at, static_cast<std::uint8_t>(i % 8), {std::cos(x), 0.3F, 0.1F * x}, 0.5F,
               static_cast<std::uint32_t>(i % 5));
  }
  return bodies;
}

TEST_F(BodySplatterTest, OneBodyOfAnySizeAndSubpixelPlace) {
  for (const float size : {0.3F, 0.5F, 1.0F, 1.7F, 3.0F, 8.0F, 25.0F, 48.0F}) {
    for (const float shift : {0.0F, 0.0013F, 0.0029F, 0.0071F}) {
      SCOPED_TRACE(testing::Message() << "size " << size << ", shift " << shift);
      BodyStyle style = plain_style();
      style.size_px = size;
      const Pair pair = both(BodyList().add({shift, -2.0F * shift, 0.0F}), camera_at(1.0), style, {192, 192});
      expect_same(pair);
      EXPECT_NEAR(pair.compute.light(), 1.0, 5e-4);
    }
  }
}

TEST_F(BodySplatterTest, AtBordersAndCorners) {
  const Camera camera = camera_at(1.0);
  const auto edge = static_cast<float>(std::tan(0.5 * static_cast<double>(camera.field_of_view)));
  for (const float size : {0.3F, 2.0F, 9.0F, 30.0F}) {
    for (const float part : {0.97F, 1.0F, 1.05F, 1.3F, 30.0F}) {
      SCOPED_TRACE(testing::Message() << "size " << size << ", place " << part);
      BodyStyle style = plain_style();
      style.size_px = size;
      const float at = edge * part;
      const BodyList bodies = BodyList().add({at, 0, 0}).add({-at, at, 0}).add({0, -at, 0}).add({at, at, 0});
      expect_same(both(bodies, camera, style, {128, 128}));
    }
  }
}

TEST_F(BodySplatterTest, NoLightSpillsIntoTheNextRow) {
  const Camera camera = camera_at(1.0);
  const auto edge = static_cast<float>(std::tan(0.5 * static_cast<double>(camera.field_of_view)));
  const Photograph picture = splat(BodyList().add({edge, 0, 0}), camera, plain_style(), {128, 128});
  EXPECT_GT(picture.at(127, 64).a, 0.0F);
  for (int y = 0; y < 128; ++y) EXPECT_EQ(picture.at(0, y).a, 0.0F);
}

TEST_F(BodySplatterTest, AnyNumberOfBodies) {
  for (const int count : {1, 2, 31, 127, 128, 129, 255, 1000}) {
    SCOPED_TRACE(count);
    expect_same(both(crowd(count), camera_at(2.0), BodyStyle()));
  }
}

TEST_F(BodySplatterTest, PerspectiveGridAndHiddenComponents) {
  BodyStyle style;
  style.perspective_size = true;
  style.reference_distance = 2.0F;
  style.size_px = 5.0F;
  expect_same(both(crowd(500), camera_at(2.0), style));
  // Some behind the camera and some just in front of it.
  expect_same(both(crowd(500), camera_at(0.3), style));
  style.grid_columns = 2;
  style.grid_spacing = 0.4F;
  expect_same(both(crowd(500), camera_at(2.0), style));
  style.component_weight = {1, 0, 0.25F, 1, 0, 3, 1, 0};
  expect_same(both(crowd(500), camera_at(2.0), style));
  style.component_weight.fill(0.0F);
  EXPECT_EQ(splat(crowd(50), camera_at(2.0), style, {64, 64}).light(), 0.0);
}

TEST_F(BodySplatterTest, AGalaxySingledOut) {
  BodyStyle style = plain_style();
  style.grid_columns = 3;
  style.grid_spacing = 0.2F;
  style.singled_out = 1;
  style.singled_out_look = {.color = {1.0F, 0.0F, 0.0F}, .color_share = 1.0F};
  style.others_look.light = 0.25F;
  const auto lights = lights_of_row(splat(row_of_galaxies(), camera_at(1.0), style, {128, 96}));
  for (const std::size_t other : {0U, 2U}) EXPECT_NEAR(lights.at(other).g, 0.25, 0.005) << other;
  EXPECT_NEAR(lights[1].r, 1.0, 0.005);
  EXPECT_EQ(lights[1].g, 0.0);
  EXPECT_NEAR(lights[1].a, 1.0, 0.005);
  style = BodyStyle();
  style.singled_out = 3;
  style.others_look = {.color = {0.4F, 0.5F, 0.6F}, .color_share = 0.7F, .light = 0.3F};
  for (const char* mode : {"component", "galaxy", "speed"}) {
    style.color_mode = mode;
    expect_same(both(crowd(500), camera_at(2.0), style));
  }
}

TEST_F(BodySplatterTest, EveryColorMode) {
  for (const ColorMode* mode : color_modes()) {
    SCOPED_TRACE(mode->name);
    BodyStyle style;
    style.color_mode = mode->name;
    style.range_max = 2.0F;
    expect_same(both(crowd(301), camera_at(2.0), style));
  }
}

TEST_F(BodySplatterTest, EveryTeamAndBothKindsOfAtomics) {
  const BodyList bodies = crowd(300);
  const glm::ivec2 size{96, 96};
  for (const float sprite : {0.3F, 4.0F, 20.0F}) {
    BodyStyle style;
    style.size_px = sprite;
    const Photograph expected = photograph(bodies, camera_at(2.0), style, size);
    for (const int team : {0, 4, 8, 16, 32}) {
      for (const Atomics atomics : {Atomics::automatic, Atomics::compare_and_swap}) {
        SCOPED_TRACE(testing::Message() << "size " << sprite << ", team " << team);
        expect_same({expected, splat(bodies, camera_at(2.0), style, size, team, atomics)});
      }
    }
  }
  EXPECT_THROW(BodySplatter().set_team(5), Error);
}

TEST_F(BodySplatterTest, CrowdedPixelsLoseNothing) {
  BodyList bodies;
  for (int i = 0; i < 20000; ++i) bodies.add({0.001F, 0.002F, 0.0F});
  // Rounding alone: 20000 additions to the same floats. An addition that is not atomic loses far more.
  EXPECT_NEAR(splat(bodies, camera_at(1.0), plain_style(), {64, 64}).light() / 20000.0, 1.0, 1e-3);
}

TEST_F(BodySplatterTest, BodiesWithoutAPlaceAreLeftOut) {
  BodyList bodies = BodyList().add({0, 0, 0});
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float bad : {infinity, -infinity, nan, 3e38F, -3e38F})
    bodies.add({bad, 0, 0}).add({0, bad, -1}).add({0, 0, bad}).add({bad, bad, bad});
  bodies.add({0, 0, 2}).add({0, 0, 1}).add({0, 0, 0.9999F});
  expect_same(both(bodies, camera_at(1.0), plain_style()));
}

TEST_F(BodySplatterTest, AddsToWhatIsThereAndStartsAfresh) {
  const BodyList bodies = crowd(200);
  BodyBuffers buffers(200, BodyBuffers::Storage::host_ring);
  upload_position(buffers, 1, bodies.position);
  buffers.set_static(bodies.component, bodies.galaxy);
  Accumulation light;
  BodySplatter splatter;
  const Camera camera = camera_at(2.0);
  const auto drawn = [&](int times, glm::ivec2 size) {
    light.resize(size);
    light.begin();
    for (int i = 0; i < times; ++i)
      splatter.draw(buffers, 1, {camera.view(), camera.projection(1.0F), light.size()}, light, plain_style());
    return Photograph{size, light.read()}.light();
  };
  const double once = drawn(1, {64, 64});
  EXPECT_GT(once, 10.0);
  EXPECT_NEAR(drawn(2, {64, 64}), 2.0 * once, 1e-4 * once);
  EXPECT_NEAR(drawn(1, {64, 64}), once, 1e-5 * once);
  // The sums follow the picture's size.
  EXPECT_NEAR(drawn(1, {200, 200}), once, 0.05 * once);
  EXPECT_NEAR(drawn(1, {64, 64}), once, 1e-5 * once);
}

TEST_F(BodySplatterTest, SaysWhatItCannotDraw) {
  const BodySplatter splatter;
  EXPECT_EQ(splatter.refusal(1000, {1920, 1080}), "");
  EXPECT_NE(splatter.refusal(std::numeric_limits<std::size_t>::max(), {64, 64}).find("bodies"),
            std::string::npos);
  EXPECT_NE(splatter.refusal(1, {1'000'000, 1'000'000}).find("pixels"), std::string::npos);
}

class BodyDrawerTest : public GlTest {
 protected:
  static constexpr glm::ivec2 size{64, 64};

  void SetUp() override {
    GlTest::SetUp();
    if (IsSkipped()) return;
    const BodyList bodies = crowd(100);
    buffers = std::make_unique<BodyBuffers>(100, BodyBuffers::Storage::device);
    upload_position(*buffers, 0, bodies.position);
    buffers->set_static(bodies.component, bodies.galaxy);
    drawer = std::make_unique<BodyDrawer>();
    light = std::make_unique<Accumulation>();
    light->resize(size);
  }
  void TearDown() override {
    light.reset();
    drawer.reset();
    buffers.reset();
    GlTest::TearDown();
  }

  std::vector<float> draw(Splatting splatting, const BodyStyle& style = plain_style()) {
    const Camera camera = camera_at(2.0);
    light->begin();
    drawer->draw(*buffers, 0, {camera.view(), camera.projection(1.0F), light->size()}, *light, style,
                 splatting);
    return light->read();
  }

  std::unique_ptr<BodyBuffers> buffers;
  std::unique_ptr<BodyDrawer> drawer;
  std::unique_ptr<Accumulation> light;
};

TEST_F(BodyDrawerTest, DrawsAsAskedAndSaysSo) {
  const auto sprites = draw(Splatting::raster);
  EXPECT_EQ(drawer->method(), DrawMethod::sprites);
  EXPECT_EQ(drawer->how(), "point sprites");
  const auto compute = draw(Splatting::compute);
  EXPECT_EQ(drawer->method(), DrawMethod::compute);
  EXPECT_EQ(drawer->how(), "compute");
  EXPECT_NEAR(Photograph({size, compute}).light(), Photograph({size, sprites}).light(), 1e-2);
  EXPECT_EQ(draw(Splatting::raster), sprites);
}

TEST_F(BodyDrawerTest, AutomaticIsTheRasterizerInSoftwareAndAComparisonElsewhere) {
  draw(Splatting::automatic);
  EXPECT_EQ(drawer->method(), DrawMethod::sprites);
  if (gl_info().software) {
    EXPECT_EQ(drawer->how(), "point sprites (software OpenGL)");
  }
  // As a graphics card, whatever this is.
  drawer = std::make_unique<BodyDrawer>(false);
  draw(Splatting::automatic);
  EXPECT_NE(drawer->how().find("timed"), std::string::npos) << drawer->how();
  bool both = false;
  for (int frame = 0; frame < 100; ++frame) {
    draw(Splatting::automatic);
    both = both || drawer->method() == DrawMethod::compute;
  }
  EXPECT_TRUE(both);
  EXPECT_NE(drawer->how().find(" ms; "), std::string::npos) << drawer->how();
  BodyStyle large = plain_style();
  large.size_px = large.max_size_px = DrawChooser::largest_splat_px + 1.0F;
  draw(Splatting::automatic, large);
  EXPECT_EQ(drawer->method(), DrawMethod::sprites);
}

TEST_F(BodyDrawerTest, AMistakeInTheStyleDoesNotEndCompute) {
  BodyStyle wrong = plain_style();
  wrong.color_mode = "taste";
  EXPECT_THROW(draw(Splatting::compute, wrong), Error);
  draw(Splatting::compute);
  EXPECT_EQ(drawer->how(), "compute");
}

TEST_F(BodyDrawerTest, TheTimerGivesEveryStretchOnce) {
  GpuTimer timer;
  for (std::uint64_t label = 10; label < 14; ++label) {
    ASSERT_TRUE(timer.begin(label));
    draw(Splatting::raster);
    timer.end();
  }
  glFinish();
  const auto times = timer.take();
  ASSERT_EQ(times.size(), 4U);
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_EQ(times[i].first, 10 + i);
    EXPECT_GE(times[i].second, 0.0);
    // llvmpipe may count from the start of the machine: nothing relies on times in software.
    if (!gl_info().software) {
      EXPECT_LT(times[i].second, 60e3);
    }
  }
  EXPECT_TRUE(timer.take().empty());
  for (int i = 0; i < 16; ++i) {
    ASSERT_TRUE(timer.begin(0));
    timer.end();
  }
  EXPECT_FALSE(timer.begin(0));
}

}  // namespace
}  // namespace orrery::render::test
