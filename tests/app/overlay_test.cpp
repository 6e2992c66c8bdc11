#include <gtest/gtest.h>

#include <cmath>

#include "app/picture/display_options.h"
#include "app/picture/look.h"
#include "app/picture/overlay_sheet.h"
#include "app/picture/scale_bar.h"

namespace orrery::app {
namespace {

/// Where a point lies on a picture of that size, in pixels from the middle.
glm::dvec2 seen(const render::Camera& camera, const glm::dvec3& point, glm::dvec2 size) {
  const auto projection = glm::dmat4(camera.projection(static_cast<float>(size.x / size.y)));
  const auto clip = projection * glm::dmat4(camera.view()) * glm::dvec4(point, 1.0);
  return glm::dvec2(clip) / clip.w * 0.5 * size;
}

/// The bar is as long as a rod of the length that it names, at the target and across the line of sight.
TEST(Overlay, TheScaleBarIsTrueForEveryCamera) {
  const sim::PhysicalUnits units{.length = sim::length_unit("kpc"), .time = 0.0};
  render::Camera camera;
  camera.target = {3.0, -2.0, 1.0};
  int turns = 0;
  for (const double distance : {0.02, 0.7, 13.0, 480.0, 1e5}) {
    for (const float angle : {0.05F, 0.3F, 0.785F, 1.9F}) {
      for (const glm::dvec2 size : {glm::dvec2(320, 200), glm::dvec2(1280, 720), glm::dvec2(7680, 4320)}) {
        camera.distance = distance;
        camera.field_of_view = angle;
        camera.orbit(0.3 * ++turns, 0.1);
        const double most = 0.2 * size.x;
        const auto bar = scale_bar(camera, size.y, most, units);
        const auto half = 0.5 * bar.length * camera.right();
        const auto rod = seen(camera, camera.target + half, size) - seen(camera, camera.target - half, size);
        EXPECT_NEAR(rod.x, bar.pixels, 2e-4 * bar.pixels) << bar.text;
        EXPECT_NEAR(rod.y, 0.0, 0.05);
        EXPECT_LE(bar.pixels, most * (1 + 1e-9));
        EXPECT_GT(bar.pixels, 0.19 * most);
        EXPECT_EQ(bar.text, sim::round_length(bar.length, units).text);
      }
    }
  }
}

TEST(Overlay, TextsGrowWithThePicture) {
  const auto table = all_options();
  auto options = table.defaults();
  EXPECT_EQ(Look(options).overlay.text_pixels(1280, 720), 15.0F);
  EXPECT_EQ(Look(options).overlay.text_pixels(2560, 1440), 30.0F);
  EXPECT_EQ(Look(options).overlay.text_pixels(7680, 4320), 90.0F);
  EXPECT_EQ(Look(options).overlay.text_pixels(720, 4320), Look(options).overlay.text_pixels(720, 540))
      << "not wider than the picture";
  EXPECT_EQ(Look(options).overlay.text_pixels(160, 90), 9.0F) << "it can be read";
  table.assign(options, "text-size=30");
  EXPECT_EQ(Look(options).overlay.text_pixels(1280, 720), 30.0F);
}

TEST(Overlay, OptionsSayWhatTheUnitsAre) {
  const auto table = all_options();
  auto options = table.defaults();
  const sim::PhysicalUnits dataset{.length = 5.0, .time = 7.0};
  EXPECT_EQ(Look(options).overlay.units(dataset), dataset);
  table.assign(options, "length-unit=kpc");
  table.assign(options, "time-unit=none");
  EXPECT_EQ(Look(options).overlay.units(dataset),
            (sim::PhysicalUnits{.length = sim::length_unit("kpc"), .time = 0.0}));
  for (const auto* name : {"length-unit", "time-unit"})
    for (const auto& choice : table.at(name).choices) {
      if (choice == "auto" || choice == "none") continue;
      EXPECT_GT(name[0] == 'l' ? sim::length_unit(choice) : sim::time_unit(choice), 0.0) << choice;
    }
}

double luminance(ImU32 color) {
  const auto rgb = ImGui::ColorConvertU32ToFloat4(color);
  return 0.2126 * double{rgb.x} + 0.7152 * double{rgb.y} + 0.0722 * double{rgb.z};
}

TEST(Overlay, ColoursStandOutFromTheBackground) {
  const auto table = all_options();
  auto options = table.defaults();
  for (const bool paper : {false, true}) {
    options.set("paper", paper);
    const auto style = overlay_style(Look(options).light.paper ? 1.0F : 0.0F);
    const double background = paper ? 1.0 : 0.0;
    for (const auto color : {style.ink, style.soft, style.line, style.accent, style.x, style.y, style.z})
      EXPECT_GT(std::abs(luminance(color) - background), 0.35);
    EXPECT_NEAR(luminance(style.halo), background, 0.1);
  }
}

}  // namespace
}  // namespace orrery::app
