#include "render/trails/trails.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "render/trails/trail_drawer.h"
#include "tests/render/gl_test.h"
#include "tests/render/upload.h"

namespace orrery::render::test {
namespace {

constexpr double pi = std::numbers::pi;

/// Bodies whose places are set again and again.
class Movers {
 public:
  explicit Movers(std::size_t bodies) : buffers(bodies, BodyBuffers::Storage::device) {
    for (std::size_t i = 0; i < bodies; ++i)
      list_.add({0, 0, 0}, 4, glm::vec3(0.0F), static_cast<float>(i + 1));
    list_.upload_to(buffers);
  }
  void put(std::size_t body, glm::vec3 at) {
    for (int k = 0; k < 3; ++k) list_.position[4 * body + static_cast<std::size_t>(k)] = at[k];
    upload_position(buffers, 0, list_.position);
  }
  BodyBuffers buffers;

 private:
  BodyList list_;
};

class TrailsTest : public GlTest {};

TEST_F(TrailsTest, RowsAreCopiedByTheGpuAndTheOldestGoes) {
  Movers movers(4);
  Trails trails;
  trails.follow({.bodies = {3, 1}, .rows = 3});
  for (int step = 0; step < 5; ++step) {
    const auto x = static_cast<float>(step);
    movers.put(3, {x, 0, 0});
    movers.put(1, {0, x, 7});
    trails.append(movers.buffers, 0, 100.0 + 0.5 * step);
  }
  EXPECT_EQ(trails.rows(), 3U);
  const auto rows = trails.read();
  ASSERT_EQ(rows.size(), 9U) << "two bodies and the origin in each row";
  for (std::size_t row = 0; row < 3; ++row) {
    const auto x = static_cast<float>(row + 2);
    EXPECT_EQ(rows[3 * row], glm::vec4(x, 0, 0, 0.5F * x)) << "body 3";
    EXPECT_EQ(rows[3 * row + 1], glm::vec4(0, x, 7, 0.5F * x)) << "body 1";
    EXPECT_EQ(rows[3 * row + 2], glm::vec4(0.0F)) << "origin";
  }
  trails.clear();
  EXPECT_TRUE(trails.read().empty());
}

TEST_F(TrailsTest, AnotherLengthKeepsTheNewestRows) {
  Movers movers(1);
  Trails trails;
  TrailPlan plan{.bodies = {0}, .rows = 4};
  trails.follow(plan);
  for (int step = 0; step < 6; ++step) {
    movers.put(0, {static_cast<float>(step), 0, 0});
    trails.append(movers.buffers, 0, step);
  }
  const auto newest = [&] {
    std::vector<float> places;
    const auto rows = trails.read();
    for (std::size_t i = 0; i < rows.size(); i += 2) places.push_back(rows[i].x);
    return places;
  };
  plan.rows = 7;
  trails.follow(plan);
  EXPECT_EQ(newest(), (std::vector<float>{2, 3, 4, 5}));
  plan.rows = 3;
  trails.follow(plan);
  EXPECT_EQ(newest(), (std::vector<float>{3, 4, 5}));
  movers.put(0, {6, 0, 0});
  trails.append(movers.buffers, 0, 6.0);
  EXPECT_EQ(newest(), (std::vector<float>{4, 5, 6}));
  plan.origin = TrailOrigin::center_of_mass;
  trails.follow(plan);
  EXPECT_EQ(trails.rows(), 0U) << "seen from elsewhere they begin anew";
}

// Masses are 1, 2, ..., 700: more than a work group has invocations.
TEST_F(TrailsTest, OriginsAreABodyAndTheCentreOfMass) {
  Movers movers(700);
  glm::dvec3 sum(0.0);
  for (std::size_t i = 0; i < 700; i += 50) {
    const glm::vec3 at(0.01F * static_cast<float>(i), 1.0F, -0.5F * static_cast<float>(i % 3));
    movers.put(i, at);
    sum += glm::dvec3(at) * static_cast<double>(i + 1);
  }
  Trails trails;
  trails.follow({.bodies = {5}, .rows = 2, .origin = TrailOrigin::center_of_mass});
  trails.append(movers.buffers, 0, 0.0);
  const glm::dvec3 expected = sum / (700.0 * 701.0 / 2.0);
  EXPECT_LT(glm::distance(glm::dvec3(trails.read()[1]), expected), 1e-6);
  trails.follow({.bodies = {5}, .rows = 2, .origin = TrailOrigin::body, .origin_body = 100});
  trails.append(movers.buffers, 0, 0.0);
  EXPECT_EQ(glm::vec3(trails.read()[1]), glm::vec3(1.0F, 1.0F, -0.5F));
}

TEST_F(TrailsTest, TooManyPlacesAreRefused) {
  Trails trails;
  TrailPlan plan{.rows = std::size_t{1} << 40};
  plan.bodies = {0, 1};
  EXPECT_THROW(trails.follow(plan), Error);
  EXPECT_EQ(trails.bodies(), 0U);
}

/// Pictures of one body's trail, light 1 a pixel's length, from in front: a length of 1 is 100 pixels.
class TrailDrawerTest : public GlTest {
 protected:
  static constexpr glm::ivec2 size{240, 200};

  static Camera camera() {
    Camera camera;
    camera.distance = 1.0 / std::tan(0.5 * static_cast<double>(camera.field_of_view));
    return camera;
  }

  /// Places and times, one after the other, of a body that is now at the last one.
  static Photograph draw(const std::vector<glm::vec4>& way, TrailStyle style = plain(),
                         DrawMethod method = DrawMethod::sprites, const Camera& from = camera()) {
    Movers movers(1);
    Trails trails;
    trails.follow({.bodies = {0}, .rows = way.size()});
    for (const glm::vec4& at : way) {
      movers.put(0, glm::vec3(at));
      trails.append(movers.buffers, 0, at.w);
    }
    Accumulation light;
    light.resize(size);
    light.begin();
    TrailDrawer drawer;
    const auto projection = from.projection(static_cast<float>(size.x) / static_cast<float>(size.y));
    drawer.draw(trails, movers.buffers, 0, from.view(), projection, light, plain_style(), style, method);
    return {size, light.read()};
  }

  static TrailStyle plain() { return {.width_px = 2.0F, .light = 1.0F, .fading = 0.0F}; }

  static std::vector<glm::vec4> straight(glm::vec2 from, glm::vec2 to, int places) {
    std::vector<glm::vec4> way;
    for (int k = 0; k < places; ++k) {
      const float t = static_cast<float>(k) / static_cast<float>(places - 1);
      way.emplace_back(glm::mix(from, to, t), 0.0F, t);
    }
    return way;
  }
};

TEST_F(TrailDrawerTest, LightIsThatOfTheLengthHoweverItIsCut) {
  for (const auto method : {DrawMethod::sprites, DrawMethod::compute}) {
    for (const int places : {2, 3, 17, 120}) {
      EXPECT_NEAR(draw(straight({-0.6F, 0.1F}, {0.6F, 0.1F}, places), plain(), method).light(), 120.0, 0.6);
      EXPECT_NEAR(draw(straight({-0.5F, -0.4F}, {0.4F, 0.5F}, places), plain(), method).light(), 127.3, 0.7);
    }
  }
}

TEST_F(TrailDrawerTest, JoinedWaysEndWhereTheRowsDo) {
  auto style = plain();
  for (const auto method : {DrawMethod::sprites, DrawMethod::compute}) {
    for (const std::size_t most : {1, 2, 7, 50}) {
      style.most_ways = most;
      const auto picture = draw(straight({-0.6F, 0.1F}, {0.6F, 0.1F}, 120), style, method);
      EXPECT_NEAR(picture.light(), 120.0, 0.6) << most;
    }
  }
}

// Along the middle of the line every pixel has the same light: joints leave no dots.
TEST_F(TrailDrawerTest, JointsDoNotShow) {
  for (const auto method : {DrawMethod::sprites, DrawMethod::compute}) {
    const auto picture = draw(straight({-0.8F, 0.005F}, {0.8F, 0.005F}, 60), plain(), method);
    const float middle = picture.at(120, 100).a;
    EXPECT_GT(middle, 0.3F);
    for (int x = 50; x < 190; ++x) EXPECT_NEAR(picture.at(x, 100).a, middle, 0.01F * middle) << x;
  }
}

// A corner of 90 degrees, and going back the same way: no pixel has more light than the lines that meet
// there.
TEST_F(TrailDrawerTest, CornersAreNotBrighterThanTheirLines) {
  auto style = plain();
  style.smooth = false;
  const auto corner = draw({{-0.595F, 0.005F, 0, 0}, {0.005F, 0.005F, 0, 1}, {0.005F, 0.605F, 0, 2}}, style);
  const float line = draw(straight({-0.6F, 0.005F}, {0.6F, 0.005F}, 2), style).at(120, 100).a;
  float brightest = 0.0F;
  for (int y = 90; y < 110; ++y)
    for (int x = 110; x < 130; ++x) brightest = std::max(brightest, corner.at(x, y).a);
  EXPECT_LT(brightest, 1.2F * line);
  EXPECT_NEAR(corner.light(), 120.0, 0.6);
}

TEST_F(TrailDrawerTest, WidthIsThatOfTheStyleAtAnyDistance) {
  for (const double distance : {1.0, 4.0}) {
    Camera from = camera();
    from.distance *= distance;
    const auto picture =
        draw(straight({-0.8F, 0.005F}, {0.8F, 0.005F}, 9), plain(), DrawMethod::sprites, from);
    double light = 0.0, mean = 0.0, spread = 0.0;
    for (int y = 80; y < 120; ++y) {
      const double a = static_cast<double>(picture.at(120, y).a), off = y - 100.0;
      light += a, mean += a * off, spread += a * off * off;
    }
    // Of a triweight of half width a the variance is a^2 / 9; a pixel adds 1 / 12.
    const double half_width = 2.0 / (2.0 * 0.45420);
    EXPECT_NEAR(light, 1.0, 0.01);
    mean /= light;
    EXPECT_NEAR(spread / light - mean * mean, half_width * half_width / 9.0 + 1.0 / 12.0, 0.03) << distance;
  }
}

TEST_F(TrailDrawerTest, FadesWithItsRowsOrInATime) {
  auto style = plain();
  style.fading = 1.0F;
  const auto by_rows = draw(straight({-1.0F, 0}, {1.0F, 0}, 101), style);
  EXPECT_NEAR(by_rows.light(), 100.0, 1.0);
  EXPECT_NEAR(by_rows.at(170, 100).a / by_rows.at(70, 100).a, 3.0F, 0.2F);
  style.fade_time = 0.5F;  // of 1
  const auto by_time = draw(straight({-1.0F, 0}, {1.0F, 0}, 101), style);
  EXPECT_NEAR(by_time.light(), 50.0, 1.0);
  EXPECT_EQ(by_time.at(70, 100).a, 0.0F);
}

// Twelve places of a circle: the curve through them stays within half a pixel of it, straight pieces do not.
TEST_F(TrailDrawerTest, CurvesGoThroughFewPlaces) {
  std::vector<glm::vec4> way;
  for (int k = 0; k <= 24; ++k) {
    const double angle = pi * k / 6.0;
    way.emplace_back(0.7 * std::cos(angle), 0.7 * std::sin(angle), 0.0, angle);
  }
  // What is not within the width of the line and half a pixel of the circle.
  const auto outside = [](const Photograph& picture) {
    double light = 0.0;
    for (int y = 0; y < size.y; ++y) {
      for (int x = 0; x < size.x; ++x) {
        const double off = std::hypot(x + 0.5 - 120.0, y + 0.5 - 100.0) - 70.0;
        if (std::abs(off) > 3.2) light += static_cast<double>(picture.at(x, y).a);
      }
    }
    return light / picture.light();
  };
  auto style = plain();
  EXPECT_LT(outside(draw(way, style)), 0.002);
  style.smooth = false;
  EXPECT_GT(outside(draw(way, style)), 0.005);
}

TEST_F(TrailDrawerTest, BothWaysGiveOnePicture) {
  std::vector<glm::vec4> way;
  for (int k = 0; k < 200; ++k) {
    const double t = 0.05 * k;
    // Out of the picture and back, and behind the camera.
    way.emplace_back(1.7 * std::sin(2.3 * t), 1.4 * std::cos(1.7 * t), 2.2 * std::sin(0.6 * t), t);
  }
  auto style = plain();
  style.fading = 1.5F;
  const auto triangles = draw(way, style, DrawMethod::sprites);
  const auto splats = draw(way, style, DrawMethod::compute);
  EXPECT_GT(triangles.light(), 300.0);
  EXPECT_NEAR(splats.light() / triangles.light(), 1.0, 1e-3);
  float worst = 0.0F, peak = 0.0F;
  for (std::size_t i = 0; i < triangles.pixels.size(); ++i) {
    worst = std::max(worst, std::abs(triangles.pixels[i] - splats.pixels[i]));
    peak = std::max(peak, triangles.pixels[i]);
  }
  EXPECT_LT(worst, 0.02F * peak);
}

// In the frame of a body that moves as well, a companion at rest beside it has no trail.
TEST_F(TrailDrawerTest, TrailsAreSeenFromTheirOrigin) {
  Movers movers(2);
  Trails trails;
  const auto light_of = [&](TrailOrigin origin) {
    trails.follow({.bodies = {0}, .rows = 8, .origin = origin, .origin_body = 1});
    for (int k = 0; k < 8; ++k) {
      const float x = -0.7F + 0.2F * static_cast<float>(k);
      movers.put(0, {x, 0.0F, 0.0F});
      movers.put(1, {x, 0.5F, 0.0F});
      trails.append(movers.buffers, 0, k);
    }
    Accumulation light;
    light.resize(size);
    light.begin();
    TrailDrawer drawer;
    drawer.draw(trails, movers.buffers, 0, camera().view(), camera().projection(1.2F), light, plain_style(),
                plain(), DrawMethod::sprites);
    return Photograph{size, light.read()}.light();
  };
  EXPECT_NEAR(light_of(TrailOrigin::dataset), 140.0, 1.0);
  EXPECT_LT(light_of(TrailOrigin::body), 0.01);
}

TEST_F(TrailDrawerTest, PlacesThatAreNoNumbersLeaveAGap) {
  auto way = straight({-0.8F, 0}, {0.8F, 0}, 17);
  way[8].x = std::numeric_limits<float>::quiet_NaN();
  auto style = plain();
  style.smooth = false;
  const auto picture = draw(way, style);
  EXPECT_NEAR(picture.light(), 140.0, 1.0);
  for (const float value : picture.pixels) ASSERT_TRUE(std::isfinite(value));
}

}  // namespace
}  // namespace orrery::render::test
