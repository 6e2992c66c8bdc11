#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/gui/grouped.h"
#include "app/window/model_pictures.h"
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

}  // namespace
}  // namespace orrery::app
