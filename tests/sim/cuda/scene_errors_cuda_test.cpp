// Forces of the fast kernel families for every built-in scene, at numbers of bodies that fit no tile.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/galaxies/model.h"
#include "sim/options/physics_options.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim {
namespace {

struct SceneCase {
  const GalaxyModel* model;
  std::string family;
  std::string name() const {
    auto text = std::string(model->name) + "_" + family;
    std::ranges::replace(text, '-', '_');
    return text;
  }
};
void PrintTo(const SceneCase& each, std::ostream* out) { *out << each.name(); }

std::vector<SceneCase> scene_cases() {
  std::vector<SceneCase> cases;
  for (const auto* model : galaxy_models()) {
    for (const char* family : {"tiled", "tiled-2d", "register-split", "tensor-sum", "tensor", "tensor-pairs"})
      cases.push_back({model, family});
  }
  return cases;
}

/// The scene's own physics; half the softening too, where close pairs count for more.
Configuration configuration_of(const SceneCase& each, const Scene& scene, double softening) {
  auto configuration = checks::configuration_of({.name = "", .assignments = {"engine=cuda"}, .cuda = true});
  configuration.set("family", each.family);
  configuration.set("block", std::int64_t{128});
  set_physics(configuration, scene.physics);
  configuration.set("softening", softening);
  return configuration;
}

class SceneErrors : public testing::TestWithParam<SceneCase> {};
INSTANTIATE_TEST_SUITE_P(Cuda, SceneErrors, testing::ValuesIn(scene_cases()),
                         [](const auto& instance) { return instance.param.name(); });

TEST_P(SceneErrors, AreSmallAtRaggedNumbersOfBodies) {
  if (const auto reason = checks::why_not_here({.name = "", .assignments = {"engine=cuda"}, .cuda = true});
      !reason.empty())
    GTEST_SKIP() << reason;
  const auto& [model, family] = GetParam();
  const bool products = checks::uses_products(family);
  for (const std::size_t wanted : {4099U, 20011U}) {
    const auto bodies = std::clamp<std::size_t>(wanted, model->minimum_bodies, model->maximum_bodies);
    const auto scene = make_galaxy(model->name, {.bodies = bodies, .seed = 5});
    for (const double softening : {scene.physics.softening, 0.1 * scene.physics.softening}) {
      const auto configuration = configuration_of(GetParam(), scene, softening);
      const auto& option = checks::simulation_options().at("family");
      const auto reason = checks::simulation_options().refusal(
          option, configuration.value("family"), configuration, {.bodies = bodies, .galaxies = 1});
      if (!reason.empty()) GTEST_SKIP() << reason;
      const auto engine = checks::loaded(configuration, scene.bodies);
      engine->observe({.forces = 512, .seed = 7});
      engine->advance({});
      engine->finish();
      const auto error = force_error(engine->poll().forces.value());
      // Weights of half precision or TF32 are off by 2^-12 to 2^-10 at random: few bodies show it.
      EXPECT_LT(error.median, products ? 1e-4 : 5e-6) << bodies << " bodies, softening " << softening;
      EXPECT_LT(error.p99, products ? 1e-2 : 1e-3) << bodies << " bodies, softening " << softening;
    }
  }
}

}  // namespace
}  // namespace orrery::sim
