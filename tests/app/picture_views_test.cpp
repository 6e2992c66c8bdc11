#include "app/picture/picture_views.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "app/picture/display_options.h"
#include "app/picture/overlay_painter.h"
#include "app/picture/tiled_picture.h"
#include "app/session/interop.h"
#include "headless_test.h"
#include "lab/setup/starting_options.h"
#include "render/context/target.h"
#include "sim/galaxies/model.h"
#include "tests/render/upload.h"

namespace orrery::app {
namespace {

constexpr glm::ivec2 whole{512, 320};
constexpr glm::ivec2 quarter{256, 160};
constexpr double right_angle = 1.5707963267948966;

class PictureViewsTest : public HeadlessTest {
 protected:
  void SetUp() override {
    HeadlessTest::SetUp();
    if (IsSkipped()) return;
    scene_ = sim::make_galaxy("disk", {.bodies = 4000, .seed = 1});
    summary_ = summarize(scene_.bodies);
    lab::apply_scene(options_, scene_);
    set("views=four");
    camera_ = fitted_camera(summary_);
    buffers_ =
        std::make_unique<render::BodyBuffers>(scene_.bodies.size(), render::BodyBuffers::Storage::device);
    set_static(*buffers_, scene_.bodies, summary_);
    std::vector<float> place;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      const auto& x = scene_.bodies.position[i];
      place.insert(place.end(), {x.x, x.y, x.z, scene_.bodies.mass[i]});
    }
    render::upload_position(*buffers_, 0, place);
  }
  void set(const std::string& assignment) { table_.assign(options_, assignment); }
  PictureInput input(double shift = 0.0) const {
    return {*buffers_, 0, camera_, look_.of(options_), summary_, shift, true};
  }
  render::Image draw(glm::ivec2 size, double shift = 0.0) {
    const render::PictureTarget target(size);
    painter_->draw(input(shift), target);
    return target.read();
  }

  sim::OptionTable table_ = all_options();
  sim::Scene scene_;
  SceneSummary summary_;
  sim::Configuration options_ = table_.defaults();
  mutable CurrentLook look_;
  render::Camera camera_;
  std::unique_ptr<render::BodyBuffers> buffers_;
  std::unique_ptr<Painter> painter_ = nullptr;
};

/// A part of a picture; `corner` from its upper left one.
std::vector<std::uint8_t> part_of(const render::Image& image, glm::ivec2 corner, glm::ivec2 size) {
  std::vector<std::uint8_t> part;
  for (int y = 0; y < size.y; ++y) {
    const auto from = image.rgba.begin() + 4 * (std::ptrdiff_t{image.width} * (corner.y + y) + corner.x);
    part.insert(part.end(), from, from + 4 * std::ptrdiff_t{size.x});
  }
  return part;
}

/// With the exposure of the dataset, each of the four is the picture that its camera takes alone.
TEST_F(PictureViewsTest, EachIsThePictureOfItsCamera) {
  painter_ = std::make_unique<Painter>();
  set("exposure=fixed");
  const auto all = draw(whole);
  const auto own = camera_;
  const std::array orientations{
      own.orientation, glm::dquat(1, 0, 0, 0), glm::angleAxis(right_angle, glm::dvec3(1, 0, 0)),
      glm::angleAxis(right_angle, glm::dvec3(0, 0, 1)) * glm::angleAxis(right_angle, glm::dvec3(1, 0, 0))};
  const std::array<glm::ivec2, 4> corners{{{0, 0}, {quarter.x, 0}, {0, quarter.y}, {quarter.x, quarter.y}}};
  set("views=one");
  for (std::size_t i = 0; i < 4; ++i) {
    camera_.orientation = orientations.at(i);
    const auto alone = draw(quarter);
    const auto part = part_of(all, corners.at(i), quarter);
    // The orientation is rounded in another way.
    std::size_t others = 0;
    for (std::size_t k = 0; k < part.size(); ++k) others += std::abs(part[k] - alone.rgba[k]) > 2 ? 1U : 0U;
    EXPECT_LT(others, part.size() / 500) << i;
    EXPECT_GT(std::ranges::count_if(part, [](int value) { return value > 60 && value < 255; }), 500) << i;
  }
}

/// One exposure: as bright as in the others is what is as bright in itself.
TEST_F(PictureViewsTest, HaveOneExposure) {
  painter_ = std::make_unique<Painter>();
  set("glow=0");
  set("dither=off");
  set("sizes=fixed");
  // Twice the same view: the camera looks down too.
  camera_.orientation = glm::dquat(1, 0, 0, 0);
  const auto all = draw(whole);
  EXPECT_EQ(part_of(all, {0, 0}, quarter), part_of(all, {quarter.x, 0}, quarter));
  // Alone, the flat side of the disk is exposed in another way than with the bright edges.
  const auto face = part_of(all, {quarter.x, 0}, quarter);
  set("views=one");
  EXPECT_NE(draw(quarter).rgba, face);
}

TEST_F(PictureViewsTest, TilesAreTheSame) {
  for (const char* look : {"look=beautiful", "look=print"}) {
    painter_ = std::make_unique<Painter>();
    set(look);
    set("paper=" + std::string(std::string_view(look) == "look=print" ? "on" : "off"));
    const glm::ivec2 size{1031, 301};
    const auto once = draw(size);
    const auto joined = draw_in_tiles(*painter_, input(), nullptr, size, {256, 256});
    ASSERT_EQ(once.rgba.size(), joined.rgba.size());
    std::size_t others = 0;
    int largest = 0;
    for (std::size_t i = 0; i < once.rgba.size(); ++i) {
      const int difference = std::abs(int{once.rgba[i]} - int{joined.rgba[i]});
      largest = std::max(largest, difference);
      others += difference > 0 ? 1U : 0U;
    }
    EXPECT_LE(largest, 1) << look;
    EXPECT_LE(others, once.rgba.size() / 1000) << look;
  }
}

TEST_F(PictureViewsTest, LieBesideThePanel) {
  painter_ = std::make_unique<Painter>();
  set("dither=off");
  const auto beside = draw({whole.x + 128, whole.y}, 128.0 / (whole.x + 128));
  const auto alone = draw(whole);
  EXPECT_EQ(part_of(beside, {128, 0}, whole), alone.rgba);
  const auto below = part_of(beside, {0, 0}, {128, whole.y});
  EXPECT_TRUE(std::ranges::none_of(below, [](int value) { return value != 0 && value != 255; }));
}

/// Each view has its own name and arrows; title, bar, key and the line about the sky are there once. Nothing
/// lies over another.
TEST_F(PictureViewsTest, TextsKeepApart) {
  for (const glm::ivec2 size : {glm::ivec2(1280, 720), glm::ivec2(1920, 1080)}) {
    OverlayPainter overlay;
    overlay.write(input(), {.title = "disk", .time = 1.0, .steps = 3}, size);
    const auto taken = overlay.taken();
    EXPECT_EQ(taken.size(), 4U + 2 * 4U);
    const glm::vec2 middle = 0.5F * glm::vec2(size);
    for (std::size_t i = 0; i < taken.size(); ++i) {
      EXPECT_TRUE(taken[i].to.x <= middle.x || taken[i].from.x >= middle.x) << "no text crosses a border";
      for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(taken[i].overlaps(taken[k])) << i << " over " << k;
    }
    set("legend=off");
    overlay.write(input(), {}, size);
    EXPECT_TRUE(overlay.taken().empty()) << "clean pictures stay clean";
    set("legend=on");
  }
}

TEST_F(PictureViewsTest, PlacesComeBack) {
  const auto views = views_of(look_.of(options_).picture, camera_, {1000.0, 700.0}, 0.3);
  ASSERT_EQ(views.size(), 4U);
  for (const auto& view : views) {
    const auto middle = view.corner + 0.5 * view.size;
    EXPECT_TRUE(view.contains(middle));
    EXPECT_LT(glm::length(view.device_coordinates(middle)), 1e-9);
    const glm::dvec2 place = view.corner + glm::dvec2(30.0, 40.0);
    EXPECT_LT(glm::length(view.place_of(view.device_coordinates(place)) - place), 1e-9);
    for (const auto& other : views) EXPECT_EQ(other.contains(middle), other.name == view.name);
    EXPECT_GE(view.corner.x, 300.0);
    EXPECT_EQ(view.camera.target, camera_.target);
    EXPECT_EQ(view.camera.distance, camera_.distance);
  }
  const auto axis = [&](std::size_t view) { return -views[view].camera.forward(); };
  EXPECT_LT(glm::length(axis(1) - glm::dvec3(0, 0, 1)), 1e-9);
  EXPECT_LT(glm::length(axis(2) - glm::dvec3(0, -1, 0)), 1e-9);
  EXPECT_LT(glm::length(axis(3) - glm::dvec3(1, 0, 0)), 1e-9);
  EXPECT_LT(glm::length(views[3].camera.right() - glm::dvec3(0, 1, 0)), 1e-9);
}

}  // namespace
}  // namespace orrery::app
