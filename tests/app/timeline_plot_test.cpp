#include "app/panels/timeline_view.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include "app/gui/gui.h"
#include "headless_test.h"
#include "render/context/target.h"
#include "render/picture/image.h"

namespace orrery::app {
namespace {

using sim::TimelineKind;

constexpr glm::ivec2 size{640, 300};
constexpr float left = 8.0F;  ///< of the window's content

/// Eight galaxies on four streams of two devices, copied while others are computed: a copy of 1 ms, forces of
/// 6 ms, an update of 0.5 ms and a copy of 0.5 ms; one stream begins 2 ms after the other.
sim::Timeline streams() {
  sim::Timeline timeline{.schedule = "streams"};
  for (int galaxy = 0; galaxy < 8; ++galaxy) {
    const int device = galaxy % 2;
    const int stream = galaxy / 2 % 2;
    double time = 2.0 * stream + (galaxy >= 4 ? 8.0 : 0.0);
    for (const auto& [activity, length] : {std::pair{TimelineKind::copy_in, 1.0},
                                           {TimelineKind::forces, 6.0},
                                           {TimelineKind::update, 0.5},
                                           {TimelineKind::copy_out, 0.5}}) {
      timeline.spans.push_back({activity, device, stream, galaxy, 0, time, time + length});
      time += length;
    }
  }
  return timeline;
}

class TimelinePlot : public HeadlessTest {
 protected:
  /// Plot and legend, from the upper left corner.
  render::Image draw(const sim::Timeline& timeline, TimeWindow window) const {
    const render::PictureTarget target(size);
    Gui gui(1.0F);
    gui.frame(glm::vec2(size), size, [&] {
      ImGui::SetNextWindowPos({0.0F, 0.0F});
      ImGui::SetNextWindowSize({static_cast<float>(size.x), static_cast<float>(size.y)});
      ImGui::Begin("plot", nullptr, ImGuiWindowFlags_NoDecoration);
      EXPECT_FALSE(timeline_plot(timeline, window, 1.0F)) << "there is no cursor";
      timeline_legend(timeline, 1.0F);
      ImGui::End();
    });
    gui.draw(target.framebuffer());
    return target.read();
  }

  /// At a time within [0, 18] ms of the whole, in a row; rows are 20 pixels high and begin at the window's
  /// padding.
  static glm::ivec3 color_at(const render::Image& image, double time, int row) {
    const double start = left + 34.0;
    const double width = size.x - left - start;
    const auto x = static_cast<std::size_t>(start + width * time / 18.0);
    const auto y = static_cast<std::size_t>(row) * 20 + 18;
    const auto* pixel = &image.rgba[4 * (y * static_cast<std::size_t>(size.x) + x)];
    return {pixel[0], pixel[1], pixel[2]};
  }
};

bool is_blue(glm::ivec3 c) { return c.b > c.r + 60 && c.b > c.g + 30; }
bool is_orange(glm::ivec3 c) { return c.r > c.g + 30 && c.g > c.b + 30; }
bool is_empty(glm::ivec3 c) { return c.r < 60 && c.g < 60 && c.b < 70; }

TEST_F(TimelinePlot, SpansStandInTheirRowsAtTheirTimes) {
  const auto image = draw(streams(), {});
  // Beside the middle of the forces, where the number of the galaxy stands.
  for (int row = 0; row < 4; ++row) {
    const double begin = row % 2 == 0 ? 0.0 : 2.0;
    SCOPED_TRACE(row);
    EXPECT_TRUE(is_blue(color_at(image, begin + 0.5, row)));
    EXPECT_TRUE(is_orange(color_at(image, begin + 5.5, row)));
    EXPECT_TRUE(is_blue(color_at(image, begin + 8.5, row)));
    EXPECT_TRUE(is_orange(color_at(image, begin + 10.5, row)));
    EXPECT_TRUE(is_empty(color_at(image, row % 2 == 0 ? 17.0 : 1.0, row)));
  }
}

TEST_F(TimelinePlot, AZoomedWindowShowsItsPart) {
  // The first half: 9 ms over the whole width.
  const auto image = draw(streams(), {.from = 0.0, .to = 0.5});
  EXPECT_TRUE(is_blue(color_at(image, 1.8, 0)));     // 0.9 ms
  EXPECT_TRUE(is_orange(color_at(image, 13.8, 0)));  // 6.9 ms
  EXPECT_TRUE(is_empty(color_at(image, 3.8, 1)));    // 1.9 ms
  EXPECT_TRUE(is_blue(color_at(image, 5.8, 1)));     // 2.9 ms
}

}  // namespace
}  // namespace orrery::app
