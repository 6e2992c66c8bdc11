#include <cmath>
#include <random>

#include "render/bodies/body_drawer.h"
#include "render/context/shader_constants.h"
#include "render/effects/dust.h"
#include "tests/render/gl_test.h"
#include "tests/render/synthetic_galaxy.h"

namespace orrery::render::test {
namespace {

constexpr std::uint8_t carrier = 2, star = 4;
/// A square sheet of dust around the origin.
constexpr float half_side = 4.0F;
constexpr int carriers = 8'000;

class DustTest : public GlTest {
 protected:
  static Camera camera_at(double distance) {
    Camera camera;
    camera.orientation = glm::dquat(1, 0, 0, 0);
    camera.distance = distance;
    return camera;
  }
  static Photograph draw(const BodyBuffers& buffers, const BodyStyle& style, const Camera& camera,
                         Splatting splatting = Splatting::raster, glm::ivec2 size = {320, 240},
                         PictureTile tile = {}) {
    const float aspect = static_cast<float>(size.x) / static_cast<float>(size.y);
    const auto view = camera.view(), projection = camera.projection(aspect);
    const BodyView from{view, projection, size, tile};
    Accumulation light;
    light.resize(from.canvas());
    light.begin();
    BodyDrawer drawer;
    drawer.draw(buffers, 0, from, light, style, splatting);
    return {from.canvas(), light.read()};
  }
  static std::unique_ptr<BodyBuffers> upload(const BodyList& list) {
    auto buffers = std::make_unique<BodyBuffers>(list.component.size(), BodyBuffers::Storage::device);
    list.upload_to(*buffers);
    return buffers;
  }

  /// Stars of light 1 at these places, seen through a sheet of dust in the plane z = 0.
  /// The dust lies evenly: places of a lattice (Roberts 2018).
  static BodyList sheet(const std::vector<glm::vec3>& stars) {
    BodyList list;
    const auto place = [](int i, double step) {
      return half_side * static_cast<float>(2.0 * std::fmod(step * i, 1.0) - 1.0);
    };
    for (int i = 0; i < carriers; ++i)
      list.add({place(i, 0.7548776662466927), place(i, 0.5698402909980532), 0.02F * place(i, 0.618033988)},
               carrier);
    for (const auto& at : stars) list.add(at, star);
    return list;
  }
  /// Only the stars shine.
  BodyStyle sheet_style(float optical_depth) {
    auto style = plain_style();
    style.component_weight[carrier] = 1e-9F;
    style.size_px = 3.0F;
    const float area = 4.0F * half_side * half_side;
    dust_.style = {.cross_section = optical_depth * area / static_cast<float>(carriers),
                   .height = 1.0F,
                   .spread = 0.1F,
                   .radius = half_side,
                   .thickness = 0.1F};
    dust_.style.carried[carrier] = true;
    style.effects = {&dust_};
    return style;
  }
  /// The light of stars that is left in a plane across the line of sight.
  glm::dvec3 seen(float z, float optical_depth, double distance, glm::ivec2 size = {320, 240}) {
    std::vector<glm::vec3> stars;
    for (int k = 0; k < 64; ++k)
      stars.emplace_back(0.15F * static_cast<float>(k % 8 - 4), 0.15F * static_cast<float>(k / 8 - 4), z);
    const auto camera = camera_at(distance);
    const auto buffers = upload(sheet(stars));
    return glm::dvec3(draw(*buffers, sheet_style(optical_depth), camera, Splatting::raster, size).total()) /
           static_cast<double>(stars.size());
  }

  static std::unique_ptr<BodyBuffers> galaxy() {
    auto buffers = std::make_unique<BodyBuffers>(4000, BodyBuffers::Storage::device);
    SyntheticGalaxy(4000).upload_to(*buffers);
    return buffers;
  }
  BodyStyle dusty_style() {
    auto style = plain_style();
    style.spread_share = 0.75F;
    dust_.style = {.cross_section = 0.01F, .height = 0.3F, .spread = 0.1F, .radius = 8.0F, .thickness = 0.1F};
    dust_.style.carried[carrier] = true;
    style.effects = {&dust_};
    return style;
  }
  /// Nearly along the plane of the disk.
  static Camera from_the_side() {
    auto camera = camera_at(14.0);
    camera.look(Camera::Preset::edge_on);
    return camera;
  }

  Dust dust_;
};

TEST_F(DustTest, NoneChangesNothing) {
  const auto buffers = galaxy();
  auto style = dusty_style();
  const auto dusty = draw(*buffers, style, from_the_side());
  dust_.style.cross_section = 0.0F;
  const auto clear = draw(*buffers, style, from_the_side());
  style.effects.clear();
  EXPECT_EQ(draw(*buffers, style, from_the_side()).pixels, clear.pixels);
  EXPECT_NE(dusty.pixels, clear.pixels);
}

TEST_F(DustTest, NoPixelGetsBrighter) {
  const auto buffers = galaxy();
  for (const auto& camera : {from_the_side(), camera_at(14.0), camera_at(1.0)}) {
    auto style = dusty_style();
    const auto dusty = draw(*buffers, style, camera);
    style.effects.clear();
    const auto clear = draw(*buffers, style, camera);
    std::size_t darker = 0;
    for (std::size_t i = 0; i < clear.pixels.size(); ++i) {
      ASSERT_LE(dusty.pixels[i], clear.pixels[i]) << i;
      darker += dusty.pixels[i] < 0.98F * clear.pixels[i] ? 1U : 0U;
    }
    EXPECT_GT(darker, clear.pixels.size() / 100);
    // Bluer light is absorbed more.
    const auto left = dusty.total() / clear.total();
    EXPECT_LT(left.r, 0.97);
    EXPECT_LT(left.g, left.r - 2e-3);
    EXPECT_LT(left.b, left.g - 2e-3);
    EXPECT_NEAR(left.a, left.g, 1e-4);
  }
}

TEST_F(DustTest, StarsBehindItAreDimmedByItsOpticalDepth) {
  for (const float depth : {0.3F, 1.0F})
    for (const auto& [distance, size] :
         {std::pair(6.0, glm::ivec2(320, 240)), std::pair(12.0, glm::ivec2(640, 300)),
          std::pair(40.0, glm::ivec2(1280, 960))}) {
      const auto left = seen(-1.0F, depth, distance, size);
      EXPECT_NEAR(-std::log(left.g) / double{depth}, 1.0, 0.08) << depth << ' ' << distance;
      EXPECT_NEAR(std::log(left.r) / std::log(left.g), 0.751, 0.04);
      EXPECT_NEAR(std::log(left.b) / std::log(left.g), 1.337, 0.06);
    }
}

TEST_F(DustTest, StarsInFrontOfItKeepTheirLight) {
  EXPECT_NEAR(seen(1.0F, 2.5F, 12.0).g, 1.0, 1e-4);
  EXPECT_NEAR(seen(0.4F, 2.5F, 4.0).g, 1.0, 1e-4) << "near to the eye";
  const double within = -std::log(seen(0.0F, 1.0F, 12.0).g);
  EXPECT_NEAR(within, 0.5, 0.15) << "half of the dust is before them";
}

TEST_F(DustTest, TheLayerIsThinnerThanTheDisk) {
  BodyList list;
  std::mt19937_64 random(5);
  const auto place = [&] { return static_cast<float>(random() >> 40) / 8388608.0F - 1.0F; };
  for (int i = 0; i < carriers; ++i) {
    const float x = half_side * place(), y = half_side * place();
    list.add({x, y, place()}, carrier);
  }
  const auto left = [&](float z, float height) {
    auto all = list;
    all.add({-10.0F, 0.0F, z}, star);
    auto style = sheet_style(1.0F);
    dust_.style.height = height;
    dust_.style.thickness = height;
    auto camera = camera_at(20.0);
    camera.orientation =
        glm::quat_cast(glm::dmat3(glm::dvec3(0, 1, 0), glm::dvec3(0, 0, 1), glm::dvec3(1, 0, 0)));
    return draw(*upload(all), style, camera).total().g;
  };
  EXPECT_LT(left(0.0F, 1.0F), 0.1);
  EXPECT_LT(left(0.0F, 0.3F), 0.01) << "the same dust in less room";
  EXPECT_LT(left(0.6F, 1.0F), 0.1);
  EXPECT_NEAR(left(0.9F, 0.3F), 1.0, 1e-3);
}

TEST_F(DustTest, TilesShowTheSame) {
  const auto buffers = galaxy();
  const glm::ivec2 size{520, 400};
  const auto whole = draw(*buffers, dusty_style(), from_the_side(), Splatting::raster, size);
  float brightest = 0.0F;
  for (const float value : whole.pixels) brightest = std::max(brightest, value);
  for (const auto& tile : tiles_of(size, {256, 256})) {
    const auto part = draw(*buffers, dusty_style(), from_the_side(), Splatting::raster, size, tile);
    for (int y = 0; y < tile.size.y; ++y)
      for (int x = 0; x < tile.size.x; ++x) {
        const auto difference = part.at(x, y) - whole.at(tile.corner.x + x, tile.corner.y + y);
        ASSERT_LT(glm::length(difference), 1e-4F * brightest) << x << ' ' << y;
      }
  }
}

TEST_F(DustTest, BothWaysOfDrawingShowTheSame) {
  const auto buffers = galaxy();
  const auto sprites = draw(*buffers, dusty_style(), from_the_side());
  const auto compute = draw(*buffers, dusty_style(), from_the_side(), Splatting::compute);
  const auto ratio = compute.total() / sprites.total();
  for (glm::length_t i = 0; i < 4; ++i) EXPECT_NEAR(ratio[i], 1.0, 2e-4);
  EXPECT_EQ(draw(*buffers, dusty_style(), from_the_side()).pixels, sprites.pixels) << "and again";
}

}  // namespace
}  // namespace orrery::render::test
