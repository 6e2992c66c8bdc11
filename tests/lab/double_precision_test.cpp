#include "lab/setup/free_option.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "lab/setup/starting_options.h"
#include "sim/galaxies/model.h"
#include "sim/options/physics_options.h"
#include "sim/simulation/engine_registry.h"
#include "sim/simulation/simulation_options.h"

namespace orrery::lab {
namespace {

const sim::OptionTable& table() {
  static const auto options = [] {
    sim::OptionTable made;
    sim::add_simulation_options(made);
    return made;
  }();
  return options;
}

/// As a command chooses its options on the CPU.
sim::Configuration configured(const sim::Scene& scene, const std::vector<std::string>& assignments = {}) {
  auto configuration = table().defaults();
  configuration.set("engine", std::string("cpu"));
  apply_scene(configuration, scene, assignments);
  apply_assignments(table(), configuration, assignments);
  choose_double_precision(table(), configuration, scene, assignments);
  return configuration;
}

TEST(DoublePrecision, IsTakenWhereTheSceneWantsIt) {
  const auto configuration = configured(sim::make_galaxy("solar-system", {}));
  EXPECT_EQ(configuration.choice("kernel"), "simd-double");
  EXPECT_EQ(configuration.choice("precision"), "double");
  EXPECT_EQ(configuration.integer("threads"), 1);
  EXPECT_EQ(configuration.choice("state-precision"), "compensated");
  const auto usual = configured(sim::make_galaxy("plummer", {.bodies = 100}));
  for (const char* option : precision_options)
    EXPECT_EQ(usual.value(option), table().defaults().value(option)) << option;
}

TEST(DoublePrecision, WhatWasChosenStays) {
  const auto scene = sim::make_galaxy("solar-system", {});
  EXPECT_EQ(configured(scene, {"kernel=sequential"}).choice("kernel"), "sequential");
  EXPECT_EQ(configured(scene, {"kernel=sequential"}).choice("state-precision"), "compensated");
  EXPECT_EQ(configured(scene, {"state-precision=single"}).choice("state-precision"), "single");
  // The kernel that was asked for before is not the default: it stays, too.
  EXPECT_EQ(configured(scene, {"kernel=simd"}).choice("kernel"), "simd");
}

/// The place of each planet from the Sun.
std::vector<sim::DVec3> planets_after(double time, sim::Configuration configuration) {
  auto scene = sim::make_galaxy("solar-system", {});
  const double steps = std::round(time / configuration.real("time-step"));
  configuration.set("time-step", time / steps);
  const auto engine = sim::make_engine(table(), configuration);
  engine->load(scene.bodies, 0.0);
  for (int k = 0; k < static_cast<int>(steps); ++k) engine->advance({});
  engine->finish();
  engine->read_back(scene.bodies);
  std::vector<sim::DVec3> places;
  for (std::size_t k = 1; k < scene.bodies.size(); ++k)
    places.push_back(sim::DVec3(scene.bodies.position[k]) - sim::DVec3(scene.bodies.position[0]));
  return places;
}

// The same start with steps a sixteenth as long, in double precision, without softening. By leapfrog in
// single precision Mercury was 1.9 degrees off.
TEST(SolarSystem, ItsOwnOptionsKeepPlanetsWithinAnArcMinuteForTenYears) {
  const auto scene = sim::make_galaxy("solar-system", {});
  const double ten_years = 10.0 * 365.25 * 0.01720209895;
  auto exact = configured(scene);
  exact.set("time-step", exact.real("time-step") / 16.0);
  exact.set("softening", 0.0);
  const auto right = planets_after(ten_years, exact);
  const auto found = planets_after(ten_years, configured(scene));
  auto plain =
      configured(scene, {"integrator=leapfrog", "time-step=0.005", "kernel=simd", "state-precision=single"});
  const auto before = planets_after(ten_years, plain);
  const auto seconds = [&](const std::vector<sim::DVec3>& places, std::size_t k) {
    return norm(places[k] - right[k]) / norm(right[k]) * 206'264.8;
  };
  for (std::size_t k = 0; k < right.size(); ++k) EXPECT_LT(seconds(found, k), 20.0) << k;
  EXPECT_GT(seconds(before, 0), 3600.0) << "the check sees what was wrong";
}

}  // namespace
}  // namespace orrery::lab
