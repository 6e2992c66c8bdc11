#include "app/picture/overlay_painter.h"
#include "app/picture/picture_style.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/gui/font.h"
#include "app/gui/gui.h"
#include "app/picture/display_options.h"
#include "app/picture/scale_bar.h"
#include "app/session/interop.h"
#include "headless_test.h"
#include "lab/setup/starting_options.h"
#include "render/context/gl.h"
#include "render/context/target.h"
#include "sim/galaxies/model.h"

namespace orrery::app {
namespace {

/// Draws overlays over nothing, in other words over a picture that is clear.
class OverlayPainterTest : public HeadlessTest {
 protected:
  void SetUp() override {
    HeadlessTest::SetUp();
    if (IsSkipped()) return;
    open("disk", 512);
  }
  void open(const char* model, std::size_t bodies) {
    scene_ = sim::make_galaxy(model, {.bodies = bodies, .seed = 1});
    summary_ = summarize(scene_.bodies);
    options_ = table_.defaults();
    lab::apply_scene(options_, scene_);
    camera_ = fitted_camera(summary_);
    buffers_ =
        std::make_unique<render::BodyBuffers>(scene_.bodies.size(), render::BodyBuffers::Storage::host_ring);
    orbits_ = std::make_unique<OrbitTrails>();
    orbits_->open(scene_, summary_);
  }
  void set(const std::string& assignment) { table_.assign(options_, assignment); }

  static void clear(const render::PictureTarget& target) {
    constexpr std::array<float, 4> nothing{};
    glClearNamedFramebufferfv(target.framebuffer(), GL_COLOR, 0, nothing.data());
  }
  render::Image draw(OverlayPainter& painter, glm::ivec2 size, float left = 0.0F) {
    const render::PictureTarget target(size);
    clear(target);
    const PictureInput picture{
        *buffers_, 0, camera_, look_.of(options_), summary_, double{left} / size.x, true, orbits_.get()};
    const LegendInfo info{title_, 12.5, 300, scene_.units};
    painter.draw(picture, info, target.framebuffer(), size, left);
    return target.read();
  }

  sim::OptionTable table_ = all_options();
  sim::Scene scene_;
  SceneSummary summary_;
  sim::Configuration options_;
  mutable CurrentLook look_;
  render::Camera camera_;
  std::unique_ptr<render::BodyBuffers> buffers_;
  std::unique_ptr<OrbitTrails> orbits_;
  std::string title_ = "H";
};

int brightness(const render::Image& image, int x, int y) {
  const auto at =
      4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x));
  return std::max({image.rgba[at], image.rgba[at + 1], image.rgba[at + 2]});
}

/// The first letter of the title: how high it is, and how many pixels its upper edge needs to become bright.
struct Letter {
  int height = 0;
  int edge = 0;
};

/// Of an H: along its left stem, which is the brightest column at the left end of the title.
Letter first_letter(const render::Image& image, const OverlayBox& title, float line) {
  int best = 0, stem = 0;
  for (int x = static_cast<int>(title.from.x); x < static_cast<int>(title.from.x + 0.4F * line); ++x) {
    int sum = 0;
    for (int y = static_cast<int>(title.from.y); y < static_cast<int>(title.from.y + line); ++y)
      sum += brightness(image, x, y);
    if (sum > best) {
      best = sum;
      stem = x;
    }
  }
  Letter letter;
  int brightest = 0;
  for (int y = static_cast<int>(title.from.y); y < static_cast<int>(title.from.y + line); ++y)
    brightest = std::max(brightest, brightness(image, stem, y));
  for (int y = static_cast<int>(title.from.y); y < static_cast<int>(title.from.y + line); ++y) {
    const double share = brightness(image, stem, y) / double(brightest);
    if (share > 0.5) ++letter.height;
    if (share > 0.06 && share < 0.94) ++letter.edge;
  }
  return letter;
}

TEST_F(OverlayPainterTest, LettersAreSharpAtEverySize) {
  if (!has_real_font()) GTEST_SKIP() << "the program was built without a font";
  set("scale-bar=off");
  for (const int height : {720, 1440, 4320}) {
    OverlayPainter painter;
    const double line = 15.0 * height / 720.0;
    const auto image = draw(painter, {height * 16 / 9, height});
    const auto letter = first_letter(image, painter.taken().front(), static_cast<float>(line));
    // Capitals of DejaVu Sans are 0.729 em high, and its lines 1.164 em; those of Inter are as high to 5 %.
    EXPECT_NEAR(letter.height, 0.729 / 1.164 * line, 1.0 + 0.05 * line) << height;
    EXPECT_LE(letter.edge, 2) << "pixels that are neither black nor white, at " << height;
  }
}

TEST_F(OverlayPainterTest, LettersAreMadeAnewForASizeThatStays) {
  OverlayPainter painter;
  draw(painter, {640, 360});
  draw(painter, {1280, 720});
  const auto kept = draw(painter, {1280, 720});
  OverlayPainter fresh;
  EXPECT_EQ(kept.rgba, draw(fresh, {1280, 720}).rgba);
}

/// A window with a panel has the same overlay in what the panel leaves free: only farther right.
TEST_F(OverlayPainterTest, ThePanelMovesIt) {
  OverlayPainter painter;
  draw(painter, {1280, 720});
  const auto whole = painter.taken();
  draw(painter, {1280, 720}, 300.0F);
  const auto beside = painter.taken();
  ASSERT_EQ(whole.size(), beside.size());
  EXPECT_EQ(whole.front().from.x + 300.0F, beside.front().from.x);
  for (const auto& box : beside) EXPECT_GE(box.from.x, 300.0F);
}

TEST_F(OverlayPainterTest, OtherContextsOfDearImGuiStayCurrent) {
  const Gui gui(1.0F);
  gui.make_current();
  auto* const before = ImGui::GetCurrentContext();
  {
    OverlayPainter painter;
    draw(painter, {640, 360});
    EXPECT_EQ(ImGui::GetCurrentContext(), before);
  }
  EXPECT_EQ(ImGui::GetCurrentContext(), before);
}

/// Everything that is written keeps to the picture, apart from the rest, and beside the middle.
TEST_F(OverlayPainterTest, NothingOverlaps) {
  title_ = "a file with a name that is longer than most of them are, and then some.bin";
  for (const char* model : {"disk", "solar-system"}) {
    open(model, std::string_view(model) == "disk" ? 512 : 10);
    for (const char* axes : {"axes=off", "axes=corner", "axes=box"}) {
      set(axes);
      for (const char* mode : {"color-mode=speed", "color-mode=component"}) {
        set(mode);
        for (const glm::ivec2 size : {glm::ivec2(480, 300), glm::ivec2(1280, 720), glm::ivec2(700, 900)}) {
          OverlayPainter painter;
          draw(painter, size, 0.2F * static_cast<float>(size.x));
          const auto& taken = painter.taken();
          ASSERT_GE(taken.size(), 2U);
          const OverlayBox middle{{0.58F * static_cast<float>(size.x), 0.48F * static_cast<float>(size.y)},
                                  {0.62F * static_cast<float>(size.x), 0.52F * static_cast<float>(size.y)}};
          for (std::size_t i = 0; i < taken.size(); ++i) {
            EXPECT_GE(taken[i].from.x, 0.2F * static_cast<float>(size.x) - 1.0F);
            EXPECT_LE(taken[i].to.x, static_cast<float>(size.x) + 1.0F);
            EXPECT_LE(taken[i].to.y, static_cast<float>(size.y));
            EXPECT_FALSE(taken[i].overlaps(middle)) << model << ' ' << axes;
            for (std::size_t k = 0; k < i; ++k)
              EXPECT_FALSE(taken[i].overlaps(taken[k]))
                  << model << ' ' << axes << ' ' << mode << ' ' << size.x << ": " << i << " over " << k;
          }
        }
      }
    }
  }
}

/// The scale bar is drawn as long as it says: bright pixels of its row, in a picture without anything else.
TEST_F(OverlayPainterTest, TheBarOnThePictureIsAsLongAsItSays) {
  set("legend=off");
  set("scale-bar=on");
  for (const double zoom : {0.8, 1.0, 1.9, 37.0}) {
    camera_.zoom(zoom);
    OverlayPainter painter;
    const glm::ivec2 size(1280, 720);
    const auto image = draw(painter, size);
    const auto box = painter.taken().front();
    const int row = static_cast<int>(box.to.y) - 1;
    int bright = 0;
    for (int x = 0; x < size.x; ++x) bright += brightness(image, x, row) > 200 ? 1 : 0;
    // At most 14 lines of text long.
    const auto bar = scale_bar(camera_, 720.0, 14.0 * 15.0, scene_.units);
    EXPECT_NEAR(bright, bar.pixels, 1.01) << bar.text;
  }
}

TEST_F(OverlayPainterTest, ABarOfColoursIsAsWideAsItsTitle) {
  if (!has_real_font()) GTEST_SKIP() << "the program was built without a font";
  open("plummer", 512);
  const auto width_with = [&](const char* mode) {
    set(mode);
    OverlayPainter painter;
    draw(painter, {1280, 720});
    float width = 0.0F;
    for (const auto& box : painter.taken())
      if (box.to.x > 1200.0F) width = std::max(width, box.to.x - box.from.x);
    return width;
  };
  const auto usual = width_with("color-mode=speed");
  EXPECT_NEAR(usual, 16.0F * 15.0F, 1.0F);
  EXPECT_GT(width_with("color-mode=line-of-sight"), usual) << "line-of-sight velocity (dataset's units)";
}

/// A caption of one line instead of a key of components.
TEST_F(OverlayPainterTest, ColoursOfTheFileHaveACaption) {
  const auto tallest_at_the_right = [&] {
    OverlayPainter painter;
    draw(painter, {1280, 720});
    float height = 0.0F;
    for (const auto& box : painter.taken())
      if (box.to.x > 1200.0F) height = std::max(height, box.to.y - box.from.y);
    return height;
  };
  const float components = tallest_at_the_right();
  summary_.colored = summary_.bodies;
  const float caption = tallest_at_the_right();
  EXPECT_GT(caption, 0.0F);
  EXPECT_LT(caption, components);
  EXPECT_EQ(color_mode_of(look_.of(options_), summary_).name, "file");
}

TEST_F(OverlayPainterTest, OptionsTakeEachPartAway) {
  const auto lit = [&] {
    OverlayPainter painter;
    const auto image = draw(painter, {640, 360});
    return std::ranges::count_if(image.rgba, [](auto byte) { return byte > 100; });
  };
  const auto all = lit();
  set("scale-bar=off");
  const auto without_bar = lit();
  EXPECT_LT(without_bar, all);
  set("axes=corner");
  EXPECT_GT(lit(), without_bar);
  set("axes=box");
  EXPECT_GT(lit(), without_bar);
  set("axes=off");
  set("legend=off");
  EXPECT_EQ(lit(), 0);
  set("scale-bar=auto");
  EXPECT_EQ(lit(), 0) << "a picture without legend is clean";
  set("scale-bar=on");
  EXPECT_GT(lit(), 0);
}

}  // namespace
}  // namespace orrery::app
