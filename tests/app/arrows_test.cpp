#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "app/picture/display_options.h"
#include "app/picture/overlay_painter.h"
#include "app/picture/overlay_projection.h"
#include "app/picture/velocity_arrows.h"
#include "headless_test.h"
#include "render/context/gl.h"
#include "render/context/target.h"
#include "tests/eventually.h"
#include "tests/render/upload.h"

namespace orrery::app {
namespace {

using test::eventually;

constexpr glm::ivec2 picture_size{640, 400};

/// Bodies in a square, each with a velocity and a mass of its own.
sim::Scene moving_bodies(std::size_t count) {
  sim::Scene scene;
  scene.bodies.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto t = static_cast<float>(i);
    scene.bodies.position[i] = {std::sin(1.7F * t), std::cos(2.3F * t), 0.0F};
    scene.bodies.velocity[i] = {0.3F + 0.1F * std::cos(t), 0.2F * std::sin(3.0F * t), 0.0F};
    scene.bodies.mass[i] = 1.0F + static_cast<float>(i * 7 % count);
    scene.bodies.component[i] = sim::Component::star;
  }
  return scene;
}

class ArrowsTest : public HeadlessTest {
 protected:
  void SetUp() override {
    HeadlessTest::SetUp();
    if (IsSkipped()) return;
    painter_ = std::make_unique<OverlayPainter>();
    orbits_ = std::make_unique<OrbitTrails>();
    open(moving_bodies(200));
  }
  void open(sim::Scene scene) {
    scene_ = std::move(scene);
    summary_ = summarize(scene_.bodies);
    camera_ = fitted_camera(summary_);
    buffers_ = fill(render::BodyBuffers::Storage::host_ring);
    orbits_->open(scene_, summary_);
    set("legend=off");
    set("marks=names");
    set("text-size=60");
  }
  std::unique_ptr<render::BodyBuffers> fill(render::BodyBuffers::Storage storage) const {
    const auto& bodies = scene_.bodies;
    auto buffers = std::make_unique<render::BodyBuffers>(bodies.size(), storage);
    std::vector<float> place, velocity;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto &x = bodies.position[i], &v = bodies.velocity[i];
      place.insert(place.end(), {x.x, x.y, x.z, bodies.mass[i]});
      velocity.insert(velocity.end(), {v.x, v.y, v.z, 0.0F});
    }
    render::upload_position(*buffers, 0, place);
    render::upload_velocity(*buffers, 0, velocity);
    return buffers;
  }
  void set(const std::string& assignment) { table_.assign(options_, assignment); }
  void take() { orbits_->take(look_.of(options_), *buffers_, 0, {static_cast<double>(++steps_), steps_, 0}); }
  PictureInput input() const {
    return {*buffers_, 0, camera_, look_.of(options_), summary_, 0.0, true, orbits_.get()};
  }
  /// Only what is drawn over the bodies.
  render::Image draw() {
    const render::PictureTarget target(picture_size);
    glClearNamedFramebufferfv(target.framebuffer(), GL_COLOR, 0, std::array<float, 4>{}.data());
    painter_->draw(input(), {}, target.framebuffer(), picture_size);
    return target.read();
  }

  sim::OptionTable table_ = all_options();
  sim::Configuration options_ = table_.defaults();
  mutable CurrentLook look_;
  sim::Scene scene_;
  SceneSummary summary_;
  render::Camera camera_;
  std::unique_ptr<render::BodyBuffers> buffers_;
  std::unique_ptr<OrbitTrails> orbits_;
  std::unique_ptr<OverlayPainter> painter_;
  std::uint64_t steps_ = 0;
};

/// The colour of a pixel; lines are several wide.
std::array<int, 3> pixel(const render::Image& image, ImVec2 at) {
  const auto x = static_cast<std::size_t>(at.x), y = static_cast<std::size_t>(at.y);
  const auto* from = &image.rgba[4 * (y * static_cast<std::size_t>(image.width) + x)];
  return {from[0], from[1], from[2]};
}

long lit(const render::Image& image) {
  return std::ranges::count_if(image.rgba, [](auto byte) { return byte > 100; });
}

TEST_F(ArrowsTest, LieAlongTheVelocity) {
  set("arrows=heaviest:1:25");
  take();
  ASSERT_EQ(orbits_->arrows().bodies().size(), 1U);
  const auto heaviest =
      static_cast<std::size_t>(std::ranges::max_element(scene_.bodies.mass) - scene_.bodies.mass.begin());
  const auto& body = orbits_->arrows().bodies().front();
  const auto place = scene_.bodies.position[heaviest], velocity = scene_.bodies.velocity[heaviest];
  EXPECT_EQ(body.place, glm::dvec3(place.x, place.y, place.z));
  EXPECT_EQ(body.velocity, glm::dvec3(velocity.x, velocity.y, velocity.z));
  const auto image = draw();
  const OverlayProjection eye(input(), {picture_size.x, picture_size.y});
  const double time = arrow_time(camera_, look_.of(options_).overlay, orbits_->arrows().usual_speed());
  for (const double part : {0.05, 0.3, 0.6, 0.95}) {
    const auto at = eye.see(body.place + part * time * body.velocity);
    EXPECT_GT(pixel(image, *at)[1], 150) << part;
  }
  for (const double part : {-0.1, 1.15}) {
    const auto at = eye.see(body.place + part * time * body.velocity);
    EXPECT_LT(pixel(image, *at)[1], 20) << part;
  }
}

TEST_F(ArrowsTest, AreAsLongInThePictureAtAnyDistance) {
  set("arrows=sample:150:10");
  take();
  const double usual = orbits_->arrows().usual_speed();
  ASSERT_GT(usual, 0.0);
  for (const double zoom : {1.0, 3.0, 0.1}) {
    auto camera = camera_;
    camera.zoom(zoom);
    const double height = 2.0 * camera.distance * std::tan(0.5 * double{camera.field_of_view});
    EXPECT_NEAR(usual * arrow_time(camera, look_.of(options_).overlay, usual) / height, 0.1, 1e-9) << zoom;
    const auto key = arrow_key(camera, look_.of(options_).overlay, usual, 400.0, 90.0, {});
    EXPECT_LE(key.pixels, 90.0);
    EXPECT_GT(key.pixels, 30.0);
    // The text names the speed whose arrow is so long.
    EXPECT_NEAR(std::stod(key.text.substr(6)) / usual * 40.0, key.pixels, 1e-6) << key.text;
  }
}

TEST_F(ArrowsTest, OnlyBodiesThatAreDrawnHaveThem) {
  auto scene = moving_bodies(200);
  for (std::size_t i = 0; i < 200; ++i)
    scene.bodies.component[i] = i % 4 == 0 ? sim::Component::disk : sim::Component::halo;
  open(std::move(scene));
  set("arrows=sample:150");
  auto numbers = bodies_with_arrows(look_.of(options_), scene_, summary_);
  EXPECT_EQ(numbers.size(), 50U) << "the halo is dark";
  for (const auto number : numbers) EXPECT_EQ(number % 4, 0U);
  set("starlight=equal");
  EXPECT_EQ(bodies_with_arrows(look_.of(options_), scene_, summary_).size(), 150U);
  set("show=halo,bulge");
  EXPECT_EQ(bodies_with_arrows(look_.of(options_), scene_, summary_).size(), 150U);
  set("show=none");
  EXPECT_TRUE(bodies_with_arrows(look_.of(options_), scene_, summary_).empty());
}

TEST_F(ArrowsTest, MoreOfThemAreTheSameAndOthers) {
  set("arrows=sample:20");
  const auto few = bodies_with_arrows(look_.of(options_), scene_, summary_);
  EXPECT_EQ(few.size(), 20U);
  EXPECT_EQ(few, bodies_with_arrows(look_.of(options_), scene_, summary_));
  set("arrows=sample:60");
  const auto more = bodies_with_arrows(look_.of(options_), scene_, summary_);
  EXPECT_TRUE(std::ranges::includes(more, few));
  EXPECT_NE(few, (std::vector<std::uint32_t>(more.begin(), more.begin() + 20))) << "by lot";
}

TEST_F(ArrowsTest, OffDrawsNothing) {
  take();
  EXPECT_EQ(lit(draw()), 0);
  set("arrows=sample");
  take();
  const auto some = lit(draw());
  EXPECT_GT(some, 2000);
  set("arrows=sample:10");
  take();
  EXPECT_LT(lit(draw()), some / 2);
}

TEST_F(ArrowsTest, TheLegendSaysWhatTheirLengthMeans) {
  set("legend=on");
  set("scale-bar=off");
  take();
  draw();
  const auto without = painter_->taken().size();
  set("arrows=sample");
  take();
  draw();
  EXPECT_EQ(painter_->taken().size(), without + 1);
}

TEST_F(ArrowsTest, HaveAnotherColourOnPaper) {
  set("paper=on");
  set("arrows=sample:1:25");
  take();
  const auto image = draw();
  const auto& body = orbits_->arrows().bodies().front();
  const double time = arrow_time(camera_, look_.of(options_).overlay, orbits_->arrows().usual_speed());
  const auto at = OverlayProjection(input(), {picture_size.x, picture_size.y})
                      .see(body.place + 0.5 * time * body.velocity);
  const auto ink = pixel(image, *at);
  EXPECT_GT(ink[0], 150);
  EXPECT_LT(ink[1], 60);
}

/// The scale stays while speeds change a little, and follows where all have become much faster.
TEST_F(ArrowsTest, TheScaleFollowsACollapse) {
  auto cold = moving_bodies(200);
  for (auto& v : cold.bodies.velocity) v = {0.0F, 0.0F, 0.0F};
  open(std::move(cold));
  set("arrows=sample");
  take();
  EXPECT_EQ(arrow_time(camera_, look_.of(options_).overlay, orbits_->arrows().usual_speed()), 0.0)
      << "nothing moves";
  EXPECT_TRUE(arrow_key(camera_, look_.of(options_).overlay, 0.0, 400.0, 90.0, {}).text.empty());
  for (auto& v : scene_.bodies.velocity) v = {5.0F, 0.0F, 0.0F};
  buffers_ = fill(render::BodyBuffers::Storage::host_ring);
  take();
  const double fast = orbits_->arrows().usual_speed();
  EXPECT_NEAR(fast, 2.0, 1e-6);
  for (auto& v : scene_.bodies.velocity) v = {4.0F, 0.0F, 0.0F};
  buffers_ = fill(render::BodyBuffers::Storage::host_ring);
  take();
  EXPECT_EQ(orbits_->arrows().usual_speed(), fast);
}

TEST_F(ArrowsTest, BodiesInGraphicsMemoryAreTheSame) {
  const auto on_device = fill(render::BodyBuffers::Storage::device);
  render::BodyGatherer gatherer;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < 200; i += 3) numbers.push_back(199 - i);
  gatherer.choose(numbers);
  const auto read = [&](const render::BodyBuffers& from) {
    gatherer.begin(from, 0);
    std::optional<std::vector<render::OneBody>> found;
    EXPECT_TRUE(eventually([&] { return (found = gatherer.take()).has_value(); }));
    EXPECT_FALSE(gatherer.busy());
    return found.value_or(std::vector<render::OneBody>());
  };
  const auto here = read(*buffers_), there = read(*on_device);
  ASSERT_EQ(here.size(), numbers.size());
  ASSERT_EQ(there.size(), numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(here[i].position, there[i].position) << i;
    EXPECT_EQ(here[i].velocity, there[i].velocity) << i;
    EXPECT_EQ(here[i].position.w, scene_.bodies.mass[numbers[i]]) << i;
  }
}

TEST_F(ArrowsTest, ThoseInGraphicsMemoryComeWithALaterCall) {
  set("arrows=sample");
  const auto on_device = fill(render::BodyBuffers::Storage::device);
  VelocityArrows here, there;
  here.open(scene_, summary_);
  there.open(scene_, summary_);
  here.take(look_.of(options_), *buffers_, 0, true);
  there.take(look_.of(options_), *on_device, 0, true);
  ASSERT_FALSE(here.bodies().empty());
  EXPECT_FALSE(here.waiting());
  EXPECT_TRUE(eventually([&] {
    there.take(look_.of(options_), *on_device, 0, false);
    return !there.waiting();
  }));
  ASSERT_EQ(there.bodies().size(), here.bodies().size());
  for (std::size_t i = 0; i < here.bodies().size(); ++i)
    EXPECT_EQ(there.bodies()[i].place, here.bodies()[i].place) << i;
}

}  // namespace
}  // namespace orrery::app
