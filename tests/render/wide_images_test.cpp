#include <cmath>

#include "render/body_drawer.h"
#include "render/shader_constants.h"
#include "tests/render/gl_test.h"
#include "tests/render/synthetic_galaxy.h"

namespace orrery::render::test {
namespace {

/// Images that go through nested levels.
class WideImagesTest : public GlTest {
 protected:
  static Photograph draw(const BodyBuffers& buffers, const BodyStyle& style, Splatting splatting,
                         glm::ivec2 size = {320, 240}, double distance = 14.0) {
    Camera camera;
    camera.look(Camera::Preset::oblique);
    camera.distance = distance;
    Accumulation light;
    light.resize(size);
    light.begin();
    BodyDrawer drawer;
    const float aspect = static_cast<float>(size.x) / static_cast<float>(size.y);
    drawer.draw(buffers, 0, camera.view(), camera.projection(aspect), light, style, splatting);
    return {size, light.read()};
  }

  static std::unique_ptr<BodyBuffers> galaxy(std::size_t bodies) {
    auto buffers = std::make_unique<BodyBuffers>(bodies, BodyBuffers::Storage::device);
    SyntheticGalaxy(bodies).upload_to(*buffers);
    return buffers;
  }

  /// So many bodies at one place: one image, of their number as light.
  static std::unique_ptr<BodyBuffers> crowd_at(glm::vec3 place, int count) {
    BodyList list;
    for (int i = 0; i < count; ++i) list.add(place);
    auto buffers = std::make_unique<BodyBuffers>(static_cast<std::size_t>(count), BodyBuffers::Storage::device);
    list.upload_to(*buffers);
    return buffers;
  }
};

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
  const auto bodies = crowd_at({0.1F, -0.2F, 0.0F}, 1000);
  for (const auto way : both) {
    for (const float size : {4.6F, 5.5F, 7.0F, 9.0F, 9.2F, 12.0F, 15.0F, 18.0F, 18.4F, 30.0F, 48.0F}) {
      BodyStyle style = plain_style();
      style.size_px = size;
      const auto wide = draw(*bodies, style, way);
      BodyList list;
      for (int i = 0; i < 1000; ++i) list.add({0.1F, -0.2F, 0.0F});
      Camera camera;
      camera.look(Camera::Preset::oblique);
      camera.distance = 14.0;
      const auto direct = photograph(list, camera, style, {320, 240});
      float peak = 0, worst = 0, wpeak = 0;
      for (std::size_t i = 0; i < wide.pixels.size(); i += 4) {
        peak = std::max(peak, direct.pixels[i]);
        wpeak = std::max(wpeak, wide.pixels[i]);
        worst = std::max(worst, std::abs(direct.pixels[i] - wide.pixels[i]));
      }
      printf("%g peak %.3f worst %.3f\n", size, wpeak / peak, worst / peak);
    }
  }
}

}  // namespace
}  // namespace orrery::render::test
