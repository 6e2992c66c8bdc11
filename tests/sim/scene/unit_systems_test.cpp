#include "sim/scene/unit_systems.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "sim/core/error.h"
#include "sim/galaxies/model.h"
#include "sim/scene/suggest.h"
#include "sim/snapshots/format.h"
#include "tests/temporary_folder.h"

namespace orrery::sim {
namespace {

/// A sphere in equilibrium, of 1 pc and 1000 solar masses, in the numbers of a system; says no units.
Scene cluster_in(const UnitSystem& system) {
  auto sphere = make_galaxy("plummer", {1000, 1});
  const double length = system.units.length > 0.0 ? meters_of_parsec / system.units.length : 1.0;
  const double mass = system.units.mass > 0.0 ? 1000.0 * kilograms_of_sun / system.units.mass : 1.0;
  Scene scene;
  scene.bodies = std::move(sphere.bodies);
  scale_units(
      scene,
      {.mass = mass, .length = length, .velocity = std::sqrt(system.gravitational_constant * mass / length)});
  scene.physics = {};
  scene.units = {};
  scene.notes.clear();
  return scene;
}

std::string notes_of(const Scene& scene) {
  std::string all;
  for (const auto& note : scene.notes) all += note + "\n";
  return all;
}

TEST(UnitSystems, GIsThatOfTheUnits) {
  constexpr double si = 6.6743e-11;
  for (const auto& system : unit_systems()) {
    const auto& [length, time, mass] = system.units;
    if (system.name == "nbody") continue;
    const double expected = si * mass * time * time / (length * length * length);
    // Gadget's own G is that of older constants.
    EXPECT_NEAR(system.gravitational_constant / expected, 1.0, 1e-4) << system.name;
  }
}

/// Taken where G = 1 is out of the question, and else proposed.
TEST(UnitSystems, ThoseOfAClusterInEquilibriumAreFound) {
  for (const auto& system : unit_systems()) {
    auto scene = cluster_in(system);
    suggest_parameters(scene);
    const double g = system.gravitational_constant;
    const bool taken = g > 1e3 || g < 1e-3, proposed = !taken && g != 1.0;
    EXPECT_EQ(scene.proposed_units, proposed ? system.name : "");
    EXPECT_EQ(notes_of(scene).find("proposed") != std::string::npos, proposed);
    EXPECT_EQ(notes_of(scene).find("in no other usual ones") != std::string::npos, taken);
    EXPECT_EQ(scene.physics.gravitational_constant, taken ? g : 1.0);
    EXPECT_EQ(unit_system_of(scene) == &system, taken || g == 1.0);
    EXPECT_NEAR(scene.virial_ratio, taken || g == 1.0 ? 0.5 : 0.5 * g, taken || g == 1.0 ? 0.05 : 0.05 * g);
  }
}

TEST(UnitSystems, NothingIsTakenThatOnlyMayBe) {
  const auto& si = unit_system_named("si");
  auto at_rest = cluster_in(si);
  at_rest.has_velocities = false;
  suggest_parameters(at_rest);
  EXPECT_EQ(at_rest.physics.gravitational_constant, 1.0);
  // Masses that nobody stated.
  auto without = cluster_in(si);
  std::ranges::fill(without.bodies.mass, 1e-3F);
  suggest_parameters(without);
  EXPECT_EQ(without.physics.gravitational_constant, 1.0);
  auto told = cluster_in(si);
  state_units(told, unit_system_named("nbody"));
  suggest_parameters(told);
  EXPECT_EQ(told.physics.gravitational_constant, 1.0);
  EXPECT_EQ(only_bound(4.3e-3), nullptr) << "1000 times off or more";
  EXPECT_EQ(only_bound(0.5e-3), &unit_system_named("au-d"));
  EXPECT_EQ(only_bound(1e-8), nullptr) << "none fits";
}

TEST(UnitSystems, StatedUnitsAreNotProposedAgain) {
  const auto& parsecs = unit_system_named("pc");
  auto scene = cluster_in(parsecs);
  state_units(scene, parsecs);
  suggest_parameters(scene);
  EXPECT_EQ(scene.proposed_units, "");
  EXPECT_EQ(notes_of(scene).find("K/|W|"), std::string::npos) << notes_of(scene);
  EXPECT_EQ(unit_system_of(scene), &parsecs);
}

TEST(UnitSystems, SaysWhereNoneBindsTheBodies) {
  auto scene = cluster_in(unit_system_named("gadget"));
  for (auto& v : scene.bodies.velocity) v *= 2.0F;
  suggest_parameters(scene);
  EXPECT_NE(notes_of(scene).find("2T/|W| is above 2 in all usual units"), std::string::npos)
      << notes_of(scene);
}

TEST(UnitSystems, AFileTakesThoseThatWereNamed) {
  const test::TemporaryFolder folder;
  write_snapshot(cluster_in(unit_system_named("pc")), folder / "a.csv");
  const auto scene = read_snapshot(folder / "a.csv", {.units = "pc"});
  EXPECT_EQ(scene.physics.gravitational_constant, 4.30091e-3);
  EXPECT_EQ(scene.units, unit_system_named("pc").units);
  EXPECT_NE(notes_of(scene).find("pc, km/s, solar masses"), std::string::npos);
  EXPECT_THROW(read_snapshot(folder / "a.csv", {.units = "parsec"}), UsageError);
  // What states its physics has its own.
  write_snapshot(scene, folder / "b.bin");
  const auto own = read_snapshot(folder / "b.bin", {.units = "si"});
  EXPECT_EQ(own.units, scene.units);
  EXPECT_NE(notes_of(own).find("left out"), std::string::npos);
}

TEST(UnitSystems, TextNamesThem) {
  EXPECT_EQ(units_text({}), "");
  EXPECT_EQ(units_text(unit_system_named("gadget").units),
            "lengths in kpc, times in 977.8 Myr, masses in 1e+10 solar masses");
  EXPECT_EQ(units_text(unit_system_named("si").units), "lengths in m, times in s, masses in kg");
}

}  // namespace
}  // namespace orrery::sim
