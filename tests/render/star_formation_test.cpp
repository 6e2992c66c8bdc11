#include "render/effects/star_formation.h"

#include <cmath>

#include "render/bodies/body_drawer.h"
#include "tests/render/gl_test.h"

namespace orrery::render::test {
namespace {

constexpr std::uint8_t young = 2;
constexpr float half_side = 2.0F;
/// The arm: a stripe along y, three times as dense as the disk around it.
constexpr float arm_place = 0.7F, half_arm = 0.25F;
constexpr glm::ivec2 size{320, 320};

bool is_in_arm(float x) { return std::abs(x - arm_place) < half_arm; }

class StarFormationTest : public GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (IsSkipped()) return;
    add_sheet(0.0F, half_side, 30'000);
    add_sheet(arm_place, half_arm, 8'000);
    buffers_ = std::make_unique<BodyBuffers>(list_.component.size(), BodyBuffers::Storage::device);
    list_.upload_to(*buffers_);
    style_ = plain_style();
    style_.size_px = 2.0F;
    forming_.style = {.length = 1.5F,
                      .young = young,
                      .older = {2.0F, 1.0F, 0.4F},
                      .pink = {3.0F, 0.4F, 0.9F},
                      .knots = {0.02F, 5.0F, 0.04F, 4.0F},
                      .disk_bodies = static_cast<float>(list_.component.size())};
    forming_.style.counted[young] = true;
    camera_.orientation = glm::dquat(1, 0, 0, 0);
    camera_.distance = 8.0;
  }
  /// Bodies at the places of a lattice (Roberts 2018).
  void add_sheet(float x, float half_width, int bodies) {
    const auto part = [](int i, double step) {
      return static_cast<float>(2.0 * std::fmod(step * i, 1.0) - 1.0);
    };
    for (int i = 0; i < bodies; ++i)
      list_.add({x + half_width * part(i, 0.7548776662466927), half_side * part(i, 0.5698402909980532), 0.0F},
                young);
  }
  Photograph draw() {
    const auto view = camera_.view(), projection = camera_.projection(1.0F);
    Accumulation light;
    light.resize(size);
    light.begin();
    BodyDrawer drawer;
    drawer.draw(*buffers_, 0, {view, projection, size, {}}, light, style_, Splatting::raster);
    return {size, light.read()};
  }
  /// What the effect makes of the bodies, by the CPU: the mean inside of the arm, and outside of it.
  struct Means {
    glm::dvec4 arm{0.0}, between{0.0}, all{0.0};
  };
  Means means_by_cpu() {
    const auto view = camera_.view(), projection = camera_.projection(1.0F);
    const BodyView from{view, projection, size, {}};
    forming_.prepare_in_memory({*buffers_, 0, from, style_});
    Means means;
    double all = 0.0, in_arm = 0.0, outside = 0.0;
    for (std::size_t i = 0; i < list_.component.size(); ++i) {
      const glm::vec3 place(list_.position[4 * i], list_.position[4 * i + 1], list_.position[4 * i + 2]);
      const glm::dvec4 light(forming_.passes(place, young, static_cast<std::uint32_t>(i)));
      means.all += light;
      all += 1.0;
      // The sheet's rim is denser than what is around it, too.
      if (std::abs(place.x) > 1.2F || std::abs(place.y) > 1.0F) continue;
      (is_in_arm(place.x) ? means.arm : means.between) += light;
      (is_in_arm(place.x) ? in_arm : outside) += 1.0;
    }
    means.all /= all;
    means.arm /= in_arm;
    means.between /= outside;
    return means;
  }

  BodyList list_;
  BodyStyle style_;
  StarFormation forming_;
  std::unique_ptr<BodyBuffers> buffers_;
  Camera camera_;
};

TEST_F(StarFormationTest, DenseRegionsAreBrighterAndBluerAndTheLightOfAllStays) {
  const auto means = means_by_cpu();
  EXPECT_NEAR(means.all.a, 1.0, 0.02);
  EXPECT_GT(means.arm.a, 1.5 * means.between.a);
  EXPECT_GT(means.arm.b / means.arm.r, 1.3 * means.between.b / means.between.r);
}

TEST_F(StarFormationTest, ThePictureKeepsItsLightAndIsThatOfTheCpu) {
  const auto without = draw();
  style_.effects = {&forming_};
  const auto with = draw();
  EXPECT_NEAR(with.light() / without.light(), 1.0, 0.02);
  const auto all = means_by_cpu().all;
  const auto seen = with.total() / without.total();
  for (glm::length_t k = 0; k < 4; ++k) EXPECT_NEAR(seen[k] / all[k], 1.0, 0.01) << k;
  EXPECT_EQ(draw().pixels, with.pixels) << "and again";
  forming_.style.strength = 0.0F;
  const auto none = draw().total() / without.total();
  for (glm::length_t k = 0; k < 4; ++k) EXPECT_NEAR(none[k], 1.0, 1e-4);
}

TEST_F(StarFormationTest, KnotsArePinkAndFew) {
  means_by_cpu();
  int pink = 0, in_arm = 0;
  for (std::size_t i = 0; i < list_.component.size(); ++i) {
    const glm::vec3 place(list_.position[4 * i], list_.position[4 * i + 1], 0.0F);
    if (!is_in_arm(place.x)) continue;
    const auto light = forming_.passes(place, young, static_cast<std::uint32_t>(i));
    ++in_arm;
    if (light.r > 2.0F * light.g && light.b > light.g) ++pink;
  }
  EXPECT_GT(pink, in_arm / 200);
  EXPECT_LT(pink, in_arm / 30);
}

TEST_F(StarFormationTest, OtherComponentsStay) {
  means_by_cpu();
  EXPECT_EQ(forming_.passes({arm_place, 0.0F, 0.0F}, 3, 5), glm::vec4(1.0F));
}

}  // namespace
}  // namespace orrery::render::test
