#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <utility>

#include "app/picture/display_options.h"
#include "lab/setup/starting_options.h"
#include "sim/galaxies/model.h"
#include "sim/scene/suggest.h"

namespace orrery::app {
namespace {

TEST(SceneOptions, CommandLineOptionsWinOverTheScene) {
  const auto table = all_options();
  auto configuration = table.defaults();
  sim::Scene scene;
  scene.physics.softening = 0.5;
  scene.physics.time_step = 0.125;
  lab::apply_scene(configuration, scene);
  lab::apply_assignments(table, configuration, {"softening=0.25"});
  EXPECT_EQ(configuration.real("softening"), 0.25);
  EXPECT_EQ(configuration.real("time-step"), 0.125);
}

/// Bodies without much mass go round as fast as the field says, and not as they pull each other.
TEST(SceneOptions, TheStepIsShortEnoughForAnExternalField) {
  sim::Scene scene;
  scene.physics.time_step = 0.5;
  scene.speed = 10.0;
  scene.bodies.resize(200);
  for (std::size_t i = 0; i < 200; ++i) scene.bodies.position[i] = {i < 100 ? 0.5F : 2.0F, 0, 0};
  const auto table = all_options();
  const auto step = [&](const std::vector<std::string>& assignments) {
    auto configuration = table.defaults();
    lab::apply_scene(configuration, scene, assignments);
    return std::pair(configuration.real("time-step"), configuration.real("speed"));
  };
  EXPECT_EQ(step({}), std::pair(0.5, 10.0));
  EXPECT_EQ(step({"external-field=nonsense"}), std::pair(0.5, 10.0));
  // G M = 1: a turn at radius r takes 2 pi r^1.5.
  const auto [point, slow] = step({"external-field=point-mass:1:1e-9"});
  EXPECT_NEAR(point, 2.0 * std::numbers::pi * std::pow(0.5, 1.5) / 100.0, 1e-3 * point);
  EXPECT_LT(slow, 10.0);
  EXPECT_NEAR(step({"external-field=point-mass:4:1e-9"}).first, 0.5 * point, 1e-3 * point);
}

/// Notes on the step are about the step that is taken.
TEST(SceneOptions, NotesAreOfTheStepWithTheAssignments) {
  sim::Scene scene;
  scene.bodies.resize(200);
  for (std::size_t i = 0; i < 200; ++i) {
    scene.bodies.position[i] = {static_cast<float>(i % 7), static_cast<float>(i % 11), 0};
    scene.bodies.mass[i] = 0.005F;
  }
  scene.notes = {"first"};
  sim::suggest_parameters(scene);
  const auto table = all_options();
  for (const std::vector<std::string>& assignments : {std::vector<std::string>{},
                                                      {"gravity=4"},
                                                      {"external-field=point-mass:1000"},
                                                      {"external-field=point-mass:0.1", "gravity=2"},
                                                      {"external-field=point-mass:1000", "gravity=0"},
                                                      {"external-field=nonsense"}}) {
    auto configuration = table.defaults();
    lab::apply_scene(configuration, scene, assignments);
    const auto notes = lab::notes_of(scene, assignments);
    EXPECT_EQ(notes.size(), scene.notes.size());
    EXPECT_EQ(std::ranges::count_if(notes, [](const auto& note) { return note.starts_with("time step "); }),
              1);
    const auto said = fmt::format("time step {:.4g} (", configuration.real("time-step"));
    EXPECT_TRUE(std::ranges::any_of(notes, [&](const auto& note) { return note.starts_with(said); })) << said;
  }
  // Nothing is said of a step that people chose, and without G a field still counts.
  EXPECT_EQ(lab::notes_of(scene, {"time-step=0.5"}).size(), scene.notes.size() - 1);
  const std::vector<std::string> field{"external-field=point-mass:1000"};
  auto without_pulls = field;
  without_pulls.emplace_back("gravity=0");
  EXPECT_EQ(lab::notes_of(scene, without_pulls), lab::notes_of(scene, field));
  EXPECT_NE(lab::notes_of(scene, field), scene.notes);
  // A scene that states its own step says why it is shorter.
  sim::Scene stated;
  stated.physics.time_step = 0.5;
  stated.bodies = scene.bodies;
  EXPECT_TRUE(lab::notes_of(stated, {"gravity=0.5"}).empty());
  EXPECT_EQ(lab::notes_of(stated, {"gravity=4"}),
            std::vector<std::string>{"time step 0.25 (the scene's, 0.5, is for G = 1)"});
  const auto notes = lab::notes_of(stated, {"external-field=point-mass:1000"});
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("1/100 of the shortest turn in the external field"), std::string::npos) << notes[0];
}

TEST(SceneOptions, ATimeStepThatIsHardlyMeantIsDoubted) {
  const auto scene = lab::load_dataset({.source = "plummer", .bodies = 500});
  const auto table = all_options();
  const auto doubt = [&](double step) {
    auto configuration = table.defaults();
    lab::apply_scene(configuration, scene);
    configuration.set("time-step", step);
    return lab::time_step_doubt(configuration, scene);
  };
  const double suggested = scene.physics.time_step;
  EXPECT_EQ(doubt(suggested), "");
  EXPECT_EQ(doubt(10.0 * suggested), "");
  EXPECT_EQ(doubt(1e-3 * suggested), "");
  EXPECT_TRUE(doubt(0.0).starts_with("the time step is 0: the bodies stand still"));
  EXPECT_TRUE(doubt(-suggested).starts_with("the time step is negative"));
  EXPECT_NE(doubt(1e9).find(" times as long as the one suggested"), std::string::npos);
  EXPECT_NE(doubt(-1e9).find(" times as long as the one suggested"), std::string::npos);
  EXPECT_NE(doubt(1e-9 * suggested).find("1e+09 times as short as the one suggested"), std::string::npos);
}

/// Of a model, and of what a file did not say: what follows from an option follows the one that was given.
TEST(SceneOptions, SuggestionsFollowWhatIsGiven) {
  const auto table = all_options();
  const auto step_with = [&](const sim::Scene& scene, const std::vector<std::string>& assignments) {
    auto configuration = table.defaults();
    lab::apply_scene(configuration, scene, assignments);
    return configuration.real("time-step");
  };
  const auto model = sim::make_galaxy("plummer", {.bodies = 1000, .seed = 1});
  EXPECT_NEAR(step_with(model, {"gravity=100"}), 0.1 * step_with(model, {}), 1e-12);
  EXPECT_EQ(step_with(model, {"gravity=0.01"}), step_with(model, {})) << "the bodies are as fast as before";
  sim::Scene file{.bodies = model.bodies};
  sim::suggest_parameters(file);
  EXPECT_LT(step_with(file, {"softening=1e-5"}), 0.1 * step_with(file, {}));
  EXPECT_GT(step_with(file, {"softening=0"}), 0.0);
  const auto notes = lab::notes_of(file, {"gravity=2", "softening=0.25"});
  EXPECT_EQ(notes.front(), "G = 2 (given); softening 0.25 (given)");
  EXPECT_EQ(std::ranges::count(notes, file.notes.front()), 0);
}

TEST(SceneOptions, SuggestionsOfAnyUnitsComeBackFromAState) {
  const auto table = all_options();
  sim::Scene scene;
  scene.physics.softening = 4.7e18;  // SI units
  scene.physics.time_step = 3e14;
  scene.speed = 1e16;
  auto configuration = table.defaults();
  lab::apply_scene(configuration, scene);
  auto copy = table.defaults();
  EXPECT_TRUE(table.assign_json(copy, sim::to_json(configuration)).empty());
  EXPECT_EQ(copy, configuration);
}

}  // namespace
}  // namespace orrery::app
