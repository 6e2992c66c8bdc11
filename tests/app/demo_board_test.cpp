#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/gui/gui.h"
#include "app/gui/imgui_compat.h"
#include "app/live/demo_run.h"
#include "app/picture/overlay_painter.h"
#include "app/window/demo_overlay.h"
#include "app/window/demo_slide.h"
#include "demo_testing.h"
#include "lab/figures/accuracy_speed_plot.h"
#include "render/context/target.h"
#include "render/picture/image.h"

namespace orrery::app {
namespace {

TEST(DemoTable, HasARowForEachStep) {
  const std::vector<DemoResult> rows{
      {.step = "one", .kernel = "simd", .gips = 2.0, .seconds = 0.001, .error = 1e-7, .limit_percent = 50.0},
      {.step = "two", .kernel = "tiled", .refusal = "no GPU, \"none\""}};
  EXPECT_EQ(demo_csv(rows),
            "step,kernel,gips,ms,error_median,percent_of_limit,remark\n"
            "one,simd,2,1,1.000e-07,50.0,\n"
            "two,tiled,,,,,\"no GPU, \"\"none\"\"\"\n");
}

TEST(DemoTable, SaysThatTheMachineWasBusy) {
  DemoResult row{.step = "one", .kernel = "simd", .gips = 2.0, .seconds = 0.001};
  row.busy = true;
  EXPECT_NE(demo_csv({row}).find(",machine busy\n"), std::string::npos) << demo_csv({row});
}

/// Steps of as many interactions are compared by their rates, others by the time for all forces.
TEST(DemoComparisonTest, ComparesWhatCanBeCompared) {
  std::vector<DemoResult> rows{{.step = "one", .kernel = "sequential", .gips = 0.5, .seconds = 2.0},
                               {.step = "none", .kernel = "tiled", .refusal = "no GPU"},
                               {.step = "two", .kernel = "simd", .gips = 5.0, .seconds = 0.2}};
  const DemoComparison rates(rows, nullptr);
  ASSERT_EQ(rates.rows().size(), 2U) << "what was not measured is no bar";
  EXPECT_FALSE(rates.by_time());
  EXPECT_EQ(rates.text(rates.rows()[1]), "5.00");
  EXPECT_DOUBLE_EQ(rates.length(rates.rows()[0]), 0.1);
  EXPECT_EQ(rates.factor().text(), "x10");
  const DemoResult tree{.step = "three", .kernel = "tree", .gips = 0.4, .seconds = 0.01};
  const DemoComparison times(rows, &tree);
  ASSERT_EQ(times.rows().size(), 3U);
  EXPECT_TRUE(times.by_time());
  EXPECT_EQ(times.text(tree), "10 ms");
  EXPECT_DOUBLE_EQ(times.length(times.rows()[0]), 0.005);
  EXPECT_DOUBLE_EQ(times.factor().value(), 200.0);
  rows[2].busy = true;
  rows[2].gips = 1.2, rows[2].seconds = 1.0 / 1.2;
  EXPECT_EQ(DemoComparison(rows, nullptr).factor().text(), "machine busy");
}

/// The audience knows steps, not options.
TEST(DemoComparisonTest, DotsOfTheBoardHaveTheNamesOfTheSteps) {
  const std::vector<DemoResult> rows{
      {.step = "pairs", .gips = 5.0, .seconds = 25.0, .error = 1e-4, .label = "all pairs"},
      {.step = "none", .refusal = "no GPU", .label = "refused"},
      {.step = "tree", .gips = 0.5, .seconds = 0.02, .error = 4e-4, .label = "tree"}};
  const DemoResult now{
      .step = "fine", .gips = 0.4, .seconds = 0.01, .error = 7e-4, .label = "where it counts"};
  const auto panel = lab::accuracy_speed_panel(board_of(rows, &now));
  EXPECT_EQ(panel.lines.at(0).labels, (std::vector<std::string>{"all pairs", "tree"}));
  EXPECT_EQ(panel.lines.at(1).labels, std::vector<std::string>{"where it counts"});
  EXPECT_TRUE(lab::accuracy_speed_panel(board_of(rows, nullptr)).lines.at(1).labels.empty());
}

/// An audience reads these on a white picture too, the worst ground there is.
class HallTest : public DemoPlay {
 protected:
  render::Image slide(glm::ivec2 size) {
    const render::PictureTarget target(size);
    render::clear_to(target.framebuffer(), glm::vec4(1.0F));
    // The scale of the interface says nothing of what is read from the last row.
    Gui gui(0.7F);
    gui.set_hall(glm::vec2(size));
    const auto now = DemoRun::Clock::now();
    for (int k = 0; k < 3; ++k) {
      gui.frame(glm::vec2(size), size, [&] {
        caption_ = letter_height(*Gui::caption_font());
        below_ = letter_height(*Gui::hall_font());
        const auto left = demo_covers(run_, glm::vec2(size));
        draw_demo_slide(run_, *session_, false, widgets_, now);
        draw_demo({left}, run_, false, widgets_, now);
      });
    }
    gui.draw(target.framebuffer());
    return target.read();
  }
  /// As WCAG 2 defines it, of a pixel.
  static double luminance(const render::Image& image, int x, int y) {
    const auto channel = [&](int c) {
      const auto at = 4 * (static_cast<std::size_t>(y) * image.width + static_cast<std::size_t>(x)) +
                      static_cast<std::size_t>(c);
      const double value = image.rgba[at] / 255.0;
      return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * channel(0) + 0.7152 * channel(1) + 0.0722 * channel(2);
  }

  float caption_ = 0.0F, below_ = 0.0F;
  WidgetMap widgets_;
};

TEST_F(HallTest, CaptionsAreReadFromTheLastRow) {
  run_.start(demo(), {}, false);
  ASSERT_TRUE(frames_until([this] { return run_.playing(); }));
  const auto image = slide({1920, 1080});
  EXPECT_FLOAT_EQ(caption_, 44.0F);
  EXPECT_FLOAT_EQ(below_, 28.0F);
  slide({3840, 2160});
  EXPECT_FLOAT_EQ(caption_, 88.0F) << "they grow with the picture";
  EXPECT_FLOAT_EQ(below_, 56.0F);
  // The card is where white is no more; on it the brightest are letters.
  std::vector<double> card;
  for (int y = 700; y < 1080; ++y) {
    for (int x = 700; x < 1900; ++x) {
      if (const double light = luminance(image, x, y); light < 0.95) card.push_back(light);
    }
  }
  ASSERT_GT(card.size(), 20'000U) << "there is a caption";
  std::ranges::sort(card);
  const double ground = card[card.size() / 2], letters = card[card.size() - card.size() / 200];
  EXPECT_GE((letters + 0.05) / (ground + 0.05), 7.0) << "enhanced contrast, WCAG 2 AAA";
}

/// The card of a caption, in a picture of that size beside a chart that covers so much of the left.
OverlayBox card_in(const DemoFoot& foot, glm::vec2 size) {
  const auto place = caption_place(foot, size, 0.9F * size.y);
  const float middle = 0.5F * (foot.left + size.x);
  return {{middle - 0.5F * place.width, place.bottom - 0.14F * size.y},
          {middle + 0.5F * place.width, place.bottom}};
}

/// It covered the note on the background and half of the scale bar beside a chart.
TEST_F(HallTest, CaptionsLeaveTheLegendFree) {
  OverlayPainter painter;
  session_->paused = true;
  session_->configuration.set("color-mode", std::string("component"));
  for (const glm::ivec2 pixels : {glm::ivec2(1280, 720), glm::ivec2(1920, 1080), glm::ivec2(1024, 768)}) {
    const glm::vec2 size(pixels);
    for (const float part : {0.0F, 0.28F, 0.41F}) {
      painter.write(session_->picture(), session_->legend(), pixels, part * size.x);
      const DemoFoot foot{part * size.x, painter.legend()};
      EXPECT_GE(foot.legend.size(), 3U) << "title, scale bar, note";
      const auto card = card_in(foot, size);
      EXPECT_GE(card.to.x - card.from.x, 0.5F * (1.0F - part) * size.x) << "and stay wide";
      EXPECT_GE(card.to.y, 0.7F * size.y);
      for (const auto& box : foot.legend) EXPECT_FALSE(box.overlaps(card)) << size.x << ' ' << part;
    }
  }
}

/// A legend that fills the picture leaves no room: the caption is where it always is.
TEST(CaptionPlace, IsInEveryPicture) {
  for (const glm::vec2 size : {glm::vec2(32, 32), glm::vec2(320, 180), glm::vec2(200, 2000)}) {
    const OverlayBox all{{0.0F, 0.0F}, {size.x, size.y}};
    const auto place = caption_place({0.4F * size.x, {all}}, size, 0.9F * size.y);
    EXPECT_FLOAT_EQ(place.bottom, 0.9F * size.y);
    EXPECT_GT(place.width, 0.0F);
    EXPECT_LE(place.width, 0.6F * size.x);
  }
}

TEST_F(HallTest, TheChartGrowsAndTheClosingSlideSumsUp) {
  ahead_ = std::chrono::seconds(0);
  run_.start(demo(), {}, false);
  ASSERT_TRUE(frames_until([this] { return run_.playing() && run_.ready(); }));
  EXPECT_EQ(run_.plot(), DemoPlot::rates);
  EXPECT_TRUE(run_.present()) << "its bar is there as soon as it is measured";
  EXPECT_GT(demo_covers(run_, {1920.0F, 1080.0F}), 300.0F);
  run_.go_on();
  one_frame();
  ASSERT_TRUE(frames_until([this] { return run_.ready(); }));
  EXPECT_EQ(DemoComparison(run_.results(), &*run_.present()).rows().size(), 2U);
  run_.go_on();
  one_frame();
  ASSERT_TRUE(run_.playing());
  EXPECT_TRUE(run_.step().closing);
  EXPECT_EQ(run_.results().size(), 2U);
  // Drawn without a fault, at any size.
  slide({1920, 1080});
  slide({320, 180});
}

}  // namespace
}  // namespace orrery::app
