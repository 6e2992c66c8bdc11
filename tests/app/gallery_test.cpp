#include <gtest/gtest.h>

#include <algorithm>

#include "lab/setup/paths.h"
#include "render/picture/image.h"
#include "sim/core/counted.h"
#include "sim/galaxies/model.h"

namespace orrery::app {
namespace {

TEST(Gallery, NumbersAreInGroups) {
  EXPECT_EQ(sim::grouped(0), "0");
  EXPECT_EQ(sim::grouped(999), "999");
  EXPECT_EQ(sim::grouped(1000), "1 000");
  EXPECT_EQ(sim::grouped(100'000'000), "100 000 000");
}

TEST(Gallery, EveryModelHasAPictureThatShowsSomething) {
  for (const auto* model : sim::galaxy_models()) {
    const auto image = render::read_jpeg(lab::data_folder() / "models" / (std::string(model->name) + ".jpg"));
    EXPECT_EQ(image.width, 320) << model->name;
    EXPECT_EQ(image.height, 200) << model->name;
    ASSERT_EQ(image.rgba.size(), 320U * 200U * 4U) << model->name;
    std::size_t lit = 0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
      EXPECT_EQ(image.rgba[i + 3], 255);
      lit += *std::max_element(&image.rgba[i], &image.rgba[i] + 3) > 60 ? 1U : 0U;
    }
    EXPECT_GT(lit, 30U) << model->name;
    EXPECT_LT(lit, 50'000U) << model->name;
  }
}

}  // namespace
}  // namespace orrery::app
