#include <array>
#include <cmath>
#include <optional>

#include "render/bodies/body_drawer.h"
#include "render/bodies/body_look.h"
#include "render/context/shader_constants.h"
#include "render/effects/dust.h"
#include "render/effects/spikes.h"
#include "tests/render/gl_test.h"
#include "tests/render/synthetic_galaxy.h"

namespace orrery::render::test {
namespace {

/// Images that go through nested levels.
class WideImagesTest : public GlTest {
 protected:
  static Photograph draw(const BodyBuffers& buffers, const BodyStyle& style, Splatting splatting,
                         glm::ivec2 size = {320, 240}, double distance = 14.0) {
    BodyDrawer drawer;
    return draw_by(drawer, buffers, style, oblique(distance), size, splatting);
  }

  static Camera oblique(double distance) {
    Camera camera;
    camera.look(Camera::Preset::oblique);
    camera.distance = distance;
    return camera;
  }

  static Photograph draw_by(BodyDrawer& drawer, const BodyBuffers& buffers, const BodyStyle& style,
                            const Camera& camera, glm::ivec2 size = {320, 240},
                            Splatting splatting = Splatting::raster) {
    Accumulation light;
    light.resize(size);
    light.begin();
    const float aspect = static_cast<float>(size.x) / static_cast<float>(size.y);
    drawer.draw(buffers, 0, {camera.view(), camera.projection(aspect), light.size()}, light, style,
                splatting);
    return {size, light.read()};
  }

  static std::unique_ptr<BodyBuffers> galaxy(std::size_t bodies,
                                             BodyBuffers::Storage storage = BodyBuffers::Storage::device) {
    auto buffers = std::make_unique<BodyBuffers>(bodies, storage);
    SyntheticGalaxy(bodies).upload_to(*buffers);
    return buffers;
  }

  /// So many bodies at one place: one image, of their number as light.
  static std::unique_ptr<BodyBuffers> crowd_at(glm::vec3 place, int count) {
    BodyList list;
    for (int i = 0; i < count; ++i) list.add(place);
    auto buffers =
        std::make_unique<BodyBuffers>(static_cast<std::size_t>(count), BodyBuffers::Storage::device);
    list.upload_to(*buffers);
    return buffers;
  }
};

float brightest(const Photograph& picture) {
  float peak = 0.0F;
  for (std::size_t i = 3; i < picture.pixels.size(); i += 4) peak = std::max(peak, picture.pixels[i]);
  return peak;
}

/// Of the light in red and green.
double red_part(const Photograph& picture) {
  double red = 0, green = 0;
  for (std::size_t i = 0; i < picture.pixels.size(); i += 4) {
    red += static_cast<double>(picture.pixels[i]);
    green += static_cast<double>(picture.pixels[i + 1]);
  }
  return red / (red + green);
}

struct Comparison {
  float peak;   ///< of the first one
  float worst;  ///< difference of a pixel
};

Comparison compare(const Photograph& a, const Photograph& b) {
  Comparison found{brightest(a), 0.0F};
  for (std::size_t i = 3; i < a.pixels.size(); i += 4)
    found.worst = std::max(found.worst, std::abs(a.pixels[i] - b.pixels[i]));
  return found;
}

constexpr std::array both{Splatting::raster, Splatting::compute};
constexpr double one_in_thousand = 1e-3;

TEST_F(WideImagesTest, KeepTheLightOfSpritesOfAnySize) {
  const auto bodies = crowd_at({0.1F, -0.2F, 0.0F}, 1000);
  for (const auto way : both) {
    for (const float size : {1.0F, 4.4F, 4.6F, 6.0F, 9.0F, 9.2F, 15.0F, 30.0F, 48.0F}) {
      BodyStyle style = plain_style();
      style.size_px = size;
      EXPECT_NEAR(draw(*bodies, style, way).light() / 1000.0, 1.0, one_in_thousand) << size;
    }
  }
}

TEST_F(WideImagesTest, LookLikeSprites) {
  const glm::vec3 place{0.1F, -0.2F, 0.0F};
  const auto bodies = crowd_at(place, 1000);
  BodyList list;
  for (int i = 0; i < 1000; ++i) list.add(place);
  Camera camera;
  camera.look(Camera::Preset::oblique);
  camera.distance = 14.0;
  for (const float size : {4.6F, 7.0F, 9.0F, 9.2F, 12.0F, 18.0F, 18.4F, 30.0F, 48.0F}) {
    BodyStyle style = plain_style();
    style.size_px = size;
    const auto direct = photograph(list, camera, style, {320, 240});
    for (const auto way : both) {
      const auto wide = draw(*bodies, style, way);
      const auto [peak, worst] = compare(direct, wide);
      EXPECT_LT(worst, 0.1F * peak) << size;
      EXPECT_NEAR(brightest(wide) / peak, 1.0F, 0.05F) << size;
    }
  }
}

BodyStyle adaptive_style() {
  BodyStyle style = plain_style();
  style.spread_share = 0.8F;
  return style;
}

TEST_F(WideImagesTest, SpreadLightIsThatOfSprites) {
  const auto bodies = galaxy(20'000);
  // From so far that nothing reaches the border of the picture.
  const double expected = draw(*bodies, plain_style(), Splatting::raster, {320, 240}, 80.0).light();
  for (const auto way : both) {
    for (const float neighbours : {2.0F, 24.0F, 300.0F}) {
      BodyStyle style = adaptive_style();
      style.spread_neighbours = neighbours;
      EXPECT_NEAR(draw(*bodies, style, way, {320, 240}, 80.0).light() / expected, 1.0, one_in_thousand);
      style.size_px = 20.0F;
      EXPECT_NEAR(draw(*bodies, style, way, {320, 240}, 80.0).light() / expected, 1.0, one_in_thousand);
    }
  }
}

TEST_F(WideImagesTest, BothWaysDrawTheSame) {
  const auto bodies = galaxy(20'000);
  for (const double distance : {3.0, 14.0}) {
    const auto sprites = draw(*bodies, adaptive_style(), Splatting::raster, {320, 240}, distance);
    const auto compute = draw(*bodies, adaptive_style(), Splatting::compute, {320, 240}, distance);
    const auto [peak, worst] = compare(sprites, compute);
    EXPECT_LT(worst, 2e-3F * peak);
    EXPECT_NEAR(compute.light() / sprites.light(), 1.0, 2e-4);
  }
}

TEST_F(WideImagesTest, PicturesThatAreKeptComeBack) {
  const auto bodies = galaxy(20'000);
  const auto once = draw(*bodies, adaptive_style(), Splatting::raster);
  EXPECT_EQ(draw(*bodies, adaptive_style(), Splatting::raster).pixels, once.pixels);
}

/// The noise of neighbouring pixels over the light of a stretch of the disk.
double grain(const Photograph& picture, glm::ivec2 from, glm::ivec2 to) {
  double noise = 0, light = 0;
  for (int y = from.y; y < to.y; ++y)
    for (int x = from.x; x < to.x; ++x) {
      noise +=
          std::abs(static_cast<double>(picture.at(x, y).a) - static_cast<double>(picture.at(x + 1, y).a));
      light += static_cast<double>(picture.at(x, y).a);
    }
  return noise / light;
}

TEST_F(WideImagesTest, SparsePartsBecomeSmoothAndDensePartsStaySharp) {
  const auto bodies = galaxy(5'000);
  BodyStyle style = plain_style();
  const auto fixed = draw(*bodies, style, Splatting::raster, {320, 240}, 10.0);
  style.spread_share = 1.0F;
  const auto adaptive = draw(*bodies, style, Splatting::raster, {320, 240}, 10.0);
  EXPECT_LT(grain(adaptive, {20, 90}, {80, 150}), 0.4 * grain(fixed, {20, 90}, {80, 150}));
  EXPECT_GT(brightest(adaptive), 0.85F * brightest(fixed));
}

/// A cluster of so many bodies, and a body by itself, the last one.
BodyList cluster_and_loner(std::size_t count, glm::vec3 loner) {
  BodyList list;
  for (std::size_t i = 0; i < count; ++i) {
    const float angle = 2.4F * static_cast<float>(i);
    const float radius = std::sqrt((static_cast<float>(i) + 0.5F) / static_cast<float>(count));
    list.add({radius * std::cos(angle), radius * std::sin(angle), 0.0F});
  }
  return list.add(loner);
}

/// Of the pixels around the middle of a place.
double light_around(const Photograph& picture, const Camera& camera, glm::vec3 place) {
  const float aspect = static_cast<float>(picture.size.x) / static_cast<float>(picture.size.y);
  const glm::vec4 clip = camera.projection(aspect) * (camera.view() * glm::vec4(place, 1.0F));
  const glm::ivec2 middle((glm::vec2(clip) / clip.w * 0.5F + 0.5F) * glm::vec2(picture.size));
  double light = 0.0;
  for (int y = -4; y <= 4; ++y)
    for (int x = -4; x <= 4; ++x) light += static_cast<double>(picture.at(middle.x + x, middle.y + y).a);
  return light;
}

/// What few bodies share would be a blob: a star in an empty sky keeps its light.
TEST_F(WideImagesTest, NoLightIsSpreadFartherThanTheReach) {
  const glm::vec3 loner{3.0F, 0.0F, 0.0F};
  const auto list = cluster_and_loner(3000, loner);
  Camera camera;
  camera.distance = 10.0;
  for (const auto storage : {BodyBuffers::Storage::device, BodyBuffers::Storage::host_ring}) {
    BodyBuffers buffers(list.component.size(), storage);
    list.upload_to(buffers);
    BodyStyle style = adaptive_style();
    style.rough = storage == BodyBuffers::Storage::host_ring;
    BodyDrawer drawer(style.rough);
    const auto draw_with = [&](float reach) {
      style.spread_reach = reach;
      return draw_by(drawer, buffers, style, camera, {320, 240}, Splatting::automatic);
    };
    EXPECT_GT(light_around(draw_with(0.05F), camera, loner), 0.9);
    EXPECT_LT(light_around(draw_with(0.25F), camera, loner), 0.7);
    // In the cluster, where circles are narrow, it is as before.
    const auto narrow = draw_with(0.05F), wide = draw_with(0.25F);
    EXPECT_NEAR(light_around(narrow, camera, {}), light_around(wide, camera, {}),
                0.1 * light_around(wide, camera, {}));
  }
}

/// Sums over blocks of 8 x 8 pixels that differ, as a part of all light.
double blurred_difference(const Photograph& a, const Photograph& b) {
  double difference = 0;
  for (int y = 0; y + 8 <= a.size.y; y += 8)
    for (int x = 0; x + 8 <= a.size.x; x += 8) {
      double sum = 0;
      for (int j = 0; j < 8; ++j)
        for (int i = 0; i < 8; ++i)
          sum += static_cast<double>(a.at(x + i, y + j).a) - static_cast<double>(b.at(x + i, y + j).a);
      difference += std::abs(sum);
    }
  return difference / a.light();
}

TEST_F(WideImagesTest, RoughPicturesShowAboutTheSame) {
  const auto bodies = galaxy(20'000);
  BodyStyle style = adaptive_style();
  const auto exact = draw(*bodies, style, Splatting::raster);
  style.rough = true;
  for (const auto way : both) {
    const auto rough = draw(*bodies, style, way);
    EXPECT_NE(rough.pixels, exact.pixels);
    EXPECT_NEAR(rough.light() / exact.light(), 1.0, 0.02);
    EXPECT_LT(blurred_difference(exact, rough), 0.1);
  }
}

TEST_F(WideImagesTest, RoughPicturesCountForTheNextOneToo) {
  const auto bodies = galaxy(20'000);
  BodyStyle style = adaptive_style();
  style.rough = true;
  const Camera camera = oblique(14.0);
  BodyDrawer drawer;
  const auto first = draw_by(drawer, *bodies, style, camera);
  const auto second = draw_by(drawer, *bodies, style, camera);
  EXPECT_EQ(second.pixels, first.pixels);
  // What is exact counts anew, whatever was kept.
  const Camera nearer = oblique(7.0);
  draw_by(drawer, *bodies, style, camera);
  style.rough = false;
  BodyDrawer fresh;
  EXPECT_EQ(draw_by(drawer, *bodies, style, nearer).pixels, draw_by(fresh, *bodies, style, nearer).pixels);
}

TEST_F(WideImagesTest, RoughPicturesTakeColorsOfTheBodiesThatTheyShow) {
  // Two halves with colours of their own: the number of a body decides.
  const auto bodies = galaxy(20'000);
  BodyStyle style = adaptive_style();
  style.color_mode = "id";
  style.equal_luminance = false;
  style.range_max = 20'000.0F;
  const auto exact = draw(*bodies, style, Splatting::raster);
  style.rough = true;
  const auto rough = draw(*bodies, style, Splatting::raster);
  EXPECT_NEAR(red_part(rough), red_part(exact), 0.03 * red_part(exact));
}

/// As the window draws what moves where OpenGL has no GPU.
class ProcessorSplatterTest : public WideImagesTest {
 protected:
  void SetUp() override {
    WideImagesTest::SetUp();
    if (IsSkipped()) return;
    style_.rough = true;
    bodies_ = galaxy(20'000, BodyBuffers::Storage::host_ring);
    drawer_.emplace(true);
  }

  Photograph draw_exactly(const Camera& camera) {
    BodyStyle style = style_;
    style.rough = false;
    BodyDrawer drawer(true);
    return draw_by(drawer, *bodies_, style, camera);
  }

  Photograph draw_in_memory(const Camera& camera) {
    const auto picture = draw_by(*drawer_, *bodies_, style_, camera, {320, 240}, Splatting::automatic);
    EXPECT_TRUE(drawer_->how().starts_with("the CPU")) << drawer_->how();
    return picture;
  }

  std::unique_ptr<BodyBuffers> bodies_;
  BodyStyle style_ = adaptive_style();
  std::optional<BodyDrawer> drawer_;
};

TEST_F(ProcessorSplatterTest, ShowsAboutWhatOpenGlShows) {
  for (auto& each : style_.star_spread) each = {.light = 0.9F, .color = 0.4F, .red_giants = 0.5F};
  for (const double distance : {7.0, 14.0, 40.0})
    for (const float size : {0.8F, 2.0F, 6.0F, 20.0F}) {
      style_.size_px = size;
      const auto exact = draw_exactly(oblique(distance));
      const auto quick = draw_in_memory(oblique(distance));
      EXPECT_NEAR(quick.light() / exact.light(), 1.0, 0.02) << distance << ' ' << size;
      EXPECT_LT(blurred_difference(exact, quick), 0.1) << distance << ' ' << size;
      EXPECT_NEAR(red_part(quick), red_part(exact), 0.01 * red_part(exact));
    }
}

TEST_F(ProcessorSplatterTest, StarsAreThoseOfOpenGl) {
  style_.spread_share = 0.0F;
  for (auto& each : style_.star_spread) each = {.light = 0.9F, .color = 0.4F, .red_giants = 0.5F};
  const auto exact = draw_exactly(oblique(14.0));
  const auto [peak, worst] = compare(exact, draw_in_memory(oblique(14.0)));
  EXPECT_LT(worst, 0.02F * peak);
}

TEST_F(ProcessorSplatterTest, KeepsColoursOfTheFile) {
  std::vector<float> colors(bodies_->bodies());
  for (std::size_t i = 0; i < colors.size(); ++i) {
    constexpr std::array<float, 3> cycle{16711680.0F, 8421504.0F, -1.0F};
    colors[i] = cycle.at(i % cycle.size());
  }
  bodies_->set_quantity(colors);
  style_.color_mode = "file";
  const auto exact = draw_exactly(oblique(14.0)), quick = draw_in_memory(oblique(14.0));
  EXPECT_NEAR(red_part(quick), red_part(exact), 0.01);
  style_.color_mode = "component";
  EXPECT_GT(std::abs(red_part(draw_in_memory(oblique(14.0))) - red_part(quick)), 0.05);
}

TEST_F(ProcessorSplatterTest, KeepsColoursOfValuesAndTheGalaxyThatIsSingledOut) {
  style_.color_mode = "id";
  style_.range_max = 20'000.0F;
  style_.equal_luminance = false;
  EXPECT_NEAR(red_part(draw_in_memory(oblique(14.0))), red_part(draw_exactly(oblique(14.0))), 0.01);
  style_.singled_out = 0;
  style_.singled_out_look = {.color = {1.0F, 0.0F, 0.0F}, .color_share = 0.8F, .light = 0.5F};
  const auto exact = draw_exactly(oblique(14.0));
  const auto quick = draw_in_memory(oblique(14.0));
  EXPECT_NEAR(red_part(quick), red_part(exact), 0.01);
  EXPECT_NEAR(quick.light() / exact.light(), 1.0, 0.02);
}

TEST_F(ProcessorSplatterTest, DustAbsorbsAsThatOfOpenGl) {
  constexpr std::size_t disk = 2;
  const auto on_device = galaxy(20'000, BodyBuffers::Storage::device);
  auto edge_on = oblique(14.0);
  edge_on.look(Camera::Preset::edge_on);
  for (const auto& camera : {oblique(14.0), edge_on, oblique(7.0)}) {
    style_.effects.clear();
    const auto clear = draw_in_memory(camera);
    Dust dust;
    dust.style = {
        .cross_section = 0.0015F, .height = 0.3F, .spread = 0.1F, .radius = 8.0F, .thickness = 0.1F};
    dust.style.carried.at(disk) = true;
    style_.effects = {&dust};
    const auto quick = draw_in_memory(camera);
    auto exact_style = style_;
    exact_style.rough = false;
    BodyDrawer drawer;
    const auto exact = draw_by(drawer, *on_device, exact_style, camera);
    EXPECT_LT(quick.light(), 0.95 * clear.light());
    EXPECT_GT(red_part(quick), red_part(clear));
    // It has fewer clouds.
    EXPECT_NEAR(quick.light() / exact.light(), 1.0, 0.03);
    EXPECT_LT(blurred_difference(exact, quick), 0.15);
    EXPECT_NEAR(red_part(quick), red_part(exact), 0.01 * red_part(exact));
  }
}

TEST_F(ProcessorSplatterTest, LeavesSpikesAndExactPicturesToOpenGl) {
  Spikes spikes;
  style_.effects = {&spikes};
  draw_by(*drawer_, *bodies_, style_, oblique(14.0), {320, 240}, Splatting::automatic);
  EXPECT_FALSE(drawer_->how().starts_with("the CPU"));
  style_.effects.clear();
  style_.rough = false;
  draw_by(*drawer_, *bodies_, style_, oblique(14.0), {320, 240}, Splatting::automatic);
  EXPECT_FALSE(drawer_->how().starts_with("the CPU"));
}

TEST_F(WideImagesTest, RoughStridesAreNoPeriodsOfDatasets) {
  EXPECT_EQ(rough_stride(0), 1U);
  EXPECT_EQ(rough_stride(19'000), 1U);
  EXPECT_EQ(rough_stride(20'000), 7U);
  EXPECT_EQ(rough_stride(1'000'000), 127U);
  EXPECT_EQ(rough_stride(100'000'000), 127U);
}

TEST_F(WideImagesTest, HigherResolutionsShowTheSame) {
  const auto bodies = galaxy(20'000);
  BodyStyle style = adaptive_style();
  const auto small = draw(*bodies, style, Splatting::raster, {320, 240});
  style.pixel_scale = 2.0F;
  const auto large = draw(*bodies, style, Splatting::raster, {640, 480});
  EXPECT_NEAR(large.light() / small.light(), 4.0, 0.02);
  double difference = 0;
  for (int y = 0; y < 240; y += 8)
    for (int x = 0; x < 320; x += 8) {
      double a = 0, b = 0;
      for (int j = 0; j < 16; ++j)
        for (int i = 0; i < 16; ++i) {
          if (i < 8 && j < 8) a += static_cast<double>(small.at(x + i, y + j).a);
          b += 0.25 * static_cast<double>(large.at(2 * x + i, 2 * y + j).a);
        }
      difference += std::abs(a - b);
    }
  EXPECT_LT(difference, 0.02 * small.light());
}

/// The stars of one component, which differ.
class StarlightTest : public WideImagesTest {
 protected:
  static BodyStyle varied() {
    BodyStyle style = plain_style();
    style.star_spread.fill({.light = 0.9F, .color = 0.5F, .red_giants = -0.5F});
    return style;
  }
};

TEST_F(StarlightTest, TogetherStarsKeepLightAndColor) {
  const auto bodies = galaxy(60'000);
  const auto alike = draw(*bodies, plain_style(), Splatting::raster, {320, 240}, 80.0).total();
  for (const float giants : {-0.8F, 0.0F, 0.8F}) {
    BodyStyle style = varied();
    for (auto& spread : style.star_spread) spread.red_giants = giants;
    const auto total = draw(*bodies, style, Splatting::raster, {320, 240}, 80.0).total();
    // The mean of 60 000 by lot is known to half a percent; red and blue to a little more.
    for (int channel = 0; channel < 4; ++channel)
      EXPECT_NEAR(total[channel] / alike[channel], 1.0, 0.025) << channel << " " << giants;
  }
}

TEST_F(StarlightTest, BothWaysAgree) {
  const auto bodies = galaxy(5'000);
  const auto sprites = draw(*bodies, varied(), Splatting::raster);
  const auto [peak, worst] = compare(sprites, draw(*bodies, varied(), Splatting::compute));
  EXPECT_LT(worst, 1e-3F * peak);
}

/// The light of body `number` of a list, all others being hidden.
glm::dvec4 light_of(std::size_t number, std::size_t count, const BodyStyle& given) {
  BodyList list;
  for (std::size_t i = 0; i < count; ++i) list.add({0, 0, 0}, i == number ? 2 : 1);
  BodyStyle style = given;
  style.component_weight[1] = 0.0F;
  Camera camera;
  camera.distance = 1.0;
  return photograph(list, camera, style, {64, 64}).total();
}

TEST_F(StarlightTest, AStarIsItselfWhateverElseIsDrawn) {
  for (const std::size_t number : {0U, 3U, 8U})
    EXPECT_EQ(light_of(number, 9, varied()), light_of(number, 40, varied())) << number;
}

TEST_F(StarlightTest, DiffersByTheStatedDeviation) {
  double sum = 0, squares = 0, reds = 0, with_light = 0;
  constexpr std::size_t count = 300;
  for (std::size_t i = 0; i < count; ++i) {
    const auto light = light_of(i, count, varied());
    const double bright = std::log(light.a) + 0.5 * 0.81;
    const double red = 0.5 * (std::log(light.r) - std::log(light.b));
    sum += bright;
    squares += bright * bright;
    reds += red;
    with_light += (bright)*red;
  }
  EXPECT_NEAR(sum / count, 0.0, 0.18);
  EXPECT_NEAR(std::sqrt(squares / count), 0.9, 0.1);
  // Bright stars are blue where the correlation is negative: its covariance is -0.5 * 0.9 * 0.5.
  EXPECT_NEAR((with_light - sum * reds / count) / count, -0.225, 0.08);
}

TEST_F(StarlightTest, ColorsOfQuantitiesDoNotVary) {
  BodyStyle style = varied();
  style.color_mode = "speed";
  const auto light = light_of(3, 9, style);
  style.star_spread.fill({});
  const auto plain = light_of(3, 9, style);
  EXPECT_NEAR(light.r / light.b, plain.r / plain.b, 1e-5);
  EXPECT_NE(light.a, plain.a);
}

}  // namespace
}  // namespace orrery::render::test
