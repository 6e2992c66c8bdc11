#include "render/light/tone_mapper.h"

#include <cmath>
#include <functional>
#include <limits>

#include "render/color_maps/color_space.h"
#include "render/context/target.h"
#include "tests/render/gl_test.h"

namespace orrery::render::test {
namespace {

using Curve = ToneStyle::Curve;

/// Over both ways to run a pass.
class ToneMapperTest : public GlTest, public testing::WithParamInterface<PixelStage> {
 protected:
  /// Light that is `value(x)` in column x, of a colour, through the tone mapper.
  Image develop(int width, int height, const std::function<glm::vec3(int)>& value, const ToneStyle& style) {
    Accumulation light;
    light.resize({width, height});
    light.begin();
    std::vector<glm::vec4> pixels;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) pixels.emplace_back(value(x), 1.0F);
    glTextureSubImage2D(light.texture(), 0, 0, 0, width, height, GL_RGBA, GL_FLOAT, pixels.data());
    const PictureTarget target({width, height});
    ToneMapper mapper(GetParam());
    mapper.draw(light, target, style);
    return target.read();
  }

  static ToneStyle style_of(Curve curve) {
    ToneStyle style;
    style.curve = curve;
    style.dither = false;
    style.glow = 0.0F;
    return style;
  }
};

/// Of grey light: the stretch, the knee, and brightness into light.
float asinh_curve(float x, float softening) {
  constexpr float knee = 0.75F;
  const float bright = std::asinh(softening * x) / std::asinh(softening);
  const float held =
      bright <= knee ? bright : 1.0F - (1.0F - knee) * std::exp((knee - bright) / (1.0F - knee));
  return std::pow(held, 2.2F);
}

/// The linear display value of grey light x >= 0, white to white.
float tone_curve(Curve curve, float x) {
  switch (curve) {
    case Curve::exponential:
      return -std::expm1(-x);
    case Curve::aces:
      return std::min(x * (2.51F * x + 0.03F) / (x * (2.43F * x + 0.59F) + 0.14F), 1.0F);
    case Curve::linear:
      return std::min(x, 1.0F);
    case Curve::asinh:
      return asinh_curve(x, ToneStyle().softening);
  }
  return 0.0F;
}

/// The bytes of rows [first, last).
std::vector<std::uint8_t> row_range(const Image& image, int first, int last) {
  const auto row = static_cast<std::ptrdiff_t>(image.width) * 4;
  return {image.rgba.begin() + first * row, image.rgba.begin() + last * row};
}

TEST_P(ToneMapperTest, SrgbIsExactToHalfAStep) {
  constexpr int width = 4096;
  const auto ramp = [](int x) { return glm::vec3(static_cast<float>(x) / (width - 1)); };
  const Image image = develop(width, 1, ramp, style_of(Curve::linear));
  for (std::size_t x = 0; x < width; ++x) {
    const double exact = 255.0 * static_cast<double>(srgb_encode(ramp(static_cast<int>(x)).r));
    EXPECT_NEAR(image.rgba[4 * x], exact, 0.51) << x;
    EXPECT_EQ(image.rgba[4 * x + 3], 255);
  }
}

TEST_P(ToneMapperTest, CurvesAgreeWithTheProcessorAndRise) {
  constexpr int width = 1024;
  const auto ramp = [](int x) { return glm::vec3(std::exp2(static_cast<float>(x) / 64.0F - 11.0F)); };
  for (std::size_t i = 0; i < tone_curve_count; ++i) {
    const auto curve = static_cast<Curve>(i);
    const Image image = develop(width, 1, ramp, style_of(curve));
    for (std::size_t x = 0; x < width; ++x) {
      const float shown = tone_curve(curve, ramp(static_cast<int>(x)).r);
      EXPECT_NEAR(image.rgba[4 * x], 255.0 * static_cast<double>(srgb_encode(shown)), 0.6)
          << tone_curve_name(curve);
      if (x > 0) {
        EXPECT_GE(image.rgba[4 * x], image.rgba[4 * (x - 1)]) << tone_curve_name(curve);
      }
    }
  }
}

TEST_P(ToneMapperTest, ExposureIsInStops) {
  ToneStyle style = style_of(Curve::linear);
  style.exposure_stops = -3.0F;
  const Image image = develop(
      1, 1, [](int) { return glm::vec3(4.0F); }, style);
  EXPECT_NEAR(image.rgba[0], 255.0F * srgb_encode(0.5F), 0.51);
}

TEST_P(ToneMapperTest, DitherKeepsTheMean) {
  ToneStyle style = style_of(Curve::linear);
  style.dither = true;
  for (const float wanted : {0.0F, 0.3F, 1.25F, 20.5F, 100.9F, 254.6F, 255.0F}) {
    const auto gray = [&](int) { return glm::vec3(srgb_decode(wanted / 255.0F)); };
    const Image image = develop(256, 256, gray, style);
    double sum = 0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) sum += image.rgba[i];
    EXPECT_NEAR(sum / (256.0 * 256.0), static_cast<double>(wanted), 0.02) << wanted;
  }
}

TEST_P(ToneMapperTest, BackgroundIsShownExactlyAndLightAddsToIt) {
  ToneStyle style = style_of(Curve::exponential);
  style.background = {0.02F, 0.05F, 0.1F};
  const Image image = develop(
      2, 1, [](int x) { return glm::vec3(static_cast<float>(x)); }, style);
  for (int channel = 0; channel < 3; ++channel) {
    EXPECT_NEAR(image.rgba[static_cast<std::size_t>(channel)],
                255.0F * srgb_encode(style.background[channel]), 0.51);
    EXPECT_GT(image.rgba[static_cast<std::size_t>(4 + channel)],
              image.rgba[static_cast<std::size_t>(channel)]);
  }
}

TEST_P(ToneMapperTest, TransparentPictureOverBlackLooksTheSame) {
  constexpr int width = 256;
  const auto ramp = [](int x) { return static_cast<float>(x) / 128.0F * glm::vec3(1.0F, 0.4F, 0.1F); };
  ToneStyle style = style_of(Curve::exponential);
  const Image opaque = develop(width, 1, ramp, style);
  style.transparent = true;
  const Image clear = develop(width, 1, ramp, style);
  EXPECT_EQ(clear.rgba[3], 0);
  for (std::size_t i = 0; i < opaque.rgba.size(); ++i) {
    if (i % 4 == 3) continue;
    const double over_black = clear.rgba[i] * (clear.rgba[i / 4 * 4 + 3] / 255.0);
    EXPECT_NEAR(over_black, opaque.rgba[i], 1.01) << i;
  }
}

TEST_P(ToneMapperTest, NotANumberAndInfinityStayInTheirPixels) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto light = [](int x) {
    return glm::vec3(x == 0 ? std::numeric_limits<float>::quiet_NaN() : x == 1 ? infinity : 0.5F);
  };
  for (std::size_t i = 0; i < tone_curve_count; ++i) {
    const Image image = develop(3, 1, light, style_of(static_cast<Curve>(i)));
    EXPECT_EQ(image.rgba[4], 255) << i;
    EXPECT_NEAR(image.rgba[8], 255.0F * srgb_encode(tone_curve(static_cast<Curve>(i), 0.5F)), 0.6) << i;
  }
}

/// The sum of the linear red light of a picture.
double shown_light(const Image& image) {
  double sum = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4)
    sum += static_cast<double>(srgb_decode(static_cast<float>(image.rgba[i]) / 255.0F));
  return sum;
}

TEST_P(ToneMapperTest, GlowSpreadsLightAndKeepsItsSum) {
  constexpr int size = 256;
  const auto stripe = [](int x) { return glm::vec3(x >= 124 && x < 132 ? 0.8F : 0.0F); };
  ToneStyle style = style_of(Curve::linear);
  const Image sharp = develop(size, size, stripe, style);
  style.glow = 0.5F;
  const Image glowing = develop(size, size, stripe, style);
  const std::size_t middle_row = size / 2 * size;
  EXPECT_EQ(sharp.rgba[4 * (middle_row + 118)], 0);
  EXPECT_GT(glowing.rgba[4 * (middle_row + 118)], 5);
  EXPECT_EQ(glowing.rgba[4 * (middle_row + 20)], 0);
  // Away from the upper and lower edges, through which light leaves the picture.
  EXPECT_NEAR(shown_light({size, 64, row_range(glowing, 96, 160)}) /
                  shown_light({size, 64, row_range(sharp, 96, 160)}),
              1.0, 0.01);
}

TEST_P(ToneMapperTest, GlowLooksTheSameAtAnyResolution) {
  ToneStyle style = style_of(Curve::linear);
  style.glow = 1.0F;
  const Image small = develop(
      180, 180, [](int x) { return glm::vec3(x < 90 ? 0.5F : 0.0F); }, style);
  const Image large = develop(
      720, 720, [](int x) { return glm::vec3(x < 360 ? 0.5F : 0.0F); }, style);
  for (std::size_t x = 60; x < 120; ++x)
    EXPECT_NEAR(small.rgba[4 * (90 * 180 + x)], large.rgba[4 * (360 * 720 + 4 * x + 2)], 5) << x;
}

TEST_P(ToneMapperTest, NothingIsAllocatedWhileTheSizeStays) {
  Accumulation light;
  light.resize({64, 48});
  light.begin();
  const PictureTarget target({64, 48});
  ToneMapper mapper(GetParam());
  mapper.draw(light, target, ToneStyle());
  const Texture probe = make_texture(GL_TEXTURE_2D);
  for (int frame = 0; frame < 5; ++frame) mapper.draw(light, target, ToneStyle());
  // Names are given out in order: the next one follows at once if nothing was made in between.
  EXPECT_EQ(make_texture(GL_TEXTURE_2D).name(), probe.name() + 1);
}

TEST_P(ToneMapperTest, AsinhKeepsTheHueAndMuchOfItInTheBrightestCores) {
  const glm::vec3 color(0.8F, 0.4F, 0.1F);
  const Image image = develop(
      2, 1, [&](int x) { return color * (x == 0 ? 0.02F : 100.0F); }, style_of(Curve::asinh));
  const auto part_of_red = [&](std::size_t x, std::size_t channel) {
    return srgb_decode(image.rgba[4 * x + channel] / 255.0F) / srgb_decode(image.rgba[4 * x] / 255.0F);
  };
  EXPECT_NEAR(part_of_red(0, 1), 0.5F, 0.02F);
  EXPECT_NEAR(part_of_red(0, 2), 0.125F, 0.02F);
  EXPECT_GT(image.rgba[4], 250);
  EXPECT_LT(part_of_red(1, 1), 0.75F);
  EXPECT_LT(part_of_red(1, 2), 0.55F);
}

TEST_P(ToneMapperTest, PaperTurnsBrightnessIntoInk) {
  constexpr int width = 64;
  const glm::vec3 color(1.0F, 0.6F, 0.2F);
  const auto ramp = [&](int x) { return color * (static_cast<float>(x) / (width - 1)); };
  ToneStyle style = style_of(Curve::linear);
  const Image screen = develop(width, 1, ramp, style);
  style.paper = true;
  const Image print = develop(width, 1, ramp, style);
  EXPECT_EQ(print.rgba[0], 255);
  EXPECT_EQ(print.rgba[2], 255);
  for (std::size_t x = 0; x < width; ++x) {
    const auto* light = &screen.rgba[4 * x];
    const auto ink = inked(glm::vec3(light[0], light[1], light[2]) / 255.0F);
    for (int channel = 0; channel < 3; ++channel)
      EXPECT_NEAR(print.rgba[4 * x + static_cast<std::size_t>(channel)], 255.0F * ink[channel], 3.0) << x;
    if (x > 0) {
      EXPECT_LE(print.rgba[4 * x], print.rgba[4 * x - 4]) << "darker where brighter";
    }
  }
  const auto* darkest = &print.rgba[4 * (width - 1)];
  EXPECT_GT(darkest[0], darkest[2]) << "its hue stays";
  EXPECT_LT(darkest[0], 170);
}

TEST_P(ToneMapperTest, GlowIsAsWideAsAsked) {
  constexpr int size = 180;
  const auto line = [](int x) { return glm::vec3(x == 90 || x == 91 ? 4.0F : 0.0F); };
  ToneStyle style = style_of(Curve::linear);
  style.glow = 1.0F;
  const auto width_of = [&](float width) {
    style.glow_width = width;
    const auto image = develop(size, size, line, style);
    double sum = 0.0;
    double square = 0.0;
    for (std::size_t x = 0; x < size; ++x) {
      const double light = static_cast<double>(srgb_decode(image.rgba[4 * (90 * size + x)] / 255.0F));
      const double away = static_cast<double>(x) - 90.5;
      sum += light;
      square += light * away * away;
    }
    return std::sqrt(square / sum) / size;
  };
  EXPECT_NEAR(width_of(widest_glow), widest_glow, 0.1 * widest_glow);
  EXPECT_NEAR(width_of(1.4F / 90.0F), 1.4 / 90.0, 0.15 * 1.4 / 90.0);
  EXPECT_NEAR(width_of(1.0F), widest_glow, 0.1 * widest_glow) << "no wider than that";
}

INSTANTIATE_TEST_SUITE_P(Stages, ToneMapperTest, testing::Values(PixelStage::fragment, PixelStage::compute),
                         [](const auto& stage) {
                           return std::string(stage.param == PixelStage::compute ? "compute" : "fragment");
                         });

}  // namespace
}  // namespace orrery::render::test
