#include "render/light/light_meter.h"

#include <chrono>
#include <cmath>
#include <numeric>
#include <random>
#include <thread>

#include "render/context/shader_constants.h"
#include "tests/render/gl_test.h"

namespace orrery::render::test {
namespace {

class LightMeterTest : public GlTest {
 protected:
  /// Light of many magnitudes, with dark pixels and some that are not numbers.
  static std::vector<glm::vec4> some_light(glm::ivec2 size) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> stops(-30.0F, 30.0F);
    std::vector<glm::vec4> pixels(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y));
    for (std::size_t i = 0; i < pixels.size(); ++i)
      pixels[i] =
          i % 7 == 0 ? glm::vec4(0.0F) : glm::vec4(std::exp2(stops(random)) * glm::vec3(1, 0.5F, 2), 1);
    pixels[1] = glm::vec4(std::nanf(""));
    return pixels;
  }
  static void fill(Accumulation& light, glm::ivec2 size, const std::vector<glm::vec4>& pixels) {
    light.resize(size);
    light.begin();
    glTextureSubImage2D(light.texture(), 0, 0, 0, size.x, size.y, GL_RGBA, GL_FLOAT, pixels.data());
  }
};

TEST_F(LightMeterTest, CountsEveryPixelInItsBin) {
  const glm::ivec2 size{173, 91};
  const auto pixels = some_light(size);
  std::vector<std::int64_t> expected(static_cast<std::size_t>(shared::meter_bins));
  for (const auto& p : pixels) {
    const float intensity = (p.r + p.g + p.b) / 3.0F;
    if (!(intensity > 0.0F)) continue;
    const float bin = (std::log2(intensity) - shared::meter_lowest) * shared::meter_bins_per_stop;
    ++expected.at(static_cast<std::size_t>(bin));
  }
  Accumulation light;
  fill(light, size, pixels);
  LightMeter meter;
  const auto counted = meter.measure(light);
  // A logarithm may fall to the other side of an edge.
  std::int64_t moved = 0;
  std::int64_t sum = 0;
  for (std::size_t bin = 0; bin < expected.size(); ++bin) {
    sum += std::int64_t{counted[bin]} - expected[bin];
    moved += std::abs(std::int64_t{counted[bin]} - expected[bin]);
  }
  // One more or less: light of which a GPU takes nothing for something, or the other way round.
  EXPECT_LE(std::abs(sum), 1);
  EXPECT_LE(moved, 20);
  EXPECT_EQ(meter.measure(light), counted) << "the same light, the same numbers";
}

TEST_F(LightMeterTest, ComesLateWithoutWaiting) {
  const glm::ivec2 size{64, 64};
  Accumulation light;
  fill(light, size, some_light(size));
  LightMeter meter;
  EXPECT_TRUE(meter.take().empty());
  EXPECT_TRUE(meter.start(light));
  EXPECT_TRUE(meter.busy());
  EXPECT_FALSE(meter.start(light)) << "one at a time";
  std::span<const std::uint32_t> answer;
  for (int k = 0; k < 1000 && answer.empty(); ++k) {
    answer = meter.take();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_FALSE(answer.empty());
  EXPECT_FALSE(meter.busy());
  const auto exact = meter.measure(light);
  EXPECT_TRUE(std::equal(answer.begin(), answer.end(), exact.begin(), exact.end()));
  EXPECT_TRUE(meter.start(light, 4));
}

TEST_F(LightMeterTest, AStrideLooksAtFewerPixels) {
  const glm::ivec2 size{65, 33};
  Accumulation light;
  fill(light, size, std::vector<glm::vec4>(65 * 33, glm::vec4(1.0F)));
  LightMeter meter;
  ASSERT_TRUE(meter.start(light, 2));
  std::span<const std::uint32_t> answer;
  for (int k = 0; k < 1000 && answer.empty(); ++k) {
    answer = meter.take();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(std::accumulate(answer.begin(), answer.end(), 0U), 33U * 17U);
}

}  // namespace
}  // namespace orrery::render::test
