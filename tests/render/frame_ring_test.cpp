#include "render/context/frame_ring.h"

#include <chrono>
#include <thread>

#include "gl_test.h"

namespace orrery::render::test {
namespace {

using FrameRingTest = GlTest;

constexpr glm::ivec2 size{37, 21};

/// All of one colour, but for the lower left pixel, which is white.
void paint(const PictureTarget& picture, int shade) {
  const float level = static_cast<float>(shade) / 255.0F;
  draw_into(picture.framebuffer());
  glViewport(0, 0, size.x, size.y);
  glClearColor(level, 0.5F, 0.0F, 1.0F);
  glClear(GL_COLOR_BUFFER_BIT);
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 0, 1, 1);
  glClearColor(1.0F, 1.0F, 1.0F, 1.0F);
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_SCISSOR_TEST);
}

ArrivedFrame wait_for(FrameRing& ring) {
  for (;;) {
    if (const auto frame = ring.take()) return *frame;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

int red_of(const ArrivedFrame& frame, std::size_t pixel) {
  return std::to_integer<int>(frame.rgba[4 * pixel]);
}

TEST_F(FrameRingTest, FramesArriveWholeInTheirOrderWhateverIsDrawnNext) {
  const PictureTarget picture(size);
  FrameRing ring(size);
  for (int shade = 0; shade < 200; shade += FrameRing::slots) {
    for (int i = 0; i < FrameRing::slots; ++i) {
      ASSERT_TRUE(ring.has_room());
      paint(picture, shade + i);
      ring.start(picture);
    }
    EXPECT_FALSE(ring.has_room());
    for (int i = 0; i < FrameRing::slots; ++i) {
      const auto frame = wait_for(ring);
      ASSERT_EQ(frame.rgba.size(), std::size_t{4} * size.x * size.y);
      EXPECT_EQ(red_of(frame, 0), 255) << "the bottom row comes first";
      EXPECT_EQ(red_of(frame, 1), shade + i);
      EXPECT_EQ(red_of(frame, frame.rgba.size() / 4 - 1), shade + i);
      ring.give_back(frame.slot);
    }
    EXPECT_FALSE(ring.is_waiting());
  }
}

/// A slot that another thread still reads is not written.
TEST_F(FrameRingTest, AFrameStaysUntilItIsGivenBack) {
  const PictureTarget picture(size);
  FrameRing ring(size);
  paint(picture, 10);
  ring.start(picture);
  const auto kept = wait_for(ring);
  for (int shade = 20; shade < 40; ++shade) {
    paint(picture, shade);
    ring.start(picture);
    const auto frame = wait_for(ring);
    EXPECT_NE(frame.slot, kept.slot);
    ring.give_back(frame.slot);
  }
  EXPECT_EQ(red_of(kept, 1), 10);
}

}  // namespace
}  // namespace orrery::render::test
