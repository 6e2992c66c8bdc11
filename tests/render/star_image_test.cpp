#include <cmath>
#include <numbers>

#include "render/bodies/body_splatter.h"
#include "render/context/shader_constants.h"
#include "tests/render/gl_test.h"

namespace orrery::render::test {
namespace {

/// One star, drawn either way, at places between the pixels.
class StarImageTest : public GlTest {
 protected:
  static constexpr glm::ivec2 size{160, 160};

  static Photograph star(float size_px, glm::vec2 place, bool by_compute) {
    Camera camera;
    camera.distance = 1.0;
    BodyStyle style = plain_style();
    style.size_px = size_px;
    const BodyList one = BodyList().add({place, 0.0F});
    if (!by_compute) return photograph(one, camera, style, size);
    BodyBuffers buffers(1, BodyBuffers::Storage::device);
    one.upload_to(buffers);
    Accumulation light;
    light.resize(size);
    light.begin();
    BodySplatter().draw(buffers, 0, {camera.view(), camera.projection(1.0F), light.size()}, light, style);
    return {size, light.read()};
  }

  /// Visits pictures of stars of at least `smallest` pixels, at several places, drawn both ways.
  template <typename Visit>
  static void for_each_star(float smallest, const Visit& visit) {
    for (const float size_px : {0.3F, 0.7F, 1.0F, 1.4F, 1.8F, 2.0F, 2.6F, 4.0F, 8.0F, 20.0F, 48.0F}) {
      for (const glm::vec2 place : {glm::vec2(0.0F), glm::vec2(0.0011F, 0.0004F), glm::vec2(0.0026F, 0.0013F),
                                    glm::vec2(-0.0019F, 0.0031F)}) {
        for (const bool by_compute : {false, true}) {
          if (size_px < smallest) continue;
          SCOPED_TRACE(testing::Message() << "size " << size_px << " at " << place.x << ", " << place.y
                                          << (by_compute ? " by compute" : " by sprites"));
          visit(star(size_px, place, by_compute), 0.5F * size_px / shared::half_maximum);
        }
      }
    }
  }

  /// The mean of r^4 cos(4 angle) over that of r^4: 0 for what is round, -0.16 for a product of two
  /// triweights.
  static double squareness(const Photograph& picture) {
    const glm::dvec2 center = picture.center();
    double sum = 0, all = 0;
    for (int y = 0; y < size.y; ++y) {
      for (int x = 0; x < size.x; ++x) {
        const glm::dvec2 d = glm::dvec2(x + 0.5, y + 0.5) - center;
        const glm::dvec2 q = d * d;
        sum += static_cast<double>(picture.at(x, y).a) * (q.x * q.x + q.y * q.y - 6.0 * q.x * q.y);
        all += static_cast<double>(picture.at(x, y).a) * (q.x + q.y) * (q.x + q.y);
      }
    }
    return sum / all;
  }
};

/// Between the middles of pixels.
double light_at(const Photograph& picture, glm::dvec2 at) {
  const glm::dvec2 corner = glm::floor(at - 0.5);
  const glm::dvec2 part = at - 0.5 - corner;
  const auto value = [&](int i, int j) {
    return static_cast<double>(picture.at(static_cast<int>(corner.x) + i, static_cast<int>(corner.y) + j).a);
  };
  return (1.0 - part.y) * ((1.0 - part.x) * value(0, 0) + part.x * value(1, 0)) +
         part.y * ((1.0 - part.x) * value(0, 1) + part.x * value(1, 1));
}

/// The largest difference between two places of a circle.
double uneven(const Photograph& picture, double radius) {
  const glm::dvec2 center = picture.center();
  double least = 1e300, most = 0;
  for (int i = 0; i < 64; ++i) {
    const double angle = std::numbers::pi * i / 32.0;
    const double value = light_at(picture, center + radius * glm::dvec2(std::cos(angle), std::sin(angle)));
    least = std::min(least, value);
    most = std::max(most, value);
  }
  return most - least;
}

TEST_F(StarImageTest, LightIsThatOfTheBody) {
  // docs/rendering.md states this error.
  for_each_star(0.0F, [](const Photograph& picture, float) { EXPECT_NEAR(picture.light(), 1.0, 5e-4); });
}

TEST_F(StarImageTest, HasNoFourCorners) {
  for_each_star(2.6F,
                [](const Photograph& picture, float) { EXPECT_LT(std::abs(squareness(picture)), 0.02); });
}

TEST_F(StarImageTest, IsEvenOnCircles) {
  for_each_star(8.0F, [](const Photograph& picture, float half_width) {
    const double peak = light_at(picture, picture.center());
    for (const double part : {0.25, 0.45, 0.6, 0.7, 0.8, 0.9})
      EXPECT_LT(uneven(picture, part * static_cast<double>(half_width)), 0.02 * peak) << part;
  });
}

TEST_F(StarImageTest, EndsAtItsEdge) {
  for_each_star(2.6F, [](const Photograph& picture, float half_width) {
    const glm::dvec2 center = picture.center();
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x) {
        const double distance = glm::length(glm::dvec2(x + 0.5, y + 0.5) - center);
        if (distance > static_cast<double>(half_width) + 0.75) {
          EXPECT_EQ(picture.at(x, y).a, 0.0F);
        }
      }
  });
}

TEST_F(StarImageTest, HasItsWidthAtHalfMaximum) {
  for_each_star(8.0F, [](const Photograph& picture, float half_width) {
    const glm::dvec2 center = picture.center();
    const double half = static_cast<double>(half_width * shared::half_maximum);
    EXPECT_NEAR(light_at(picture, center + glm::dvec2(half, 0.0)) / light_at(picture, center), 0.5, 0.03);
  });
}

}  // namespace
}  // namespace orrery::render::test
