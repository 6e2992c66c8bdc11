#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "app/picture/display_options.h"
#include "app/picture/look_settings.h"
#include "app/picture/painter.h"
#include "app/session/interop.h"
#include "lab/setup/starting_options.h"
#include "render/context/target.h"
#include "tests/app/headless_test.h"
#include "tests/render/upload.h"

namespace orrery::app {
namespace {

/// A dataset as it is drawn, at rest.
class Stage {
 public:
  Stage(const lab::DatasetRequest& request, const std::vector<std::string>& assignments = {})
      : scene_(lab::load_dataset(request)),
        summary(summarize(scene_.bodies)),
        camera(fitted_camera(summary)),
        buffers_(scene_.bodies.size(), render::BodyBuffers::Storage::device) {
    lab::apply_scene(settings, scene_);
    lab::apply_assignments(table_, settings, with_looks(assignments));
    set_static(buffers_, scene_.bodies, summary);
    upload(0.0F);
  }
  /// Every body moves straight on.
  void upload(float time) {
    const auto& bodies = scene_.bodies;
    std::vector<float> place, velocity;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto& x = bodies.position[i];
      const auto& v = bodies.velocity[i];
      place.insert(place.end(), {x.x + time * v.x, x.y + time * v.y, x.z + time * v.z, bodies.mass[i]});
      velocity.insert(velocity.end(), {v.x, v.y, v.z, 0.0F});
    }
    render::upload_position(buffers_, 0, place);
    render::upload_velocity(buffers_, 0, velocity);
  }
  PictureInput input(bool repeatable = true) const {
    return {buffers_, 0, camera, look_.of(settings), summary, 0.0, repeatable};
  }
  render::Image picture(Painter& painter, glm::ivec2 size = {320, 180}, bool repeatable = true) const {
    const render::PictureTarget target(size);
    painter.draw(input(repeatable), target);
    return target.read();
  }

 private:
  sim::OptionTable table_ = all_options();
  sim::Scene scene_;

 public:
  sim::Configuration settings = table_.defaults();
  mutable CurrentLook look_;
  SceneSummary summary;
  render::Camera camera;

 private:
  render::BodyBuffers buffers_;
};

double brightness_of(const render::Image& image, std::size_t pixel) {
  const auto* p = &image.rgba[4 * pixel];
  return (p[0] + p[1] + p[2]) / (3.0 * 255.0);
}

double mean_brightness(const render::Image& image) {
  double sum = 0.0;
  const auto pixels = image.rgba.size() / 4;
  for (std::size_t i = 0; i < pixels; ++i) sum += brightness_of(image, i);
  return sum / static_cast<double>(pixels);
}

/// The brightness of the pixel in the middle of the picture's light, which is its power of 2.2.
double median_brightness(const render::Image& image) {
  std::vector<double> light(256, 0.0);
  for (std::size_t i = 0; i < image.rgba.size() / 4; ++i) {
    const double bright = brightness_of(image, i);
    light[static_cast<std::size_t>(255.0 * bright)] += std::pow(bright, 2.2);
  }
  double all = 0.0;
  for (const double here : light) all += here;
  double below = 0.0;
  std::size_t level = 0;
  while (level < 255 && (below += light[level]) < 0.5 * all) ++level;
  return static_cast<double>(level) / 255.0;
}

using Light = HeadlessTest;

TEST_F(Light, MedianBrightnessDoesNotDependOnTheNumberOfBodies) {
  Painter painter;
  for (const std::size_t bodies : {1'000U, 10'000U, 100'000U, 1'000'000U}) {
    const Stage stage({.source = "plummer", .bodies = bodies});
    EXPECT_NEAR(median_brightness(stage.picture(painter)), 0.62, 0.06) << bodies;
  }
}

TEST_F(Light, MedianBrightnessDoesNotDependOnZoomBrightnessOrTheModel) {
  Painter painter;
  for (const char* model : {"disk", "plummer", "collision"}) {
    Stage stage({.source = model, .bodies = 20'000});
    const auto start = stage.camera;
    const auto settings = stage.settings;
    for (const double zoom : {0.2, 0.5, 1.0, 3.0, 10.0}) {
      stage.camera = start;
      stage.camera.zoom(zoom);
      stage.settings = settings;
      EXPECT_NEAR(median_brightness(stage.picture(painter)), 0.56, 0.17) << model << ' ' << zoom;
      stage.settings.set("brightness", 50.0);
      EXPECT_NEAR(median_brightness(stage.picture(painter)), 0.56, 0.17) << model << ' ' << zoom;
    }
  }
}

TEST_F(Light, TheSliderCorrectsInStopsAndFixedExposureStays) {
  Painter painter;
  Stage stage({.source = "plummer", .bodies = 5'000});
  const auto plain = mean_brightness(stage.picture(painter));
  stage.settings.set("exposure", std::string("auto:2"));
  EXPECT_GT(mean_brightness(stage.picture(painter)), 1.2 * plain);
  stage.settings.set("exposure", std::string("auto:-2"));
  EXPECT_LT(mean_brightness(stage.picture(painter)), 0.8 * plain);
  stage.settings.set("exposure", std::string("fixed:0"));
  const auto fixed = mean_brightness(stage.picture(painter));
  stage.settings.set("brightness", 4.0);
  EXPECT_GT(mean_brightness(stage.picture(painter)), 1.2 * fixed) << "not measured";
}

TEST_F(Light, AFilmDoesNotFlicker) {
  Painter painter;
  for (const char* model : {"disk", "collision"}) {
    Stage stage({.source = model, .bodies = 4'000});
    double last = 0.0;
    double change_before = 0.0;
    for (int frame = 0; frame < 24; ++frame) {
      stage.upload(0.02F * static_cast<float>(frame));
      stage.camera.orbit(0.01, 0.0);
      stage.camera.zoom(1.01);
      const double now = mean_brightness(stage.picture(painter, {640, 360}));
      const double change = frame > 0 ? now / last - 1.0 : 0.0;
      // The zoom alone makes the galaxy 2 % larger with every frame.
      EXPECT_LT(std::abs(change), 0.05) << model << ' ' << frame;
      EXPECT_LT(std::abs(change - change_before), 0.03) << model << ' ' << frame;
      last = now;
      change_before = change;
    }
  }
}

TEST_F(Light, FilmsAreDrawnByComputeWhereThatIsChosen) {
  Painter painter;
  const Stage chosen({.source = "plummer", .bodies = 3'000}, {"splatting=compute"});
  const Stage plain({.source = "plummer", .bodies = 3'000});
  const auto drawn_by = [&](const Stage& stage, double film_seconds) {
    auto input = stage.input();
    input.film_seconds = film_seconds;
    const render::PictureTarget target({64, 36});
    painter.draw(input, target);
    return painter.drawn_by();
  };
  EXPECT_NE(drawn_by(chosen, 0.04).find("compute"), std::string::npos);
  EXPECT_EQ(drawn_by(chosen, 0.0).find("compute"), std::string::npos) << "a picture repeats to the bit";
  EXPECT_EQ(drawn_by(plain, 0.04).find("compute"), std::string::npos) << "so does a film by default";
}

TEST_F(Light, TheWindowSettlesOnThePictureThatIsKept) {
  Painter painter;
  Stage stage({.source = "plummer", .bodies = 3'000});
  const glm::ivec2 size{960, 720};
  const render::PictureTarget target(size);
  painter.draw(stage.input(false), target);
  stage.settings.set("brightness", 2.0);
  stage.camera.zoom(2.0);
  painter.draw(stage.input(false), target);
  int rounds = 0;
  for (; painter.settling() && rounds < 500; ++rounds) {
    EXPECT_TRUE(painter.settle(stage.input(false), target));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_LT(rounds, 500);
  Painter other;
  if (render::gl_info().software) {
    EXPECT_EQ(target.read().rgba, stage.picture(other, size).rgba) << "to the last bit";
  } else {
    EXPECT_NEAR(mean_brightness(target.read()) / mean_brightness(stage.picture(other, size)), 1.0, 0.01);
  }
  stage.picture(painter, {64, 36});
  EXPECT_FALSE(painter.settling()) << "it had settled";
  stage.settings.set("brightness", 8.0);
  painter.draw(stage.input(false), target);
  stage.picture(painter, {64, 36});
  stage.picture(painter, {64, 36});
  EXPECT_TRUE(painter.settling()) << "the window still waits for its exposure";
  EXPECT_FALSE(painter.settle(stage.input(false), target)) << "its light is gone";
}

TEST_F(Light, AWindowDrawnByComputeSettlesOnThePictureToo) {
  Painter painter;
  Stage stage({.source = "plummer", .bodies = 3'000}, {"splatting=compute", "dither=off"});
  const glm::ivec2 size{640, 400};
  const render::PictureTarget target(size);
  painter.draw(stage.input(false), target);
  const auto kept = stage.picture(painter, size);
  for (int rounds = 0; painter.settling() && rounds < 500; ++rounds) {
    if (!painter.settle(stage.input(false), target)) painter.draw(stage.input(false), target);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_FALSE(painter.settling());
  const auto window = target.read();
  int largest = 0;
  for (std::size_t i = 0; i < kept.rgba.size(); ++i)
    largest = std::max(largest, std::abs(int{kept.rgba[i]} - int{window.rgba[i]}));
  EXPECT_LE(largest, 8);
}

TEST_F(Light, RepeatablePicturesHaveTheSameBits) {
  const Stage stage({.source = "disk", .bodies = 3'000});
  Painter one, other;
  const auto first = stage.picture(one);
  EXPECT_EQ(first.rgba, stage.picture(other).rgba);
  stage.picture(one, {100, 60});
  EXPECT_EQ(first.rgba, stage.picture(one).rgba) << "whatever was drawn before";
}

TEST_F(Light, PrintIsDarkOnWhite) {
  Painter painter;
  for (const char* model : {"disk", "figure-eight"}) {
    const auto print = Stage({.source = model}, {"look=print"}).picture(painter);
    const auto screen = Stage({.source = model}).picture(painter);
    EXPECT_GE(brightness_of(print, 0), 0.99) << "paper";
    EXPECT_LE(brightness_of(screen, 0), 0.01) << "sky";
    EXPECT_GT(mean_brightness(print), 0.7);
    double darkest = 1.0;
    for (std::size_t i = 0; i < print.rgba.size() / 4; ++i)
      darkest = std::min(darkest, brightness_of(print, i));
    EXPECT_LT(darkest, 0.4) << model;
  }
}

TEST_F(Light, GlowIsNoFogAroundBodiesThatStandApart) {
  Painter painter;
  // So near that a hundred bodies are in view: between them the sky is dark.
  Stage near({.source = "plummer", .bodies = 20'000}, {"dither=off"});
  near.camera.zoom(12.0);
  const auto lit_part = [](const render::Image& image) {
    double lit = 0.0;
    for (std::size_t i = 0; i < image.rgba.size() / 4; ++i) lit += brightness_of(image, i) > 0.02 ? 1.0 : 0.0;
    return lit / (static_cast<double>(image.rgba.size()) / 4.0);
  };
  const double with = lit_part(near.picture(painter));
  near.settings.set("glow", 0.0);
  EXPECT_LT(with, lit_part(near.picture(painter)) + 0.05);
}

/// The light of a picture, before exposure and tone.
std::vector<float> light_of(Painter& painter, const PictureInput& input, glm::ivec2 size) {
  return painter.light_of_tile(input, size, {}).read();
}

/// As the window draws what moves where OpenGL has no GPU.
PictureInput moving(const Stage& stage) {
  auto input = stage.input(false);
  input.rough = true;
  return input;
}

TEST_F(Light, StarsAreNeverCoarse) {
  Painter painter;
  const Stage stage({.source = "plummer", .bodies = 20'000}, {"sizes=fixed"});
  const glm::ivec2 size{480, 270};
  EXPECT_EQ(light_of(painter, moving(stage), size), light_of(painter, stage.input(), size));
}

TEST_F(Light, FewBodiesAreDrawnExactlyWhileTheyMove) {
  Painter painter, other;
  Stage stage({.source = "plummer", .bodies = 999}, {"exposure=fixed"});
  const render::PictureTarget target({320, 180}), kept({320, 180});
  for (int k = 0; k < 2; ++k) {
    stage.camera.orbit(0.3, 0.0);
    auto now = moving(stage), still = moving(stage);
    still.rough = false;
    painter.draw(now, target);
    other.draw(still, kept);
  }
  EXPECT_EQ(target.read().rgba, kept.read().rgba);
}

/// The mean light of rings of some pixels around the middle of a square picture.
std::vector<double> surface_brightness(const std::vector<float>& light, int side, int ring) {
  std::vector<double> sum(static_cast<std::size_t>(side / 2 / ring), 0.0), pixels(sum.size(), 0.0);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const double radius = std::hypot(x + 0.5 - 0.5 * side, y + 0.5 - 0.5 * side);
      const auto number = static_cast<std::size_t>(radius / ring);
      if (number >= sum.size()) continue;
      const auto* p = &light[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(side) +
                                  static_cast<std::size_t>(x))];
      sum[number] += static_cast<double>(p[0] + p[1] + p[2]);
      pixels[number] += 1.0;
    }
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] /= pixels[i];
  return sum;
}

void expect_falling(const std::vector<double>& profile, const std::string& what) {
  for (std::size_t i = 1; i < profile.size(); ++i) {
    if (profile[i] < 2e-3 * profile.front()) break;
    EXPECT_LT(profile[i], profile[i - 1]) << what << ", ring " << i;
  }
}

/// Neither between the old stars and the young ones nor where light begins to be spread is a dark ring.
TEST_F(Light, TheSurfaceBrightnessOfADiskFallsOutwards) {
  Painter painter;
  constexpr int side = 480;
  for (const std::size_t bodies : {20'000U, 100'000U, 400'000U}) {
    Stage stage({.source = "disk", .bodies = bodies}, {"star-variation=0:0"});
    stage.camera = view_of(stage.summary, View::face_on, 1.0);
    stage.camera.target = stage.summary.luminous.center;
    const auto light = light_of(painter, stage.input(), {side, side});
    expect_falling(surface_brightness(light, side, 16), std::to_string(bodies));
  }
}

TEST_F(Light, TheSurfaceBrightnessOfEitherOfTwoGalaxiesFallsOutwards) {
  Painter painter;
  constexpr int side = 480;
  Stage stage({.source = "milky-way-andromeda-today", .bodies = 300'000}, {"star-variation=0:0"});
  ASSERT_TRUE(stage.summary.luminous.pair);
  const auto& pair = *stage.summary.luminous.pair;
  for (const auto& one : {pair.first, pair.second}) {
    stage.camera = towards(View::face_on, stage.summary.luminous.spin);
    stage.camera.target = one.center;
    stage.camera.distance = 8.0 * one.half_radius;
    const auto light = light_of(painter, stage.input(), {side, side});
    expect_falling(surface_brightness(light, side, 16), "galaxy");
  }
}

}  // namespace

TEST(Looks, SetOptionsThatCanBeChangedAfterwards) {
  const auto table = all_options();
  auto settings = table.defaults();
  for (const auto& [name, value] : look_settings("beautiful"))
    EXPECT_EQ(settings.value(name), value) << name << ": the first look is the default";
  for (const auto& look : table.at("look").choices) {
    const auto all = look_settings(look);
    EXPECT_EQ(all.size(), look_settings("beautiful").size()) << "every look sets the same options";
    lab::apply_assignments(table, settings, with_looks({"look=" + look}));
    for (const auto& [name, value] : all) EXPECT_EQ(settings.value(name), value) << look << ' ' << name;
  }
  lab::apply_assignments(table, settings, with_looks({"glow=0.9", "look=print", "tone-curve=aces"}));
  EXPECT_EQ(settings.real("glow"), 0.0) << "the look came later";
  EXPECT_EQ(settings.choice("tone-curve"), "aces") << "this one came after the look";
  EXPECT_EQ(settings.choice("look"), "print");
  EXPECT_TRUE(look_settings("nice").empty());
}

}  // namespace orrery::app
