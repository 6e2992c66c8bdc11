#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/gui/grouped.h"
#include "app/window/model_pictures.h"
#include "app/window/model_sketch.h"
#include "lab/setup/paths.h"
#include "sim/galaxies/model.h"

namespace orrery::app {
namespace {

std::string word_after(const std::vector<std::string>& command, const char* option) {
  const auto at = std::ranges::find(command, option);
  return at == command.end() || at + 1 == command.end() ? std::string() : *(at + 1);
}

nlohmann::json recipes() {
  std::ifstream file(lab::data_folder() / "model_pictures.json");
  return nlohmann::json::parse(file);
}

TEST(Gallery, NumbersAreInGroups) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1 000");
  EXPECT_EQ(grouped(100'000'000), "100 000 000");
}

TEST(ModelPictures, EveryRecipeIsOfAModel) {
  const auto all = recipes();
  for (const auto& [name, recipe] : all.items()) EXPECT_NE(sim::find_galaxy_model(name), nullptr) << name;
}

TEST(ModelPictures, AreDrawnAsTheRecipesSay) {
  for (const auto* model : sim::galaxy_models()) {
    const auto command = model_picture_command(model->name, "/tmp/a b.png");
    const auto recipe = recipes().value(std::string(model->name), nlohmann::json::object());
    EXPECT_EQ(command.at(0), "render");
    EXPECT_EQ(command.at(1), model->name);
    EXPECT_EQ(word_after(command, "--steps"), std::to_string(recipe.value("steps", 0)));
    EXPECT_EQ(word_after(command, "--view"), recipe.value("view", "fit"));
    EXPECT_EQ(word_after(command, "-o"), "/tmp/a b.png");
  }
}

TEST(ModelPictures, OfOneProgramLieInOneFolderOfTheCache) {
  ::setenv("XDG_CACHE_HOME", "/tmp/cache-of-a-test", 1);
  const auto folder = model_picture_folder();
  EXPECT_EQ(folder.parent_path(), "/tmp/cache-of-a-test/orrery/galaxies");
  EXPECT_EQ(folder, model_picture_folder());
  ::unsetenv("XDG_CACHE_HOME");
}

/// The part of a picture's pixels that are brighter than this, and of its rim.
double lit(const render::Image& image, int least) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4)
    count += *std::max_element(&image.rgba[i], &image.rgba[i] + 3) > least ? 1U : 0U;
  return 4.0 * static_cast<double>(count) / static_cast<double>(image.rgba.size());
}

TEST(ModelSketch, ShowsWhatTheModelLooksLike) {
  for (const char* name : {"disk", "plummer", "collision", "figure-eight"}) {
    const auto image = model_sketch(*sim::find_galaxy_model(name), View::face_on, {120, 75});
    ASSERT_EQ(image.rgba.size(), 120U * 75U * 4U) << name;
    EXPECT_GT(lit(image, 40), 0.002) << name;
    EXPECT_LT(lit(image, 200), 0.5) << name;
    EXPECT_LT(image.rgba[0], 60) << name;
  }
}

TEST(ModelSketch, ADiskIsRedInsideAndBlueOutside) {
  const auto image = model_sketch(*sim::find_galaxy_model("disk"), View::face_on, {120, 75});
  const auto redness = [&](int x) {
    const auto at = static_cast<std::size_t>(37 * 120 + x) * 4;
    return static_cast<int>(image.rgba[at]) - static_cast<int>(image.rgba[at + 2]);
  };
  EXPECT_GT(redness(60), 10);
  EXPECT_LT(redness(38) + redness(82), 0);
}

}  // namespace
}  // namespace orrery::app
