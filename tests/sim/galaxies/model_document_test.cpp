#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "sim/galaxies/model.h"

namespace orrery::sim {
namespace {

// docs/models.md is made by tools/model_pictures.py: a new model or another meaning needs a new run.
TEST(ModelDocument, ShowsEveryModelAsItIs) {
  const std::filesystem::path folder = ORRERY_DOCUMENTS;
  std::ifstream file(folder / "models.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const GalaxyModel* model : galaxy_models()) {
    const std::string name(model->name);
    const std::string picture = "images/models/" + name + ".jpg";
    EXPECT_NE(text.find(fmt::format("]({})<br>**{}**: {}. Bodies: ", picture, name, model->meaning)),
              std::string::npos)
        << name;
    EXPECT_TRUE(std::filesystem::exists(folder / picture)) << picture;
  }
}

}  // namespace
}  // namespace orrery::sim
