#include "sim/physics/physics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "sim/options/physics_options.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/physics/laws/pair_sum.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim {
namespace {

// Another value than the default, for every kind of member.
void change(double& number) { number = 0.25 * number + 1.0 / 3.0; }
void change(int& number) { number = 5 - number; }
void change(const ForceLaw*& law) { law = &electric_law; }
void change(const ExternalField*& field) { field = find_external_field("nfw"); }
void change(const StepRule*& rule) { rule = &adaptive_step; }
void change(const Integrator*& integrator) { integrator = find_integrator("forest-ruth"); }

/// The defaults but for one member.
std::vector<std::pair<std::string, Physics>> changed_in_one() {
  std::vector<std::pair<std::string, Physics>> all;
  const Physics defaults;
  for_each_value(defaults, [&](const char* name, const auto&) { all.emplace_back(name, defaults); });
  for (auto& [wanted, physics] : all) {
    for_each_value(physics, [&, &wanted = wanted](const char* name, auto& value) {
      if (name == wanted) change(value);
    });
  }
  return all;
}

TEST(Physics, EveryMemberHasANameAndCounts) {
  std::set<std::string> names;
  for (const auto& [name, physics] : changed_in_one()) {
    EXPECT_NE(physics, Physics{}) << name;
    EXPECT_EQ(problem_of(physics), "") << name;
    names.insert(name);
  }
  // Whoever adds a member adds its name to for_each_value, and its size here.
  EXPECT_EQ(names.size(), 20U);
  EXPECT_EQ(sizeof(Physics), 8U * names.size());
}

TEST(Physics, StepAndIntegratorAloneLeaveTheForcesAsTheyAre) {
  for (const auto& [name, physics] : changed_in_one()) {
    EXPECT_EQ(physics.same_forces(Physics{}), name == "integrator" || name.find("step") != std::string::npos)
        << name;
    EXPECT_EQ(Physics{}.same_forces(physics), physics.same_forces(Physics{})) << name;
  }
}

/// Numbers of a law, a rule or a field stand in the value that chooses it.
Physics with_what_reads(const std::string& name, Physics physics) {
  if (name == "coulomb" || name == "magnetic") physics.law = &electric_law;
  if (name.starts_with("step-")) physics.step = &adaptive_step;
  for (const auto* field : external_fields()) {
    Physics other{.field = field};
    Configuration configuration;
    for_each_value(other, [&](const std::string& each, auto& value) {
      if (each == name) change(value);
    });
    set_physics(configuration, other);
    if (name.starts_with("field-") && physics_of(configuration) == other) physics.field = field;
  }
  return physics;
}

TEST(Physics, DefaultsAreThoseOfTheOptionsAndComeBackFromThem) {
  const auto defaults = checks::simulation_options().defaults();
  EXPECT_EQ(physics_of(defaults), Physics{});
  for (const auto& [name, physics] : changed_in_one()) {
    auto configuration = defaults;
    const auto acting = with_what_reads(name, physics);
    set_physics(configuration, acting);
    EXPECT_EQ(physics_of(configuration), acting) << name;
    EXPECT_NE(configuration, defaults) << name;
    EXPECT_NO_THROW(checks::simulation_options().check(configuration)) << name;
  }
}

TEST(Physics, WhatNoEngineCanComputeIsNamed) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(problem_of({}), "");
  EXPECT_NE(problem_of({.gravitational_constant = infinity}).find("gravity"), std::string::npos);
  EXPECT_NE(problem_of({.magnetic = std::nan("")}).find("magnetic"), std::string::npos);
  EXPECT_NE(problem_of({.softening = -1.0}).find("softening"), std::string::npos);
  EXPECT_EQ(problem_of({.time_step = -1.0}), "") << "time may go back";
  EXPECT_NE(problem_of({.law = nullptr}).find("force-law"), std::string::npos);
  EXPECT_NE(problem_of({.integrator = nullptr}).find("integrator"), std::string::npos);
  EXPECT_NE(problem_of({.dimensions = 4}).find("dimensions"), std::string::npos);
}

// ---- laws: the force is what the potential says ----

/// strength w_i / m_i times minus the gradient of the potential at body i, by differences.
DVec3 acceleration_by_potential(const Physics& physics, const Bodies& bodies, std::size_t i) {
  const auto& law = *physics.law;
  const ForceState state{bodies.position, bodies.velocity, bodies.mass, bodies.charge};
  const auto weights = law.weights(state);
  const PointMasses points(bodies.position, weights);
  const auto potential = [&](const DVec3& x) {
    return law.potential(points, {0, i}, x, physics.constants()) +
           law.potential(points, {i + 1, bodies.size()}, x, physics.constants());
  };
  constexpr double h = 1e-5;
  const DVec3 x = points.position(i);
  const DVec3 slope{potential(x + DVec3{h, 0, 0}) - potential(x - DVec3{h, 0, 0}),
                    potential(x + DVec3{0, h, 0}) - potential(x - DVec3{0, h, 0}),
                    potential(x + DVec3{0, 0, h}) - potential(x - DVec3{0, 0, h})};
  return (-law.strength(physics.constants()) * weights[i] / bodies.mass[i] / (2.0 * h)) * slope;
}

TEST(ForceLaws, ForcesAreTheSlopeOfThePotential) {
  const auto bodies = checks::charged_bodies(40);
  const ForceState state{bodies.position, bodies.velocity, bodies.mass, bodies.charge};
  for (const auto* law : force_laws()) {
    // The magnetic force has no potential: it does no work.
    Physics physics{.gravitational_constant = 1.7, .law = law, .coulomb = 1.3, .magnetic = 0.0};
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto expected = law->acceleration(state, physics.constants(), i, {0, bodies.size()});
      const auto found = acceleration_by_potential(physics, bodies, i);
      EXPECT_LE(norm(found - expected), 1e-5 * norm(expected)) << law->name << " " << i;
    }
  }
}

TEST(ForceLaws, TheFieldIsTheAcceleration) {
  const auto bodies = checks::ragged_bodies(50);
  const ForceState state{bodies.position, bodies.velocity, bodies.mass, bodies.charge};
  const auto constants = Physics{.gravitational_constant = 1.7}.constants();
  int with_field = 0;
  for (const auto* law : force_laws()) {
    if (law->field == nullptr) continue;
    ++with_field;
    const PointMasses points(bodies.position, law->weights(state));
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto expected = law->acceleration(state, constants, i, {0, bodies.size()});
      const auto found = law->field(points, {0, bodies.size()}, points.position(i), constants);
      EXPECT_LE(norm(found - expected), 1e-13 * norm(expected)) << law->name;
    }
  }
  EXPECT_GE(with_field, 1);
}

/// Another softening, in no file but this: the energy is the one that it says.
TEST(ForceLaws, TheEnergyAsksTheLawForItsPotential) {
  ForceLaw harmonic = gravity_law;
  harmonic.potential = [](const PointMasses& weights, GalaxyRange sources, const DVec3& x,
                          const ForceConstants&) {
    double sum = 0.0;
    for (std::size_t j = sources.first; j < sources.last; ++j) {
      const DVec3 r = weights.position(j) - x;
      sum += weights.mass[j] * dot(r, r);
    }
    return sum;
  };
  const auto bodies = checks::ragged_bodies(700, 2);
  const auto galaxies = bodies.galaxies();
  double expected = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (bodies.galaxy[i] != bodies.galaxy[j]) continue;
      const DVec3 r = DVec3(bodies.position[i]) - DVec3(bodies.position[j]);
      expected -= 3.0 * bodies.mass[i] * bodies.mass[j] * dot(r, r);
    }
  }
  DiagnosticsRequest request{.physics = {.gravitational_constant = 3.0, .law = &harmonic}};
  EXPECT_NEAR(diagnose(view_of(bodies, galaxies), request).potential, expected, 1e-11 * std::abs(expected));
  request.exact_limit = 0;
  request.sample = 300;
  const auto sampled = diagnose(view_of(bodies, galaxies), request);
  EXPECT_GT(sampled.potential_uncertainty, 0.0);
  EXPECT_NEAR(sampled.potential, expected, 5.0 * sampled.potential_uncertainty);
}

}  // namespace
}  // namespace orrery::sim
