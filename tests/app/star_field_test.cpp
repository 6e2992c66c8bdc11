#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/picture/display_options.h"
#include "app/picture/effects/effect.h"
#include "app/picture/look_settings.h"
#include "app/picture/painter.h"
#include "app/picture/picture_style.h"
#include "app/session/interop.h"
#include "headless_test.h"
#include "lab/setup/starting_options.h"
#include "render/context/target.h"
#include "sim/galaxies/model.h"
#include "tests/render/upload.h"

namespace orrery::app {
namespace {

constexpr glm::ivec2 size{518, 460};

TEST(Effects, AddTheirOptionsToTheTable) {
  const auto table = all_options();
  const Look look(table.defaults());
  SceneSummary summary;
  summary.bodies = 1000;
  summary.components.fill(200);
  summary.disk.bodies = 500;
  summary.disk.half_radius = 1.0;
  ASSERT_GE(effects().size(), 3U);
  for (const auto* effect : effects()) {
    sim::OptionTable own;
    effect->add_options(own);
    EXPECT_FALSE(own.options().empty()) << effect->name;
    for (const auto& option : own.options()) {
      const auto* found = table.find(option.name);
      ASSERT_NE(found, nullptr) << option.name;
      EXPECT_EQ(found->meaning, option.meaning);
    }
    const auto pass = effect->make_pass();
    EXPECT_EQ(pass->on_bodies(look, summary, body_style(look)), nullptr) << effect->name;
  }
}

TEST(Effects, OnlyABeautifulPictureHasASky) {
  const auto table = all_options();
  auto options = table.defaults();
  EXPECT_EQ(effect_legends(Look(options), true).size(), 1U);
  for (const char* look : {"scientific", "print"}) {
    for (const auto& assignment : with_looks({std::string("look=") + look}))
      table.assign(options, assignment);
    EXPECT_TRUE(effect_legends(Look(options), true).empty()) << look;
  }
}

/// A small galaxy, far away, and stars around it.
class StarFieldTest : public HeadlessTest {
 protected:
  void SetUp() override {
    HeadlessTest::SetUp();
    if (IsSkipped()) return;
    scene_ = sim::make_galaxy("plummer", {.bodies = 2000, .seed = 1});
    summary_ = summarize(scene_.bodies);
    options_ = table_.defaults();
    lab::apply_scene(options_, scene_);
    set("star-field=0");
    camera_ = fitted_camera(summary_);
    camera_.distance *= 6.0;
    const auto bodies = scene_.bodies.size();
    buffers_ = std::make_unique<render::BodyBuffers>(bodies, render::BodyBuffers::Storage::device);
    set_static(*buffers_, scene_.bodies, summary_);
    std::vector<float> place;
    for (std::size_t i = 0; i < bodies; ++i) {
      const auto& x = scene_.bodies.position[i];
      place.insert(place.end(), {x.x, x.y, x.z, scene_.bodies.mass[i]});
    }
    render::upload_position(*buffers_, 0, place);
    render::upload_velocity(*buffers_, 0, std::vector<float>(4 * bodies));
    painter_ = std::make_unique<Painter>();
  }
  void set(const std::string& assignment) { table_.assign(options_, assignment); }
  PictureInput input() const { return {*buffers_, 0, camera_, look_.of(options_), summary_, 0.0, true}; }
  render::Image draw() {
    const render::PictureTarget target(size);
    painter_->draw(input(), target);
    return target.read();
  }
  static int largest_difference(const render::Image& a, const render::Image& b) {
    int largest = 0;
    for (std::size_t i = 0; i < a.rgba.size(); ++i)
      largest = std::max(largest, std::abs(int{a.rgba[i]} - int{b.rgba[i]}));
    return largest;
  }
  /// The brightest pixel, and the sum of all, outside of the middle of the picture.
  struct Outside {
    int brightest = 0;
    double sum = 0.0;
  };
  static Outside outside(const render::Image& image) {
    Outside found;
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) {
        if (std::hypot(x - 0.5 * image.width, y - 0.5 * image.height) < 0.3 * image.height) continue;
        const int value = image.rgba.at(static_cast<std::size_t>(4 * (y * image.width + x) + 1));
        found.brightest = std::max(found.brightest, value);
        found.sum += value;
      }
    return found;
  }

  /// By how much it brightens the picture, outside of the middle.
  int brightest_star(const std::string& option) {
    set("star-field=0");
    const auto without = draw();
    set("star-field=" + option);
    auto with = draw();
    for (std::size_t i = 0; i < with.rgba.size(); ++i)
      with.rgba[i] = static_cast<std::uint8_t>(std::max(int{with.rgba[i]} - int{without.rgba[i]}, 0));
    return outside(with).brightest;
  }

  sim::OptionTable table_ = all_options();
  sim::Scene scene_;
  SceneSummary summary_;
  sim::Configuration options_;
  mutable CurrentLook look_;
  render::Camera camera_;
  std::unique_ptr<render::BodyBuffers> buffers_;
  std::unique_ptr<Painter> painter_;
};

TEST_F(StarFieldTest, OffChangesNothingAndOnLightsTheSky) {
  const auto without = draw();
  set("star-field=0:5000");
  EXPECT_EQ(draw().rgba, without.rgba);
  set("star-field=1");
  const auto with = draw();
  const auto before = outside(without), after = outside(with);
  EXPECT_GT(after.sum, before.sum + 300.0);
  EXPECT_LE(after.brightest, 160) << "half as bright as white, and a little colour";
  std::size_t stars = 0;
  for (std::size_t i = 0; i < with.rgba.size(); ++i) {
    ASSERT_GE(int{with.rgba[i]}, int{without.rgba[i]}) << "light is added, and the exposure stays";
    stars += i % 4 == 1 && with.rgba[i] > without.rgba[i] + 30 ? 1U : 0U;
  }
  EXPECT_GT(stars, 10U);
  EXPECT_EQ(draw().rgba, with.rgba) << "and again";
  Painter other;
  const render::PictureTarget target(size);
  other.draw(input(), target);
  EXPECT_EQ(target.read().rgba, with.rgba);
  set("star-field=0");
  EXPECT_EQ(draw().rgba, without.rgba) << "nothing of it stays";
}

/// A galaxy is wider than any star: its light reaches two pixels to all sides.
TEST_F(StarFieldTest, HasDistantGalaxies) {
  set("show=gas");  // none: the sky alone
  set("dither=off");
  set("star-field=2");
  const auto image = draw();
  const auto is_lit = [&](int x, int y) {
    return image.rgba.at(static_cast<std::size_t>(4 * (y * size.x + x) + 1)) > 5;
  };
  int wide = 0;
  for (int y = 2; y < size.y - 2; ++y)
    for (int x = 2; x < size.x - 2; ++x)
      wide += is_lit(x - 2, y) && is_lit(x + 2, y) && is_lit(x, y - 2) && is_lit(x, y + 2) ? 1 : 0;
  EXPECT_GT(wide, 20);
}

TEST_F(StarFieldTest, IsLeftOutOfTransparentPicturesAndBesideColoursOfValues) {
  set("star-field=2");
  EXPECT_TRUE(has_background(input()));
  auto transparent = input();
  transparent.transparent = true;
  EXPECT_FALSE(has_background(transparent));
  const auto sky = outside(draw()).sum;
  set("color-mode=speed");
  EXPECT_FALSE(has_background(input()));
  EXPECT_LT(outside(draw()).sum, 0.5 * sky);
  EXPECT_TRUE(effect_legends(look_.of(options_), false).empty());
}

/// Stars are at infinity: only turning moves them.
TEST_F(StarFieldTest, TurnsWithTheCamera) {
  set("star-field=2");
  set("dither=off");
  set("show=gas");  // none: the sky alone
  const auto first = draw();
  ASSERT_GT(outside(first).sum, 0.0);
  camera_.target += glm::dvec3(300.0, -20.0, 5.0);
  EXPECT_EQ(largest_difference(draw(), first), 0);
  // Around the line of sight by 180 degrees: the picture stands on its head.
  const auto half_turn = glm::angleAxis(-3.14159265358979, glm::dvec3(0.0, 0.0, 1.0));
  camera_.orientation = glm::normalize(camera_.orientation * half_turn);
  const auto turned = draw();
  double same = 0.0, all = 0.0;
  const auto at = [](const render::Image& image, int x, int y) {
    return static_cast<double>(image.rgba.at(static_cast<std::size_t>(4 * (y * image.width + x) + 1)));
  };
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      same += std::abs(at(first, x, y) - at(turned, size.x - 1 - x, size.y - 1 - y));
      all += at(first, x, y);
    }
  EXPECT_LT(same, 0.1 * all);
  camera_.orbit(0.2, 0.0);
  EXPECT_GT(largest_difference(draw(), turned), 20);
}

TEST_F(StarFieldTest, TilesShowTheWholeSky) {
  set("star-field=2:100000");
  set("dither=off");
  for (const char* curve : {"asinh", "exponential"}) {
    set(std::string("tone-curve=") + curve);
    const auto whole = draw();
    Painter painter;
    ASSERT_TRUE(painter.begin_tiles(input(), size));
    const auto tiles = render::tiles_of(size, {256, 256});
    for (const auto& tile : tiles) painter.weigh_tile(input(), size, tile);
    for (const auto& tile : tiles) {
      const render::PictureTarget target(tile.size);
      painter.draw_tile(input(), size, tile, target);
      const auto part = target.read();
      for (int y = 0; y < tile.size.y; ++y)
        for (int x = 0; x < 4 * tile.size.x; ++x) {
          const int row = size.y - tile.corner.y - tile.size.y + y;
          const int there = whole.rgba.at(static_cast<std::size_t>(4 * (row * size.x + tile.corner.x) + x));
          const int here = part.rgba.at(static_cast<std::size_t>(4 * y * tile.size.x + x));
          ASSERT_LE(std::abs(here - there), 1) << curve << ' ' << tile.corner.x + x / 4 << ' ' << row;
        }
    }
  }
}

/// However bright bodies are, and by which curve they are shown.
TEST_F(StarFieldTest, IsAsFaintByEveryCurveAndExposure) {
  set("glow=0");
  for (const char* curve : {"asinh", "exponential", "aces", "linear"})
    for (const char* brightness : {"0.01", "1", "100"}) {
      set(std::string("tone-curve=") + curve);
      set(std::string("brightness=") + brightness);
      const int brightest = brightest_star("1");
      EXPECT_GT(brightest, 60) << curve << ' ' << brightness;
      EXPECT_LE(brightest, 160) << curve << ' ' << brightness;
      EXPECT_LT(brightest_star("0.1"), brightest) << curve;
    }
  set("exposure=auto:-2");
  const int dark = brightest_star("1");
  set("exposure=auto:0");
  EXPECT_LT(dark, brightest_star("1")) << "a correction is for stars too";
}

/// Each view has the sky of its own camera.
TEST_F(StarFieldTest, FourViewsHaveTheirOwnSky) {
  set("star-field=1");
  set("views=four");
  const auto image = draw();
  const auto quarter = [&](int column, int row) {
    double sum = 0.0;
    for (int y = row * size.y / 2; y < (row + 1) * size.y / 2; ++y)
      for (int x = column * size.x / 2; x < (column + 1) * size.x / 2; ++x)
        sum += image.rgba.at(static_cast<std::size_t>(4 * (y * size.x + x) + 1));
    return sum;
  };
  set("star-field=0");
  const auto without = draw();
  for (int view = 0; view < 4; ++view) {
    std::size_t brighter = 0;
    for (int y = view / 2 * size.y / 2; y < (view / 2 + 1) * size.y / 2; ++y)
      for (int x = view % 2 * size.x / 2; x < (view % 2 + 1) * size.x / 2; ++x) {
        const auto at = static_cast<std::size_t>(4 * (y * size.x + x) + 1);
        brighter += image.rgba.at(at) > without.rgba.at(at) ? 1U : 0U;
      }
    EXPECT_GT(brighter, 50U) << view;
  }
  EXPECT_NE(quarter(0, 0), quarter(1, 0));
}

TEST_F(StarFieldTest, PaperHasNoneAndTheLegendSaysWhatItIs) {
  set("star-field=1");
  EXPECT_EQ(effect_legends(look_.of(options_), true).size(), 1U);
  set("paper=on");
  EXPECT_TRUE(effect_legends(look_.of(options_), true).empty());
  const auto with = draw();
  set("star-field=0");
  EXPECT_EQ(draw().rgba, with.rgba);
}

}  // namespace
}  // namespace orrery::app
