#include "render/bodies/draw_chooser.h"

#include <gtest/gtest.h>

#include <deque>
#include <functional>

namespace orrery::render {
namespace {

constexpr DrawLoad typical{131072, 3.0F, 1920 * 1080};

/// Milliseconds that a method would take.
using Cost = std::function<double(DrawMethod)>;

Cost fixed(double sprites, double compute) {
  return [=](DrawMethod method) { return method == DrawMethod::sprites ? sprites : compute; };
}

/// Draws frames whose times arrive `delay` frames later; returns how many went to the sprites.
int draw_frames(DrawChooser& chooser, const DrawLoad& load, int frames, const Cost& cost,
                std::size_t delay = 3) {
  std::deque<std::pair<std::uint64_t, double>> on_their_way;
  int sprites = 0;
  for (int i = 0; i < frames; ++i) {
    const DrawMethod method = chooser.next(load);
    if (method == DrawMethod::sprites) ++sprites;
    if (chooser.is_measuring()) on_their_way.emplace_back(chooser.label(), cost(method));
    while (on_their_way.size() > delay) {
      chooser.add(on_their_way.front().first, on_their_way.front().second);
      on_their_way.pop_front();
    }
  }
  return sprites;
}

TEST(DrawChooser, KeepsTheFasterOne) {
  DrawChooser compute_wins;
  draw_frames(compute_wins, typical, 40, fixed(2.0, 1.5));
  EXPECT_EQ(compute_wins.winner(), DrawMethod::compute);
  EXPECT_EQ(compute_wins.next(typical), DrawMethod::compute);
  EXPECT_FALSE(compute_wins.is_measuring());
  EXPECT_DOUBLE_EQ(*compute_wins.time(DrawMethod::sprites), 2.0);
  EXPECT_DOUBLE_EQ(*compute_wins.time(DrawMethod::compute), 1.5);

  DrawChooser sprites_win;
  draw_frames(sprites_win, typical, 40, fixed(1.5, 2.0));
  EXPECT_EQ(sprites_win.winner(), DrawMethod::sprites);

  DrawChooser equal;
  draw_frames(equal, typical, 40, fixed(1.0, 1.0));
  EXPECT_EQ(equal.winner(), DrawMethod::sprites);
}

TEST(DrawChooser, FirstFramesAndOutliersDoNotDecide) {
  DrawChooser chooser;
  int drawn = 0;
  // Compiling: the first two frames of each method take long. Later one frame is disturbed.
  const Cost cost = [&](DrawMethod method) {
    static_cast<void>(method);
    const int frame = drawn++ % 7;
    if (frame < 2) return 500.0;
    if (frame == 4) return 50.0;
    return method == DrawMethod::sprites ? 2.0 : 1.0;
  };
  draw_frames(chooser, typical, 40, cost, 0);
  EXPECT_EQ(chooser.winner(), DrawMethod::compute);
  EXPECT_DOUBLE_EQ(*chooser.time(DrawMethod::compute), 1.0);
}

TEST(DrawChooser, NothingIsDecidedWithoutTimes) {
  DrawChooser chooser;
  for (int i = 0; i < 1000; ++i) chooser.next(typical);
  EXPECT_FALSE(chooser.winner());
  EXPECT_TRUE(chooser.is_measuring());
  EXPECT_FALSE(chooser.time(DrawMethod::sprites));
}

TEST(DrawChooser, AHopelessWayIsTriedBriefly) {
  DrawChooser chooser;
  draw_frames(chooser, typical, 60, fixed(50.0, 0.3));
  ASSERT_EQ(chooser.winner(), DrawMethod::compute);
  // More bodies: the winner goes first, and the other only until it is clear that it loses again.
  DrawLoad more = typical;
  more.bodies *= 8;
  EXPECT_LE(draw_frames(chooser, more, 60, fixed(400.0, 2.0), 1), 4);
  EXPECT_EQ(chooser.winner(), DrawMethod::compute);
}

TEST(DrawChooser, ALargeChangeStartsANewTrialAndASmallOneDoesNot) {
  DrawChooser chooser;
  draw_frames(chooser, typical, 40, fixed(1.0, 2.0));
  DrawLoad other = typical;
  other.sprite_px *= 1.4F;
  chooser.next(other);
  EXPECT_TRUE(chooser.winner());
  for (const DrawLoad& load : {DrawLoad{2 * typical.bodies, typical.sprite_px, typical.pixels},
                               DrawLoad{typical.bodies, 2.0F * typical.sprite_px, typical.pixels},
                               DrawLoad{typical.bodies, typical.sprite_px, typical.pixels / 2}}) {
    draw_frames(chooser, typical, 40, fixed(1.0, 2.0));
    ASSERT_EQ(chooser.winner(), DrawMethod::sprites);
    chooser.next(load);
    EXPECT_FALSE(chooser.winner());
    draw_frames(chooser, load, 40, fixed(2.0, 1.0));
    EXPECT_EQ(chooser.winner(), DrawMethod::compute);
  }
}

TEST(DrawChooser, TimesOfEarlierTrialsAreForgotten) {
  DrawChooser chooser;
  chooser.next(typical);
  const std::uint64_t old = chooser.label();
  DrawLoad other = typical;
  other.bodies *= 4;
  chooser.next(other);
  for (int i = 0; i < 10; ++i) chooser.add(old, 1e-6);
  EXPECT_FALSE(chooser.time(DrawMethod::sprites));
}

TEST(DrawChooser, LargeSpritesGoToTheRasterizer) {
  DrawChooser chooser;
  draw_frames(chooser, typical, 40, fixed(9.0, 1.0));
  ASSERT_EQ(chooser.winner(), DrawMethod::compute);
  DrawLoad large = typical;
  large.sprite_px = DrawChooser::largest_splat_px + 1.0F;
  EXPECT_EQ(chooser.next(large), DrawMethod::sprites);
  EXPECT_FALSE(chooser.is_measuring());
  EXPECT_EQ(chooser.next(typical), DrawMethod::compute);
}

}  // namespace
}  // namespace orrery::render
