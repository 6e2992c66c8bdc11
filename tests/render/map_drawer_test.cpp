#include "render/map/map_drawer.h"

#include <chrono>

#include "render/context/shader_constants.h"
#include "render/context/target.h"
#include "tests/render/gl_test.h"

namespace orrery::render::test {
namespace {

constexpr glm::ivec2 pixels{80, 80};

class MapDrawerTest : public GlTest {
 protected:
  /// A map of 2 x 2 cells with these values over a blue picture, seen from above: it covers all of it.
  Image draw(const std::array<float, 4>& cells, const MapLook& look, bool over, MapDrawer* drawer = nullptr) {
    if (buffers_ == nullptr) buffers_ = std::make_unique<MapBuffers>(2, 1);
    upload(*buffers_, cells);
    const PictureTarget target(pixels);
    const std::array<float, 4> blue{0.0F, 0.0F, 1.0F, 1.0F};
    glClearNamedFramebufferfv(target.framebuffer(), GL_COLOR, 0, blue.data());
    MapDrawer own;
    const ShownMap shown{.buffers = buffers_.get(),
                         .revision = ++revision_,
                         .place = {{-1.0F, -1.0F, 0.0F}, {2.0F, 0.0F, 0.0F}, {0.0F, 2.0F, 0.0F}},
                         .over = over};
    (drawer != nullptr ? *drawer : own).draw(shown, look, glm::mat4(1.0F), target.framebuffer(), pixels);
    return target.read();
  }
  static void upload(MapBuffers& buffers, std::span<const float> cells) {
    std::vector<float> map(buffers.floats());
    std::ranges::copy(cells, map.begin() + shared::map_header);
    map[0] = *std::ranges::max_element(cells);
    buffers.upload(0, map);
  }
  /// The middle of a cell, rows from the bottom.
  static std::array<int, 3> cell(const Image& image, int column, int row) {
    const int x = 20 + 40 * column;
    const int y = 60 - 40 * row;
    const auto at = static_cast<std::size_t>(4 * (y * image.width + x));
    return {image.rgba[at], image.rgba[at + 1], image.rgba[at + 2]};
  }
  const MapLook red_{.colors = find_color_map("red")};

 private:
  void TearDown() override {
    buffers_.reset();
    GlTest::TearDown();
  }
  std::unique_ptr<MapBuffers> buffers_;
  std::uint64_t revision_ = 0;
};

TEST_F(MapDrawerTest, ShowsEveryCellInItsPlaceInTheColoursOfTheMap) {
  const auto image = draw({0.0F, 1.0F, 2.0F, 4.0F}, red_, false);
  EXPECT_EQ(cell(image, 0, 0), (std::array{0, 0, 0}));
  EXPECT_NEAR(cell(image, 1, 0)[0], 64, 1);
  EXPECT_NEAR(cell(image, 0, 1)[0], 128, 1);
  EXPECT_EQ(cell(image, 1, 1), (std::array{255, 0, 0}));
}

TEST_F(MapDrawerTest, AgreesWithThePictureOfTheProcessorInEveryColourMap) {
  const std::array<float, 4> cells{0.0F, 1.0F, 3.0F, 9.0F};
  for (const ColorMap* map : color_maps()) {
    for (const bool logarithmic : {false, true}) {
      const MapLook look{.colors = map, .logarithmic = logarithmic};
      const auto drawn = draw(cells, look, false);
      const auto picture = map_picture(cells, 2, 80, look);
      for (int k = 0; k < 4; ++k) {
        for (std::size_t channel = 0; channel < 3; ++channel)
          EXPECT_NEAR(cell(drawn, k % 2, k / 2).at(channel), cell(picture, k % 2, k / 2).at(channel), 2)
              << map->name << ' ' << logarithmic << ' ' << k;
      }
    }
  }
}

TEST_F(MapDrawerTest, EmptyCellsAreClearOverBodies) {
  const auto image = draw({0.0F, 0.0F, 1.0F, 10.0F}, red_, true);
  EXPECT_EQ(cell(image, 0, 0), (std::array{0, 0, 255})) << "empty";
  EXPECT_GT(cell(image, 0, 1)[2], 150) << "sparse";
  EXPECT_EQ(cell(image, 1, 1), (std::array{255, 0, 0})) << "full";
}

TEST_F(MapDrawerTest, TakesNewValuesAndAnotherHighestOne) {
  MapDrawer drawer;
  EXPECT_EQ(cell(draw({1.0F, 0.0F, 0.0F, 0.0F}, red_, false, &drawer), 0, 0)[0], 255);
  EXPECT_EQ(cell(draw({0.0F, 1.0F, 0.0F, 0.0F}, red_, false, &drawer), 0, 0)[0], 0);
  const MapLook twice{.colors = find_color_map("red"), .highest = 2.0F};
  EXPECT_NEAR(cell(draw({1.0F, 0.0F, 0.0F, 0.0F}, twice, false, &drawer), 0, 0)[0], 128, 1);
  EXPECT_EQ(cell(draw({0.0F, 0.0F, 0.0F, 0.0F}, red_, false, &drawer), 0, 0)[0], 0) << "nothing in it";
}

TEST_F(MapDrawerTest, FromAfarMeansOfCellsShow) {
  constexpr std::size_t size = 640;
  MapBuffers buffers(size, 1);
  std::vector<float> cells(size * size);
  for (std::size_t k = 0; k < cells.size(); k += 2) cells[k] = 1.0F;
  upload(buffers, cells);
  const PictureTarget target(pixels);
  MapDrawer drawer;
  drawer.draw({.buffers = &buffers,
               .revision = 1,
               .place = {{-1.0F, -1.0F, 0.0F}, {2.0F, 0.0F, 0.0F}, {0.0F, 2.0F, 0.0F}},
               .over = false},
              red_, glm::mat4(1.0F), target.framebuffer(), pixels);
  EXPECT_NEAR(cell(target.read(), 0, 0)[0], 128, 2);
}

TEST_F(MapDrawerTest, TheLargestValueArrivesWithoutWaiting) {
  MapBuffers buffers(3, 2);
  EXPECT_FALSE(buffers.largest().has_value());
  // As CUDA would write it: OpenGL knows nothing of the content.
  const float most = 7.5F;
  glNamedBufferSubData(buffers.buffer(1), 0, sizeof most, &most);
  buffers.ask_largest(1);
  wait_until_drawn(std::chrono::seconds(20));
  EXPECT_EQ(buffers.largest(), 7.5F);
}

TEST_F(MapDrawerTest, MistakesAreOneLine) {
  EXPECT_THROW(MapBuffers(0, 1), Error);
  MapBuffers buffers(2, 1);
  const std::vector<float> wrong(3);
  EXPECT_THROW(buffers.upload(0, wrong), Error);
}

}  // namespace
}  // namespace orrery::render::test
