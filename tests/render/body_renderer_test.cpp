#include "render/bodies/body_renderer.h"

#include <cmath>
#include <limits>

#include "render/bodies/color_scale.h"
#include "render/color_maps/color_map.h"
#include "render/color_maps/color_space.h"
#include "render/color_modes/color_mode.h"
#include "tests/render/gl_test.h"

namespace orrery::render::test {
namespace {

class BodyRendererTest : public GlTest {};

constexpr double one_half_percent = 0.005;

Camera camera_at(double distance) {
  Camera camera;
  camera.distance = distance;
  return camera;
}

/// The largest relative deviation from 1 of the light of one body, over sizes and sub-pixel places. `gain` is
/// what a renderer that does not normalize its kernel would multiply a body of this size by.
double worst_flux_error(float (*gain)(float size)) {
  double worst = 0;
  for (const float size : {0.1F, 0.5F, 1.0F, 1.7F, 3.0F, 8.0F, 25.0F}) {
    for (const float shift : {0.0F, 0.0013F, 0.0029F, 0.0071F}) {
      BodyStyle style = plain_style();
      style.size_px = size;
      style.brightness = gain(size);
      const BodyList one = BodyList().add({shift, -2.0F * shift, 0.0F});
      worst = std::max(worst, std::abs(photograph(one, camera_at(1.0), style).light() - 1.0));
    }
  }
  return worst;
}

TEST_F(BodyRendererTest, LightDoesNotDependOnSizeOrSubpixelPlace) {
  EXPECT_LT(worst_flux_error([](float) { return 1.0F; }), one_half_percent);
}

TEST_F(BodyRendererTest, FluxCheckFailsForAKernelThatIsNotNormalized) {
  EXPECT_GT(worst_flux_error([](float size) { return size * size; }), one_half_percent);
}

TEST_F(BodyRendererTest, LightDoesNotDependOnZoom) {
  const BodyList bodies =
      BodyList().add({0.02F, 0.01F, 0.0F}).add({-0.01F, 0.03F, 0.02F}).add({0, 0, -0.03F});
  for (const bool perspective : {false, true}) {
    for (const double distance : {0.2, 0.5, 1.0, 30.0, 1e6}) {
      BodyStyle style = plain_style();
      style.perspective_size = perspective;
      const Photograph picture = photograph(bodies, camera_at(distance), style);
      EXPECT_NEAR(picture.light(), 3.0, 3.0 * one_half_percent) << distance << " " << perspective;
    }
  }
}

TEST_F(BodyRendererTest, SubpixelMotionMovesTheLightByAsMuch) {
  const Camera camera = camera_at(1.0);
  const double pixel = 2.0 * std::tan(0.5 * static_cast<double>(camera.field_of_view)) / 128.0;
  for (int tenth = 0; tenth <= 10; ++tenth) {
    const double shift = 0.1 * tenth;
    const BodyList one = BodyList().add({static_cast<float>(shift * pixel), 0, 0});
    EXPECT_NEAR(photograph(one, camera, plain_style()).center().x, 64.0 + shift, 0.01);
  }
}

TEST_F(BodyRendererTest, SymmetricBodiesMakeASymmetricPicture) {
  BodyList bodies;
  for (int i = 0; i < 40; ++i) {
    const float angle = 0.37F * static_cast<float>(i);
    const glm::vec3 at(0.006F * static_cast<float>(i) * glm::vec2(std::cos(angle), std::sin(angle)), 0.0F);
    bodies.add(at).add(-at);
  }
  const Photograph picture = photograph(bodies, camera_at(1.0), plain_style());
  for (int y = 0; y < 128; ++y)
    for (int x = 0; x < 128; ++x) EXPECT_NEAR(picture.at(x, y).r, picture.at(127 - x, 127 - y).r, 2e-4);
}

TEST_F(BodyRendererTest, LightIsLinearInTheNumberOfBodies) {
  BodyList bodies;
  for (const int count : {1, 10, 5000}) {
    while (static_cast<int>(bodies.component.size()) < count) bodies.add({0.01F, 0.02F, 0.0F});
    EXPECT_NEAR(photograph(bodies, camera_at(1.0), plain_style()).light() / count, 1.0, one_half_percent);
  }
}

TEST_F(BodyRendererTest, HidingAComponentRemovesExactlyItsLight) {
  const BodyList halo = BodyList().add({0.1F, 0, 0}, 1).add({0.1F, 0.1F, 0}, 1);
  BodyList both = halo;
  both.add({-0.1F, 0, 0}, 2).add({0.1F, 0, 0}, 2);
  BodyStyle style;
  style.component_weight = {1, 1, 0, 1, 1, 1, 1, 1};
  EXPECT_EQ(photograph(both, camera_at(1.0), style).pixels, photograph(halo, camera_at(1.0), style).pixels);
}

TEST_F(BodyRendererTest, ComponentWeightScalesLight) {
  BodyStyle style = plain_style();
  style.component_weight[3] = 0.25F;
  const BodyList bodies = BodyList().add({0, 0, 0}, 3).add({0.1F, 0, 0}, 2);
  EXPECT_NEAR(photograph(bodies, camera_at(1.0), style).light(), 1.25, 0.005);
}

TEST_F(BodyRendererTest, PixelScaleKeepsSurfaceBrightness) {
  BodyStyle style = plain_style();
  const BodyList one = BodyList().add({0, 0, 0});
  const Photograph small = photograph(one, camera_at(1.0), style, {64, 64});
  style.pixel_scale = 2.0F;
  const Photograph large = photograph(one, camera_at(1.0), style, {128, 128});
  EXPECT_NEAR(large.light(), 4.0 * small.light(), 0.02);
}

TEST_F(BodyRendererTest, SpritesCutByTheEdgeKeepTheirPartInside) {
  const Camera camera = camera_at(1.0);
  const auto edge = static_cast<float>(std::tan(0.5 * static_cast<double>(camera.field_of_view)));
  BodyStyle style = plain_style();
  style.size_px = 9.0F;
  EXPECT_NEAR(photograph(BodyList().add({edge, 0, 0}), camera, style).light(), 0.5, 0.01);
  EXPECT_NEAR(photograph(BodyList().add({-edge, edge, 0}), camera, style).light(), 0.25, 0.01);
  // The centre 3.2 pixels outside.
  const double outside = photograph(BodyList().add({edge * 1.05F, 0, 0}), camera, style).light();
  EXPECT_GT(outside, 0.05);
  EXPECT_LT(outside, 0.45);
}

TEST_F(BodyRendererTest, BodiesBehindTheCameraAreLeftOut) {
  const BodyList bodies = BodyList().add({0, 0, 2.0F}).add({0, 0, 1.0F}).add({0, 0, 0.9999F}).add({0, 0, 0});
  EXPECT_NEAR(photograph(bodies, camera_at(1.0), plain_style()).light(), 1.0, 0.005);
}

TEST_F(BodyRendererTest, PerspectiveSizeShrinksWithDistance) {
  BodyStyle style = plain_style();
  style.size_px = 12.0F;
  style.perspective_size = true;
  style.reference_distance = 1.0F;
  const BodyList one = BodyList().add({0, 0, 0});
  const float near_peak = photograph(one, camera_at(1.0), style).at(64, 64).a;
  const float far_peak = photograph(one, camera_at(2.0), style).at(64, 64).a;
  EXPECT_NEAR(far_peak / near_peak, 4.0F, 0.3F);
}

TEST_F(BodyRendererTest, SpritesNeverExceedTheirLargestSize) {
  BodyStyle style = plain_style();
  style.perspective_size = true;
  style.size_px = 5.0F;
  style.max_size_px = 5.0F;
  BodyStyle unclamped = style;
  unclamped.perspective_size = false;
  const BodyList one = BodyList().add({0, 0, 0});
  EXPECT_EQ(photograph(one, camera_at(0.01), style).pixels,
            photograph(one, camera_at(0.01), unclamped).pixels);
  // Beyond what any driver offers: clamped, and no light is lost.
  unclamped.size_px = 1e9F;
  unclamped.max_size_px = 1e9F;
  const double all = photograph(one, camera_at(1.0), unclamped, {512, 512}).light();
  if (gl_info().max_point_size <= 512.0F) {
    EXPECT_NEAR(all, 1.0, 0.005);
  }
}

TEST_F(BodyRendererTest, GridPlacesGalaxiesApart) {
  BodyStyle style = plain_style();
  style.grid_columns = 2;
  style.grid_spacing = 0.2F;
  style.color_mode = "radius";
  const Camera camera = camera_at(1.0);
  for (std::uint32_t galaxy = 0; galaxy < 4; ++galaxy) {
    const BodyList one = BodyList().add({0, 0, 0}, 4, glm::vec3(0.0F), 1.0F, galaxy);
    const glm::dvec2 center = photograph(one, camera, style).center();
    const double pixels_per_length = 64.0 / std::tan(0.5 * static_cast<double>(camera.field_of_view));
    const glm::dvec2 expected = 64.0 + pixels_per_length * glm::dvec2(grid_offset(galaxy, style));
    EXPECT_NEAR(center.x, expected.x, 0.05) << galaxy;
    EXPECT_NEAR(center.y, expected.y, 0.05) << galaxy;
  }
  EXPECT_EQ(grid_offset(3, style), glm::vec3(0.2F, -0.2F, 0.0F));
}

BodyStyle row_style() {
  BodyStyle style = plain_style();
  style.grid_columns = 3;
  style.grid_spacing = 0.2F;
  return style;
}

void expect_light(const glm::dvec4& light, const glm::dvec4& expected, const char* what) {
  for (int channel = 0; channel < 4; ++channel)
    EXPECT_NEAR(light[channel], expected[channel], 0.005) << what << ", channel " << channel;
}

TEST_F(BodyRendererTest, AGalaxyIsSingledOutByLightAndColor) {
  BodyStyle style = row_style();
  const auto lights = [&] {
    return lights_of_row(photograph(row_of_galaxies(), camera_at(1.0), style, {128, 96}));
  };
  // Looks without a galaxy that is singled out change nothing.
  style.others_look = {.color = {0.5F, 0.25F, 0.0F}, .color_share = 1.0F, .light = 0.25F};
  for (const auto& light : lights()) expect_light(light, glm::dvec4(1.0), "none");
  style.singled_out = 1;
  const auto grayed = lights();
  expect_light(grayed[0], {0.125, 0.0625, 0.0, 0.25}, "left");
  expect_light(grayed[1], glm::dvec4(1.0), "singled out");
  expect_light(grayed[2], {0.125, 0.0625, 0.0, 0.25}, "right");
  style.others_look = {};
  style.singled_out = 2;
  style.singled_out_look = {.color = {1.0F, 0.0F, 0.0F}, .color_share = 0.5F, .light = 2.0F};
  const auto colored = lights();
  expect_light(colored[1], glm::dvec4(1.0), "other");
  expect_light(colored[2], {2.0, 1.0, 1.0, 2.0}, "coloured");
  // A number that the grid does not have makes all of them others.
  style.singled_out = 7;
  style.others_look.light = 0.5F;
  for (const auto& light : lights()) expect_light(light, glm::dvec4(0.5), "others");
}

BodyList nasty_bodies() {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float huge = 3e38F;
  BodyList bodies;
  for (int i = 0; i < 100; ++i) bodies.add({0, 0, 0}, 2, glm::vec3(0.0F), 0.0F);
  for (const float bad : {infinity, -infinity, nan, huge, -huge, 1e-45F}) {
    bodies.add({bad, 0, 0}).add({0, bad, -1}).add({0, 0, bad}).add({bad, bad, bad}, 7, glm::vec3(bad), bad);
    bodies.add({0.1F, 0, 0}, 3, glm::vec3(bad, 0, 0), bad, 4000000000U);
  }
  return bodies.add({0, 0, 1}).add({0, 0, 0.999F}, 255);
}

TEST_F(BodyRendererTest, NastyScenesMakeOnlyFiniteLight) {
  const BodyList bodies = nasty_bodies();
  for (const ColorMode* mode : color_modes()) {
    for (const bool log_range : {false, true}) {
      for (const auto& [first, last] :
           {std::pair(0.0F, 0.0F), std::pair(-1.0F, 3e38F), std::pair(1.0F, 0.0F)}) {
        BodyStyle style;
        style.color_mode = mode->name;
        style.range_min = first;
        style.range_max = last;
        style.log_range = log_range;
        style.perspective_size = log_range;
        const Photograph picture = photograph(bodies, camera_at(1.0), style, {32, 32});
        EXPECT_GT(picture.light(), 0.0);
        for (const float value : picture.pixels) ASSERT_TRUE(std::isfinite(value)) << mode->name;
      }
    }
  }
}

/// The linear colour of one body in a colour mode: the picture's light divided by its weight.
glm::vec3 drawn_color(const BodyList& one, const BodyStyle& style, const Camera& camera) {
  const glm::dvec4 total = photograph(one, camera, style).total();
  return glm::vec3(glm::dvec3(total) / total.a);
}

TEST_F(BodyRendererTest, ShaderAndProcessorAgreeOnEveryColorMode) {
  const Camera camera = camera_at(1.0);
  const BodySample sample{{0.02F, 0.03F, -0.01F},     0.7F, {0.3F, -0.2F, 0.4F}, 3, 5, 0, 0.6F, 1.5F,
                          glm::vec3(camera.forward())};
  BodyList one = BodyList().add(sample.position, 3, sample.velocity, sample.mass, sample.galaxy);
  one.quantity = {sample.quantity};
  one.velocity[3] = sample.acceleration * sample.acceleration;
  for (const ColorMode* mode : color_modes()) {
    if (mode->is_color) continue;
    const float value = mode->scalar(sample);
    BodyStyle style;
    style.color_mode = mode->name;
    style.equal_luminance = false;
    style.range_min = mode->fixed_range ? 0.0F : value - 1.0F;
    style.range_max = mode->fixed_range ? 1.0F : value + 3.0F;
    const glm::vec3 expected =
        mode->categorical ? style.palette[static_cast<std::size_t>(value)]
                          : find_color_map(mode->default_map)->evaluate(mode->fixed_range ? value : 0.25F);
    const glm::vec3 drawn = drawn_color(one, style, camera);
    for (int channel = 0; channel < 3; ++channel)
      EXPECT_NEAR(drawn[channel], expected[channel], 0.01F) << mode->name << " channel " << channel;
  }
}

TEST_F(BodyRendererTest, ShaderAndProcessorAgreeOnColoursOfTheFile) {
  BodyStyle style;
  style.color_mode = "file";
  for (const std::uint32_t color : {0xff8000U, 0x0a0b0cU, 0x123456U, 0xffffffU}) {
    BodyList one = BodyList().add({0, 0, 0}, 3);
    one.quantity = {static_cast<float>(color)};
    const glm::vec3 drawn = drawn_color(one, style, camera_at(1.0));
    EXPECT_LT(glm::length(drawn - *linear_from_packed(one.quantity.front())), 0.002F) << color;
  }
  for (const float none : {-1.0F, 1e9F, std::numeric_limits<float>::quiet_NaN()}) {
    BodyList one = BodyList().add({0, 0, 0}, 3);
    one.quantity = {none};
    EXPECT_LT(glm::length(drawn_color(one, style, camera_at(1.0)) - style.palette[3]), 0.002F) << none;
  }
}

TEST_F(BodyRendererTest, RangeIsLogarithmicReversedAndStepped) {
  const Camera camera = camera_at(1.0);
  const BodyList one = BodyList().add({0, 0, 0}, 4, {10.0F, 0, 0});
  BodyStyle style;
  style.color_mode = "speed";
  style.color_map = "gray";
  style.equal_luminance = false;
  style.range_min = 1.0F;
  style.range_max = 1000.0F;
  const auto red = [&] { return drawn_color(one, style, camera).r; };
  EXPECT_NEAR(red(), find_color_map("gray")->evaluate(9.0F / 999.0F).r, 1e-3F);
  style.log_range = true;
  EXPECT_NEAR(red(), find_color_map("gray")->evaluate(1.0F / 3.0F).r, 1e-3F);
  style.reversed = true;
  EXPECT_NEAR(red(), find_color_map("gray")->evaluate(2.0F / 3.0F).r, 1e-3F);
  style = BodyStyle(style);
  style.log_range = style.reversed = false;
  style.range_min = style.range_max = 9.0F;
  EXPECT_NEAR(red(), 1.0F, 1e-3F);
  style.range_min = style.range_max = 11.0F;
  EXPECT_NEAR(red(), 0.0F, 1e-3F);
}

TEST_F(BodyRendererTest, ShaderAndProcessorAgreeOnColoursOutsideTheRange) {
  BodyStyle style;
  style.color_mode = "density";
  style.color_map = "viridis";
  style.equal_luminance = false;
  style.range_min = 1.0F;
  style.range_max = 3.0F;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const std::array<glm::vec4, 3> own{glm::vec4(1.0F, 0.2F, 0.0F, 1.0F), glm::vec4(0.0F, 1.0F, 0.3F, 1.0F),
                                     glm::vec4(0.1F, 0.0F, 1.0F, 1.0F)};
  for (const bool outside : {false, true}) {
    style.outside = outside ? own : std::array<glm::vec4, 3>{};
    for (const bool other : {false, true}) {
      style.log_range = style.reversed = other;
      for (const float value : {-infinity, -1.0F, 0.9F, 1.0F, 1.7F, 3.0F, 3.2F, infinity, nan}) {
        BodyList one = BodyList().add({0, 0, 0});
        one.quantity = {value};
        const glm::vec3 drawn = drawn_color(one, style, camera_at(1.0));
        const glm::vec3 expected = ColorScale(style, *find_color_mode("density")).color(value);
        EXPECT_LT(glm::length(drawn - expected), 0.01F) << value << outside << other;
      }
    }
  }
}

TEST_F(BodyRendererTest, UnknownModeOrMapIsRefusedByName) {
  const BodyList one = BodyList().add({0, 0, 0});
  BodyStyle style;
  style.color_mode = "taste";
  try {
    photograph(one, camera_at(1.0), style);
    FAIL() << "an unknown colour mode was drawn";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("\"taste\""), std::string::npos);
  }
  style.color_mode = "speed";
  style.color_map = "plaid";
  EXPECT_THROW(photograph(one, camera_at(1.0), style), Error);
}

TEST_F(BodyRendererTest, DrawingTwiceAddsAndIsRepeatable) {
  BodyList bodies;
  for (int i = 0; i < 2000; ++i)
    bodies.add({0.2F * std::sin(static_cast<float>(i)), 0.2F * std::cos(1.7F * static_cast<float>(i)), 0});
  const Photograph first = photograph(bodies, camera_at(1.0), plain_style());
  const Photograph second = photograph(bodies, camera_at(1.0), plain_style());
  EXPECT_EQ(first.pixels, second.pixels);
}

}  // namespace
}  // namespace orrery::render::test
