#include "app/picture/tiled_picture.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "app/picture/display_options.h"
#include "app/picture/look_settings.h"
#include "app/session/interop.h"
#include "headless_test.h"
#include "lab/setup/starting_options.h"
#include "render/bodies/body_drawer.h"
#include "render/context/target.h"
#include "render/picture/light_file.h"
#include "sim/galaxies/model.h"
#include "tests/render/upload.h"

namespace orrery::app {
namespace {

constexpr glm::ivec2 size{518, 460};
constexpr glm::ivec2 tile{256, 256};

class TiledPictureTest : public HeadlessTest {
 protected:
  void open(const std::string& model, std::size_t bodies, const std::vector<std::string>& assignments = {}) {
    scene_ = sim::make_galaxy(model, {.bodies = bodies, .seed = 1});
    summary_ = summarize(scene_.bodies);
    options_ = table_.defaults();
    lab::apply_scene(options_, scene_);
    lab::apply_assignments(table_, options_, with_looks(assignments));
    camera_ = fitted_camera(summary_);
    buffers_ =
        std::make_unique<render::BodyBuffers>(scene_.bodies.size(), render::BodyBuffers::Storage::device);
    set_static(*buffers_, scene_.bodies, summary_);
    std::vector<float> place, velocity;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      const auto& x = scene_.bodies.position[i];
      place.insert(place.end(), {x.x, x.y, x.z, scene_.bodies.mass[i]});
      velocity.insert(velocity.end(), {0.0F, 0.0F, 0.0F, 0.0F});
    }
    render::upload_position(*buffers_, 0, place);
    render::upload_velocity(*buffers_, 0, velocity);
  }
  PictureInput input() const { return {*buffers_, 0, camera_, look_.of(options_), summary_, 0.0, true}; }

  render::Image at_once() {
    const render::PictureTarget target(size);
    Painter painter;
    OverlayPainter overlay;
    painter.draw(input(), target);
    overlay.draw(input(), legend_, target.framebuffer(), size);
    return target.read();
  }
  render::Image in_tiles() {
    Painter painter;
    OverlayPainter overlay;
    overlay.write(input(), legend_, size);
    return draw_in_tiles(painter, input(), &overlay, size, tile);
  }
  /// Sums of floats are not the same in another order, and a rounded value may fall to the next one.
  void expect_the_same() {
    const auto whole = at_once();
    const auto joined = in_tiles();
    ASSERT_EQ(whole.rgba.size(), joined.rgba.size());
    int largest = 0;
    std::size_t others = 0;
    for (std::size_t i = 0; i < whole.rgba.size(); ++i) {
      const int difference = std::abs(int{whole.rgba[i]} - int{joined.rgba[i]});
      largest = std::max(largest, difference);
      others += difference > 0 ? 1U : 0U;
    }
    EXPECT_LE(largest, 1);
    EXPECT_LE(others, whole.rgba.size() / 1000);
    EXPECT_GT(std::ranges::count_if(whole.rgba, [](int value) { return value > 100 && value < 255; }), 3000);
  }

  sim::OptionTable table_ = all_options();
  sim::Scene scene_;
  SceneSummary summary_;
  sim::Configuration options_;
  mutable CurrentLook look_;
  render::Camera camera_;
  std::unique_ptr<render::BodyBuffers> buffers_;
  const LegendInfo legend_{"A galaxy in tiles", 12.5, 300, {}};
};

TEST_F(TiledPictureTest, ShowsWhatThePictureAtOnceShows) {
  open("disk", 6000);
  expect_the_same();
}

TEST_F(TiledPictureTest, WideImagesCrossTheSeams) {
  open("disk", 60000, {"sizes=adaptive:1", "glow=0.8"});
  camera_.distance *= 0.05;
  expect_the_same();
}

TEST_F(TiledPictureTest, AxesAndInkOnPaper) {
  open("plummer", 5000, {"look=print", "axes=box", "highlight=off"});
  expect_the_same();
}

/// By the other way of drawing, which only windows use.
TEST_F(TiledPictureTest, ComputeDrawsTilesToo) {
  open("disk", 6000);
  const auto view = camera_.view();
  const auto projection = camera_.projection(static_cast<float>(size.x) / static_cast<float>(size.y));
  const render::BodyStyle style{.brightness = 10.0F, .spread_share = 0.7F};
  render::Accumulation whole, part;
  whole.resize(size);
  whole.begin();
  render::BodyDrawer drawer;
  drawer.draw(*buffers_, 0, {view, projection, size}, whole, style, render::Splatting::compute);
  ASSERT_EQ(drawer.method(), render::DrawMethod::compute) << drawer.how();
  const auto all = whole.read();
  const float brightest = *std::ranges::max_element(all);
  for (const auto& each : render::tiles_of(size, tile)) {
    part.resize(each.size);
    part.begin();
    drawer.draw(*buffers_, 0, {view, projection, size, each}, part, style, render::Splatting::compute);
    const auto light = part.read();
    for (int y = 0; y < each.size.y; ++y)
      for (int x = 0; x < 4 * each.size.x; ++x) {
        const int at = 4 * ((y + each.corner.y) * size.x + each.corner.x) + x;
        ASSERT_NEAR(light.at(static_cast<std::size_t>(4 * y * each.size.x + x)),
                    all.at(static_cast<std::size_t>(at)), 1e-3F * brightest);
      }
  }
}

TEST_F(TiledPictureTest, TilesCoverThePictureFromTheTop) {
  const auto tiles = render::tiles_of(size, {400, 300});
  ASSERT_EQ(tiles.size(), 6U);
  EXPECT_EQ(tiles.front().corner, glm::ivec2(0, 256));
  EXPECT_EQ(tiles.front().size, glm::ivec2(256, 204));
  EXPECT_EQ(tiles.back().corner, glm::ivec2(512, 0));
  EXPECT_EQ(tiles.back().size, glm::ivec2(6, 256));
}

TEST_F(TiledPictureTest, MoreThanTheMemoryIsRefusedWithItsNumber) {
  EXPECT_NO_THROW(check_picture_memory({1920, 1080}, 4));
  try {
    check_picture_memory({1'000'000, 1'000'000}, 4);
    FAIL();
  } catch (const render::Error& error) {
    EXPECT_NE(std::string(error.what()).find("3725.3 GiB"), std::string::npos) << error.what();
  }
}

/// The light of all rows is that of the picture, and that of the file.
TEST_F(TiledPictureTest, LinearLightIsKept) {
  if (!render::has_light_files()) GTEST_SKIP() << "built without OpenEXR";
  open("disk", 2000, {"sizes=fixed"});
  Painter painter;
  const auto path = std::filesystem::temp_directory_path() / "orrery-light-test.exr";
  render::LightFileEncoder encoder(size, std::vector<render::PngText>{{"a", "text"}});
  draw_light_rows(painter, input(), size, [&](auto values, int rows) { encoder.add_rows(values, rows); });
  {
    sim::FileWriter file(path);
    file.write(encoder.finish());
    file.finish();
  }
  const auto found = render::read_light_file(path);
  const auto text = render::read_light_file_text(path);
  std::filesystem::remove(path);
  EXPECT_TRUE(std::ranges::find(text, render::PngText{"a", "text"}) != text.end());
  ASSERT_EQ(found.size, size);
  const auto expected = painter.light_of_tile(input(), size, {}).read();
  double sum = 0.0;
  for (std::size_t y = 0; y < static_cast<std::size_t>(size.y); ++y)
    for (std::size_t x = 0; x < static_cast<std::size_t>(size.x); ++x)
      for (std::size_t channel = 0; channel < 3; ++channel) {
        const auto width = static_cast<std::size_t>(size.x);
        const auto below = (static_cast<std::size_t>(size.y) - 1 - y) * width + x;
        ASSERT_EQ(found.values.at(3 * (y * width + x) + channel), expected.at(4 * below + channel));
        sum += static_cast<double>(expected.at(4 * below + channel));
      }
  EXPECT_GT(sum, 0.0);
}

}  // namespace
}  // namespace orrery::app
