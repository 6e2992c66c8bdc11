#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "render/bodies/body_style.h"
#include "render/bodies/color_scale.h"
#include "render/color_maps/color_map.h"
#include "render/color_maps/color_space.h"
#include "render/color_modes/color_mode.h"

namespace orrery::render {
namespace {

constexpr int steps = 256;
float place(int i) { return static_cast<float>(i) / steps; }
/// The inverse of linear_from_oklab.
glm::vec3 oklab_from_linear(glm::vec3 c) {
  const float l = std::cbrt(0.4122214708F * c.r + 0.5363325363F * c.g + 0.0514459929F * c.b);
  const float m = std::cbrt(0.2119034982F * c.r + 0.6806995451F * c.g + 0.1073969566F * c.b);
  const float s = std::cbrt(0.0883024619F * c.r + 0.2817188376F * c.g + 0.6299787005F * c.b);
  return {0.2104542553F * l + 0.7936177850F * m - 0.0040720468F * s,
          1.9779984951F * l - 2.4285922050F * m + 0.4505937099F * s,
          0.0259040371F * l + 0.7827717662F * m - 0.8086757660F * s};
}

float lightness(glm::vec3 linear) { return oklab_from_linear(linear).x; }

TEST(ColorSpace, SrgbMatchesTheStandard) {
  EXPECT_EQ(srgb_encode(0.0F), 0.0F);
  EXPECT_NEAR(srgb_encode(1.0F), 1.0F, 1e-6F);
  EXPECT_NEAR(srgb_encode(0.0031308F), 0.04045F, 1e-5F);
  EXPECT_NEAR(srgb_encode(0.2140411F), 0.5F, 1e-5F);
  for (int i = 0; i <= steps; ++i) EXPECT_NEAR(srgb_decode(srgb_encode(place(i))), place(i), 1e-6F);
}

TEST(ColorSpace, OklabMatchesItsPublishedValues) {
  // Ottosson's table: CIE XYZ (1, 0, 0) has L = 0.450, a = 1.236, b = -0.019; here through linear sRGB.
  const glm::vec3 lab = oklab_from_linear({3.2404542F, -0.9692660F, 0.0556434F});
  EXPECT_NEAR(lab.x, 0.450F, 2e-3F);
  EXPECT_NEAR(lab.y, 1.236F, 2e-3F);
  EXPECT_NEAR(lab.z, -0.019F, 2e-3F);
  EXPECT_NEAR(lightness(glm::vec3(1.0F)), 1.0F, 1e-5F);
  const glm::vec3 color(0.2F, 0.7F, 0.4F);
  EXPECT_LT(glm::length(linear_from_oklab(oklab_from_linear(color)) - color), 1e-5F);
}

TEST(ColorSpace, FitGamutKeepsLightnessAndHue) {
  const glm::vec3 fitted = fit_gamut(0.6F, 0.5F, 140.0F);
  const glm::vec3 lab = oklab_from_linear(fitted);
  EXPECT_NEAR(lab.x, 0.6F, 1e-3F);
  EXPECT_NEAR(std::atan2(lab.z, lab.y) * 57.29578F, 140.0F, 0.2F);
}

TEST(ColorSpace, BlackBodiesRunFromRedOverWhiteToBlue) {
  const glm::vec3 ember = blackbody_color(1500.0F);
  const glm::vec3 white = blackbody_color(6600.0F);
  const glm::vec3 blue = blackbody_color(25000.0F);
  EXPECT_EQ(ember.r, 1.0F);
  EXPECT_LT(ember.b, 0.01F);
  EXPECT_GT(std::min({white.r, white.g, white.b}), 0.88F);
  EXPECT_EQ(blue.b, 1.0F);
  EXPECT_LT(blue.r, 0.5F);
  // The Planckian locus at 4000 K: CIE 1931 x = 0.3805, y = 0.3768 (Wyszecki and Stiles 1982, table 1(3.11)).
  const glm::vec3 c = blackbody_color(4000.0F);
  const float x = 0.4124F * c.r + 0.3576F * c.g + 0.1805F * c.b;
  const float y = luminance(c);
  const float z = 0.0193F * c.r + 0.1192F * c.g + 0.9505F * c.b;
  EXPECT_NEAR(x / (x + y + z), 0.3805F, 0.004F);
  EXPECT_NEAR(y / (x + y + z), 0.3768F, 0.004F);
}

TEST(ColorMap, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  for (const ColorMap* map : color_maps()) {
    EXPECT_TRUE(names.insert(map->name).second) << map->name;
    EXPECT_EQ(find_color_map(map->name), map);
    EXPECT_FALSE(map->meaning.empty());
  }
  EXPECT_EQ(find_color_map("rainbow"), nullptr);
  EXPECT_EQ(color_maps().front()->kind, ColorMap::Kind::sequential);
}

TEST(ColorMap, ColorsAreInsideTheGamutAndContinuous) {
  for (const ColorMap* map : color_maps()) {
    for (int i = 0; i < steps; ++i) {
      const glm::vec3 here = map->evaluate(place(i));
      const glm::vec3 next = map->evaluate(place(i + 1));
      EXPECT_TRUE(glm::all(glm::greaterThanEqual(here, glm::vec3(0.0F)))) << map->name;
      EXPECT_TRUE(glm::all(glm::lessThanEqual(here, glm::vec3(1.0F)))) << map->name;
      EXPECT_LT(glm::length(srgb_encode(next) - srgb_encode(here)), 0.03F) << map->name << " " << i;
    }
  }
}

TEST(ColorMap, EndsAreClampedAndNotANumberIsTheLowEnd) {
  for (const ColorMap* map : color_maps()) {
    EXPECT_EQ(map->evaluate(-3.0F), map->evaluate(0.0F));
    EXPECT_EQ(map->evaluate(7.0F), map->evaluate(1.0F));
    EXPECT_EQ(map->evaluate(std::numeric_limits<float>::quiet_NaN()), map->evaluate(0.0F));
  }
}

bool lightness_rises(const ColorMap& map) {
  for (int i = 0; i < steps; ++i)
    if (lightness(map.evaluate(place(i + 1))) <= lightness(map.evaluate(place(i)))) return false;
  return true;
}

TEST(ColorMap, LightnessRisesInSequentialMapsOnly) {
  for (const ColorMap* map : color_maps())
    if (map->kind != ColorMap::Kind::physical) {
      EXPECT_EQ(lightness_rises(*map), map->kind == ColorMap::Kind::sequential) << map->name;
    }
}

TEST(ColorMap, DefaultMapHasEvenLightnessSteps) {
  const ColorMap& map = *color_maps().front();
  const float step = (lightness(map.evaluate(1.0F)) - lightness(map.evaluate(0.0F))) / steps;
  for (int i = 0; i < steps; ++i) {
    const float here = lightness(map.evaluate(place(i + 1))) - lightness(map.evaluate(place(i)));
    EXPECT_NEAR(here / step, 1.0F, 0.05F) << i;
  }
}

TEST(ColorMap, DivergingMapIsSymmetricInLightnessAndLightestInTheMiddle) {
  const ColorMap& map = *find_color_map("doppler");
  for (int i = 0; i < steps / 2; ++i)
    EXPECT_NEAR(lightness(map.evaluate(place(i))), lightness(map.evaluate(1.0F - place(i))), 2e-3F);
  const glm::vec3 middle = map.evaluate(0.5F);
  EXPECT_GT(lightness(middle), 0.94F);
  EXPECT_GT(map.evaluate(0.0F).b, 4.0F * map.evaluate(0.0F).r);
  EXPECT_GT(map.evaluate(1.0F).r, 4.0F * map.evaluate(1.0F).b);
}

TEST(ColorMap, CyclicMapClosesAtConstantLightness) {
  const ColorMap& map = *find_color_map("hue");
  EXPECT_LT(glm::length(map.evaluate(0.0F) - map.evaluate(1.0F)), 1e-3F);
  for (int i = 0; i <= steps; ++i) EXPECT_NEAR(lightness(map.evaluate(place(i))), 0.75F, 2e-3F);
}

TEST(ColorMap, CubehelixFollowsGreensFormula) {
  // His equation 2 by hand at t = 0.5: angle 150 degrees, amplitude 1/8.
  const glm::vec3 middle = find_color_map("cubehelix")->evaluate_srgb(0.5F);
  EXPECT_NEAR(middle.r, 0.6275F, 1e-3F);
  EXPECT_NEAR(middle.g, 0.4750F, 1e-3F);
  EXPECT_NEAR(middle.b, 0.2864F, 1e-3F);
  // Perceived brightness of NTSC weights rises evenly: the property the paper is about.
  for (int i = 0; i <= steps; ++i) {
    const glm::vec3 shown = find_color_map("cubehelix")->evaluate_srgb(place(i));
    EXPECT_NEAR(0.30F * shown.r + 0.59F * shown.g + 0.11F * shown.b, place(i), 0.02F);
  }
}

// Display values of the published maps at 0, 64/255, 128/255, 192/255 and 1 (matplotlib, CC0).
struct PublishedMap {
  std::string_view name;
  std::array<glm::vec3, 5> colors;
  float error;  // of our fit, of a range of 1
};

TEST(ColorMap, FitsOfPublishedMapsAreAsNearAsTheySay) {
  const std::array maps{PublishedMap{"viridis",
                                     {{{0.2670F, 0.0049F, 0.3294F},
                                       {0.2297F, 0.3224F, 0.5457F},
                                       {0.1276F, 0.5669F, 0.5506F},
                                       {0.3692F, 0.7889F, 0.3829F},
                                       {0.9932F, 0.9062F, 0.1439F}}},
                                     0.004F},
                        PublishedMap{"inferno",
                                     {{{0.0015F, 0.0005F, 0.0139F},
                                       {0.3415F, 0.0623F, 0.4294F},
                                       {0.7357F, 0.2159F, 0.3302F},
                                       {0.9784F, 0.5579F, 0.0349F},
                                       {0.9884F, 0.9984F, 0.6449F}}},
                                     0.013F},
                        PublishedMap{"magma",
                                     {{{0.0015F, 0.0005F, 0.0139F},
                                       {0.3167F, 0.0717F, 0.4854F},
                                       {0.7164F, 0.2150F, 0.4753F},
                                       {0.9867F, 0.5356F, 0.3822F},
                                       {0.9871F, 0.9914F, 0.7495F}}},
                                     0.009F},
                        PublishedMap{"cividis",
                                     {{{0.0000F, 0.1351F, 0.3048F},
                                       {0.2637F, 0.3078F, 0.4228F},
                                       {0.4887F, 0.4853F, 0.4710F},
                                       {0.7365F, 0.6806F, 0.4240F},
                                       {0.9957F, 0.9093F, 0.2178F}}},
                                     0.019F}};
  for (const PublishedMap& known : maps) {
    const std::array<float, 5> places{0.0F, 64.0F / 255.0F, 128.0F / 255.0F, 192.0F / 255.0F, 1.0F};
    for (std::size_t k = 0; k < places.size(); ++k) {
      const glm::vec3 shown = find_color_map(known.name)->evaluate_srgb(places[k]);
      for (glm::length_t channel = 0; channel < 3; ++channel)
        EXPECT_NEAR(shown[channel], known.colors[k][channel], known.error) << known.name << k << channel;
    }
  }
}

TEST(ColorScale, ScalarsOutsideHaveTheirOwnColours) {
  BodyStyle style;
  style.color_map = "gray";
  style.range_min = 1.0F;
  style.range_max = 3.0F;
  const ColorMode& speed = *find_color_mode("speed");
  const glm::vec3 low(0.0F), high(1.0F), red(1, 0, 0), green(0, 1, 0), blue(0, 0, 1);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto color = [&](float value) { return ColorScale(style, speed).color(value); };
  EXPECT_LT(glm::length(color(0.0F) - low) + glm::length(color(4.0F) - high) + glm::length(color(nan) - low),
            1e-5F);
  style.outside = {glm::vec4(red, 1), glm::vec4(green, 1), glm::vec4(blue, 1)};
  EXPECT_EQ(color(0.99F), red);
  EXPECT_EQ(color(3.01F), green);
  EXPECT_EQ(color(std::numeric_limits<float>::infinity()), green);
  EXPECT_EQ(color(nan), blue);
  EXPECT_LT(glm::length(color(1.0F) - low) + glm::length(color(3.0F) - high), 1e-5F) << "ends are inside";
  style.reversed = true;
  EXPECT_EQ(color(0.99F), red) << "below stays below";
  EXPECT_LT(glm::length(color(1.0F) - high), 1e-5F);
  style.log_range = true;
  EXPECT_EQ(color(-5.0F), red);
}

TEST(ColorMode, NamesAreUniqueAndMapsExist) {
  std::set<std::string_view> names;
  for (const ColorMode* mode : color_modes()) {
    EXPECT_TRUE(names.insert(mode->name).second) << mode->name;
    EXPECT_EQ(find_color_mode(mode->name), mode);
    EXPECT_FALSE(mode->meaning.empty());
    EXPECT_FALSE(mode->quantity.empty());
    EXPECT_EQ(find_color_map(mode->default_map) == nullptr, mode->categorical) << mode->name;
  }
  EXPECT_EQ(find_color_mode("taste"), nullptr);
}

/// 6: the old stars of a disk, whose light is another, and whose age is not known better than the disk's.
TEST(ColorMode, OldStarsOfADiskHaveItsAge) {
  const auto& age = *find_color_mode("age");
  EXPECT_EQ(age.scalar({.component = 2}), 2.0F);
  EXPECT_EQ(age.scalar({.component = 6}), 2.0F);
}

TEST(ColorMode, ColoursOfTheFileAreTurnedIntoLinearLight) {
  const auto white = linear_from_packed(16777215.0F);
  ASSERT_TRUE(white);
  EXPECT_EQ(*white, glm::vec3(1.0F));
  const auto color = linear_from_packed(static_cast<float>(0xff8000));
  ASSERT_TRUE(color);
  EXPECT_EQ(color->r, 1.0F);
  EXPECT_NEAR(color->g, 0.2159F, 1e-4F);
  EXPECT_EQ(color->b, 0.0F);
  for (const float none : {-1.0F, 16777216.0F, std::numeric_limits<float>::quiet_NaN()})
    EXPECT_FALSE(linear_from_packed(none)) << none;
}

TEST(ColorMode, ScalarsAreWhatTheirNamesSay) {
  const BodySample body{{3, 4, 0}, 0.5F, {0, 0, -2}, 1, 2, 7, -1.5F, 4.0F, {0, 0, -1}};
  EXPECT_EQ(find_color_mode("radius")->scalar(body), 5.0F);
  EXPECT_EQ(find_color_mode("speed")->scalar(body), 2.0F);
  EXPECT_EQ(find_color_mode("mass")->scalar(body), 0.5F);
  EXPECT_EQ(find_color_mode("component")->scalar(body), 1.0F);
  EXPECT_EQ(find_color_mode("id")->scalar(body), 7.0F);
  EXPECT_EQ(find_color_mode("charge")->scalar(body), -1.5F);
  EXPECT_EQ(find_color_mode("density")->scalar(body), -1.5F);
  EXPECT_EQ(find_color_mode("acceleration")->scalar(body), 4.0F);
  // Receding bodies, which move the way the camera looks, are positive.
  EXPECT_EQ(find_color_mode("line-of-sight")->scalar(body), 2.0F);
}

TEST(PercentileRange, InterpolatesBetweenOrderStatistics) {
  std::vector<float> values;
  for (int i = 100; i >= 0; --i) values.push_back(static_cast<float>(i));
  EXPECT_EQ(percentile_range(values, 0.02, 0.98), std::pair(2.0F, 98.0F));
  EXPECT_EQ(percentile_range(values, 0.0, 1.0), std::pair(0.0F, 100.0F));
  EXPECT_EQ(percentile_range(std::vector<float>{1.0F, 2.0F}, 0.25, 0.5), std::pair(1.25F, 1.5F));
}

TEST(PercentileRange, IgnoresWhatIsNotFinite) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> values{infinity, 3.0F, std::nanf(""), -infinity, 3.0F};
  EXPECT_EQ(percentile_range(values), std::pair(3.0F, 3.0F));
  EXPECT_EQ(percentile_range({}), std::pair(0.0F, 1.0F));
  EXPECT_EQ(percentile_range(std::vector<float>{infinity}), std::pair(0.0F, 1.0F));
}

TEST(PercentileRange, FewExtremeBodiesDoNotDecide) {
  std::mt19937_64 random(7);
  std::vector<float> values(10000);
  for (float& value : values) value = static_cast<float>(random() >> 40) * 0x1p-24F;
  for (std::size_t i = 0; i < 100; ++i) values[97 * i] = 1e30F;
  const auto [low, high] = percentile_range(values);
  EXPECT_NEAR(low, 0.02F, 0.005F);
  EXPECT_LT(high, 1.0F);
}

}  // namespace
}  // namespace orrery::render
