#include <malloc.h>

#include <array>
#include <chrono>
#include <cmath>
#include <string>
#include <thread>

#include "render/context/shader_program.h"
#include "render/context/target.h"
#include "tests/render/gl_test.h"
#include "tests/render/upload.h"

namespace orrery::render::test {
namespace {

class GlObjectsTest : public GlTest {};

TEST_F(GlObjectsTest, ContextIsDescribed) {
  EXPECT_FALSE(context()->description().empty());
  const GlInfo info = gl_info();
  EXPECT_FALSE(info.renderer.empty());
  EXPECT_GE(info.max_point_size, 1.0F);
  EXPECT_EQ(info.software, info.renderer.find("llvmpipe") != std::string::npos);
}

TEST_F(GlObjectsTest, SecondContextDoesNotDisturbTheFirst) {
  { HeadlessContext other; }
  context()->make_current();
  EXPECT_NO_THROW(PictureTarget({4, 4}));
}

TEST_F(GlObjectsTest, ContextMovesToAnotherThread) {
  context()->release_current();
  std::thread([&] {
    context()->make_current();
    EXPECT_FALSE(gl_info().renderer.empty());
    context()->release_current();
  }).join();
  context()->make_current();
}

TEST_F(GlObjectsTest, WrongCallsAreReported) {
  glBindFramebuffer(GL_FRAMEBUFFER, 123456);
  EXPECT_THROW(check_gl("binding a framebuffer"), Error);
  EXPECT_NO_THROW(check_gl("nothing"));
  EXPECT_FALSE(take_debug_messages().empty());
  EXPECT_TRUE(take_debug_messages().empty());
}

TEST_F(GlObjectsTest, BrokenShaderIsRefusedByNameInOneLine) {
  try {
    const ShaderProgram program({.name = "sparkle",
                                 .vertex = {"void main() { gl_Position = vec4(0); }\n"},
                                 .fragment = {"void main() { nonsense }\n"}});
    FAIL() << "a broken shader was accepted";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("sparkle"), std::string::npos);
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
  take_debug_messages();
}

TEST_F(GlObjectsTest, NewBuffersHoldZeros) {
  for (const auto storage : {BodyBuffers::Storage::host_ring, BodyBuffers::Storage::device}) {
    const BodyBuffers buffers(100, storage);
    std::vector<float> values(400, 7.0F);
    glGetNamedBufferSubData(buffers.position_buffer(0), 0, 1600, values.data());
    EXPECT_EQ(values, std::vector<float>(400, 0.0F));
  }
}

TEST_F(GlObjectsTest, LightIsEmptiedByBothStages) {
  for (const auto stage : {PixelStage::fragment, PixelStage::compute}) {
    Accumulation light(stage);
    light.resize({37, 21});
    const glm::vec4 bright(3.0F);
    glClearTexImage(light.texture(), 0, GL_RGBA, GL_FLOAT, &bright);
    EXPECT_EQ(light.read(), std::vector<float>(4UL * 37 * 21, 3.0F));
    light.begin();
    EXPECT_EQ(light.read(), std::vector<float>(4UL * 37 * 21, 0.0F));
  }
}

TEST_F(GlObjectsTest, WaitingForDrawingEnds) { EXPECT_TRUE(wait_until_drawn(std::chrono::seconds(30))); }

TEST_F(GlObjectsTest, ValuesWrittenThroughTheMappingAreDrawn) {
  BodyBuffers ring(2, BodyBuffers::Storage::host_ring);
  ring.set_static(std::vector<std::uint8_t>{4, 4}, std::vector<std::uint32_t>{0, 0});
  ASSERT_EQ(ring.slots(), 3);
  Accumulation light;
  light.resize({64, 64});
  BodyRenderer renderer;
  Camera camera;
  for (int slot = 0; slot < ring.slots(); ++slot) {
    const float x = 0.1F * static_cast<float>(slot - 1);
    std::thread([&] {
      const float values[8] = {x, 0, 0, 1, x, 0, 0, 1};
      std::copy(values, values + 8, ring.mapped_position(slot));
    }).join();
    light.begin();
    renderer.draw(ring, slot, {camera.view(), camera.projection(1.0F), {64, 64}}, plain_style());
    const Photograph picture{{64, 64}, light.read()};
    EXPECT_NEAR(picture.light(), 2.0, 0.01);
    EXPECT_NEAR(picture.center().x, 32.0 + 32.0 * static_cast<double>(x) / std::tan(0.3926991), 0.05);
  }
}

TEST_F(GlObjectsTest, DrawnSlotBecomesIdleAgain) {
  BodyBuffers ring(1000, BodyBuffers::Storage::host_ring);
  EXPECT_TRUE(ring.is_idle(0));
  Accumulation light;
  light.resize({256, 256});
  light.begin();
  BodyRenderer renderer;
  const Camera camera;
  renderer.draw(ring, 0, {camera.view(), camera.projection(1.0F), {256, 256}}, BodyStyle());
  ring.mark_drawn(0);
  ring.mark_drawn(0);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!ring.is_idle(0) && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  EXPECT_TRUE(ring.is_idle(0));
  EXPECT_TRUE(ring.is_idle(1));
}

TEST_F(GlObjectsTest, WrongLengthsAndSlotsAreRefused) {
  BodyBuffers buffers(2, BodyBuffers::Storage::device);
  EXPECT_EQ(buffers.slots(), 1);
  EXPECT_EQ(buffers.mapped_position(0), nullptr);
  EXPECT_THROW(upload_position(buffers, 0, std::vector<float>(7)), Error);
  EXPECT_THROW(upload_velocity(buffers, 1, std::vector<float>(8)), Error);
  EXPECT_THROW(buffers.set_static(std::vector<std::uint8_t>(2), std::vector<std::uint32_t>(3)), Error);
  EXPECT_THROW(buffers.is_idle(-1), Error);
  EXPECT_THROW(BodyBuffers(0, BodyBuffers::Storage::device), Error);
}

TEST_F(GlObjectsTest, PictureHasItsOwnSizeTopRowFirst) {
  glViewport(0, 0, 11, 13);
  const PictureTarget target({300, 200});
  const GLfloat blue[4] = {0, 0, 1, 1};
  const GLfloat red[4] = {1, 0, 0, 1};
  glClearNamedFramebufferfv(target.framebuffer(), GL_COLOR, 0, blue);
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer());
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 0, 300, 1);
  glClearBufferfv(GL_COLOR, 0, red);
  glDisable(GL_SCISSOR_TEST);
  const Image image = target.read();
  EXPECT_EQ(image.width, 300);
  EXPECT_EQ(image.height, 200);
  ASSERT_EQ(image.rgba.size(), 300U * 200U * 4U);
  EXPECT_EQ(image.rgba[2], 255);
  EXPECT_EQ(image.rgba[300U * 199U * 4U], 255);
}

TEST_F(GlObjectsTest, PicturesBeyondTheLimitsAreRefusedWithTheLimit) {
  GLint limit = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
  try {
    const PictureTarget target({limit + 1, 10});
    FAIL() << "a picture above the limit was made";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(std::to_string(limit)), std::string::npos) << error.what();
  }
  EXPECT_THROW(PictureTarget({10, limit + 1}), Error);
  EXPECT_THROW(PictureTarget({0, 10}), Error);
  Accumulation light;
  EXPECT_THROW(light.resize({10, -1}), Error);
  light.resize({8, 8});
  EXPECT_THROW(light.resize({limit + 1, 8}), Error);
  EXPECT_EQ(light.size(), glm::ivec2(8, 8));
}

std::size_t allocated() {
  const auto now = mallinfo2();
  return now.uordblks + now.hblkhd;
}

/// More pictures than are drawn at the same time need several lists of commands, and all but the first few
/// are not used again.
TEST_F(GlObjectsTest, DeletedTexturesDoNotStayInMemory) {
  if (!gl_info().software) GTEST_SKIP() << "a GPU draws: its memory is not the program's";
  free_deleted_textures();
  const auto before = allocated();
  {
    const PictureTarget large({2048, 2048});
    for (int k = 0; k < 8; ++k) {
      clear_to(large.framebuffer(), glm::vec4(1.0F));
      glFlush();
    }
  }
  free_deleted_textures();
  // The texture has 16 MiB; the second call may have made more lists, which take 4 MiB in all.
  EXPECT_LT(allocated(), before + (10U << 20U));
}

}  // namespace
}  // namespace orrery::render::test
