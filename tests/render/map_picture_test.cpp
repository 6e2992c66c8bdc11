#include "render/map/map_picture.h"

#include <gtest/gtest.h>

#include <array>

#include "render/error.h"

namespace orrery::render {
namespace {

using Pixel = std::array<int, 3>;

Pixel pixel(const Image& image, int x, int y) {
  const auto at = static_cast<std::size_t>(4 * (y * image.width + x));
  return {image.rgba[at], image.rgba[at + 1], image.rgba[at + 2]};
}

/// The last cell is the fullest; the first row is the lowest.
constexpr std::array<float, 4> cells{0.0F, 1.0F, 2.0F, 4.0F};

TEST(MapPicture, LowestRowIsAtTheBottomAndCellsAreSquares) {
  const auto image = map_picture(cells, 2, 4, {.colors = find_color_map("red")});
  ASSERT_EQ(image.width, 4);
  EXPECT_EQ(pixel(image, 0, 3), (Pixel{0, 0, 0}));
  EXPECT_EQ(pixel(image, 3, 3), (Pixel{64, 0, 0}));
  EXPECT_EQ(pixel(image, 1, 1), (Pixel{128, 0, 0}));
  EXPECT_EQ(pixel(image, 2, 0), (Pixel{255, 0, 0}));
}

TEST(MapPicture, FewerPixelsThanCellsShowMeans) {
  std::array<float, 16> many{};
  many[0] = 4.0F;
  many[15] = 8.0F;
  const auto image = map_picture(many, 4, 2, {.colors = find_color_map("red"), .highest = 2.0F});
  EXPECT_EQ(pixel(image, 0, 1)[0], 128);
  EXPECT_EQ(pixel(image, 1, 0)[0], 255);
  EXPECT_EQ(pixel(image, 0, 0)[0], 0);
}

TEST(MapPicture, LogarithmicColoursShowOneBodyBesideMany) {
  const MapLook look{.colors = find_color_map("red"), .logarithmic = true, .unit = 0.5F};
  EXPECT_EQ(map_place(0.0F, 100.0F, look), 0.0F);
  EXPECT_EQ(map_place(100.0F, 100.0F, look), 1.0F);
  EXPECT_NEAR(map_place(0.5F, 100.0F, look), 0.131F, 1e-3F);
  EXPECT_EQ(map_place(3.0F, 0.0F, look), 0.0F);
}

TEST(MapPicture, EmptyCellsAreDarkInEveryColourMap) {
  for (const ColorMap* map : color_maps()) {
    const auto image = map_picture(cells, 2, 2, {.colors = map});
    const auto empty = pixel(image, 0, 1);
    const auto full = pixel(image, 1, 0);
    EXPECT_LT(empty[0] + empty[1] + empty[2], 120) << map->name;
    EXPECT_GT(full[0] + full[1] + full[2], 250) << map->name;
  }
}

TEST(MapPicture, WhatIsNoMapIsRefused) {
  EXPECT_THROW(map_picture(cells, 3, 4, {}), Error);
  EXPECT_THROW(map_picture(cells, 2, 0, {}), Error);
  EXPECT_THROW(map_picture({}, 0, 4, {}), Error);
}

}  // namespace
}  // namespace orrery::render
