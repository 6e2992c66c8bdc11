#include "sim/scene/suggest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "sim/galaxies/model.h"
#include "sim/physics/fields/external_field.h"

namespace orrery::sim {
namespace {

Scene bare(const Scene& full) {
  Scene scene;
  scene.bodies = full.bodies;
  scene.physics.softening = scene.physics.time_step = 123.0;
  return scene;
}

bool mentions(const Scene& scene, const std::string& text) {
  for (const auto& note : scene.notes) {
    if (note.find(text) != std::string::npos) return true;
  }
  return false;
}

Physics with_gravity(const Scene& scene, double gravitational_constant) {
  auto physics = scene.physics;
  physics.gravitational_constant = gravitational_constant;
  return physics;
}

/// A sphere of `parts` times 12 000 bodies around a body as heavy as all of them.
Scene heavy_center(std::size_t parts) {
  Scene scene;
  for (std::size_t k = 0; k < parts; ++k)
    scene.bodies.append(make_galaxy("plummer", {12'000, k + 1}).bodies, 0);
  for (float& m : scene.bodies.mass) m /= static_cast<float>(parts);
  scene.bodies.mass[1] = 1.0F;
  scene.bodies.position[1] = scene.bodies.velocity[1] = {};
  return scene;
}

TEST(Suggest, OfManyBodiesAPartIsEnough) {
  Scene all = heavy_center(1);
  Scene part = heavy_center(4);
  suggest_parameters(all);
  suggest_parameters(part);
  EXPECT_EQ(part.bodies.size(), 48'000U);
  EXPECT_NEAR(part.physics.softening / all.physics.softening, 1.0, 0.03);
  EXPECT_NEAR(part.physics.time_step / all.physics.time_step, 1.0, 0.2);
  EXPECT_NEAR(part.speed / all.speed, 1.0, 0.03);
  EXPECT_EQ(part.notes.size(), all.notes.size());
}

TEST(Suggest, APlummerSphere) {
  Scene scene = bare(make_galaxy("plummer", {4096, 1}));
  suggest_parameters(scene);
  EXPECT_EQ(scene.physics.gravitational_constant, 1.0);
  EXPECT_NEAR(scene.physics.softening, 0.0077, 0.0004);
  // |a| of a smooth Plummer sphere is at most 2/(3 sqrt 3) / a^2 = 1.11; close neighbours add to it.
  EXPECT_GT(scene.physics.time_step, 0.5 * 0.2 * std::sqrt(0.0077 / 1.11));
  EXPECT_LT(scene.physics.time_step, 0.2 * std::sqrt(0.0077 / 1.11));
  EXPECT_NEAR(scene.speed, 2.0 * 0.7686 / std::sqrt(0.5 / 0.7686) / 4.0, 0.05);
  EXPECT_TRUE(mentions(scene, "G = 1"));
  EXPECT_FALSE(mentions(scene, "K/|W|"));
}

// G times as large is time sqrt(G) times as fast.
TEST(Suggest, AStatedGravityIsKeptAndFollowed) {
  constexpr double gravity = 43007.1;
  for (const bool cold : {false, true}) {
    for (const std::size_t count :
         cold ? std::vector<std::size_t>{500} : std::vector<std::size_t>{500, 33'000}) {
      Scene one = bare(make_galaxy("plummer", {count, 1}));
      if (cold) std::fill(one.bodies.velocity.begin(), one.bodies.velocity.end(), Vec3{});
      Scene other = one;
      for (auto& v : other.bodies.velocity) {
        const auto factor = static_cast<float>(std::sqrt(gravity));
        v = {v.x * factor, v.y * factor, v.z * factor};
      }
      other.states_gravity = true;
      other.physics.gravitational_constant = gravity;
      suggest_parameters(one);
      suggest_parameters(other);
      EXPECT_EQ(other.physics.gravitational_constant, gravity);
      EXPECT_NEAR(other.physics.softening / one.physics.softening, 1.0, 1e-6);
      EXPECT_NEAR(other.physics.time_step / one.physics.time_step * std::sqrt(gravity), 1.0, 1e-5);
      EXPECT_NEAR(other.speed / one.speed * std::sqrt(gravity), 1.0, 1e-5);
      EXPECT_TRUE(mentions(other, "G = 43007.1 in the file's units"));
    }
  }
}

TEST(Suggest, SaysWhenTheSystemIsNotInBalance) {
  Scene cold = bare(make_galaxy("plummer", {1000, 1}));
  for (Vec3& v : cold.bodies.velocity) v *= 0.5F;
  suggest_parameters(cold);
  EXPECT_TRUE(mentions(cold, "collapsing"));
  Scene hot = bare(make_galaxy("plummer", {1000, 1}));
  for (Vec3& v : hot.bodies.velocity) v *= 3.0F;
  suggest_parameters(hot);
  EXPECT_TRUE(mentions(hot, "unbound"));
}

TEST(Suggest, RecognizesTheUnitsOfGadget) {
  Scene scene = bare(make_galaxy("plummer", {1000, 1}));
  for (Vec3& v : scene.bodies.velocity) v *= static_cast<float>(std::sqrt(43007.1));
  suggest_parameters(scene);
  EXPECT_TRUE(mentions(scene, "with G = 43007.1"));
  EXPECT_TRUE(mentions(scene, "`--units gadget` takes them"));
  EXPECT_EQ(scene.proposed_units, "gadget");
  EXPECT_LT(scene.physics.time_step, 2e-4);  // the bodies really are that fast
}

// T = |W| is 2T/|W| = 2: what is less is bound.
TEST(Suggest, UnitsAreProposedUpToTheLimitOfBoundSystems) {
  const auto pair = [](double ratio, double g) {
    Scene scene;
    scene.bodies.resize(2);
    scene.bodies.mass = {1.0F, 1.0F};
    const auto speed = static_cast<float>(std::sqrt(0.5 * ratio * g));
    scene.bodies.position = {{-0.5F, 0.0F, 0.0F}, {0.5F, 0.0F, 0.0F}};
    scene.bodies.velocity = {{0.0F, speed, 0.0F}, {0.0F, -speed, 0.0F}};
    suggest_parameters(scene);
    return scene;
  };
  for (const double ratio : {0.5, 1.0, 1.15, 1.9}) {
    const auto scene = pair(ratio, 39.4769);
    EXPECT_EQ(scene.proposed_units, "au-yr") << ratio;
    EXPECT_FALSE(mentions(scene, "in all usual units")) << ratio;
    // One note says both ratios; none contradicts the proposal.
    EXPECT_FALSE(mentions(scene, "K/|W|")) << ratio;
    EXPECT_TRUE(mentions(scene, "with G = 1 it is")) << ratio;
    EXPECT_TRUE(mentions(scene, "(unbound); `--units au-yr`")) << ratio;
  }
  const auto unbound = pair(2.1, 43007.1);
  EXPECT_TRUE(mentions(unbound, "unbound"));
  EXPECT_EQ(unbound.proposed_units, "");
  EXPECT_TRUE(mentions(unbound, "2T/|W| is above 2 in all usual units, 2.1"));
}

/// A ring of bodies on circular orbits around one of mass 1.
Scene ring(double radius, std::size_t bodies, float mass) {
  Scene scene;
  scene.bodies.resize(bodies + 1);
  scene.bodies.mass.assign(bodies + 1, mass);
  scene.bodies.mass[0] = 1.0F;
  for (std::size_t i = 1; i <= bodies; ++i) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(bodies);
    const double c = std::cos(angle), s = std::sin(angle), v = 1.0 / std::sqrt(radius);
    scene.bodies.position[i] = static_cast<Vec3>(DVec3{radius * c, radius * s, 0.0});
    scene.bodies.velocity[i] = static_cast<Vec3>(DVec3{-v * s, v * c, 0.0});
  }
  return scene;
}

TEST(Suggest, TestParticlesAroundOneMassGiveTheScale) {
  for (const double radius : {1e-3, 1.0, 1e5}) {
    auto scene = ring(radius, 40, 0.0F);
    suggest_parameters(scene);
    EXPECT_NEAR(scene.physics.softening, 0.01 * radius, 1e-5 * radius);
    const double turn = 2.0 * std::numbers::pi * std::pow(radius, 1.5);
    EXPECT_LT(scene.physics.time_step, turn / 100.0);
    EXPECT_GT(scene.physics.time_step, turn / 5000.0);
    EXPECT_FALSE(mentions(scene, "no extent"));
  }
  // Of bodies with mass those without decide nothing.
  auto pair = ring(1.0, 1, 1.0F);
  auto with_tracer = pair;
  with_tracer.bodies.append(ring(50.0, 1, 0.0F).bodies, 0);
  with_tracer.bodies.mass[2] = 0.0F;
  for (auto* each : {&pair, &with_tracer}) suggest_parameters(*each);
  EXPECT_EQ(pair.physics.softening, with_tracer.physics.softening);
}

TEST(Suggest, StaysWithinTheLimitsOfTheOptions) {
  auto scene = ring(1.0, 40, 0.1F);
  for (auto& x : scene.bodies.position) x *= 1e37F;
  for (auto& v : scene.bodies.velocity) v = {};
  scene.bodies.position[0] = {3e37F, 0.0F, 0.0F};
  suggest_parameters(scene);
  EXPECT_LE(scene.physics.softening, largest_softening);
  EXPECT_LE(scene.physics.time_step, largest_time_step);
  EXPECT_TRUE(mentions(scene, "write the file in larger units"));
}

// Of bodies at rest all times go with 1 / sqrt(G); those that move as units of Gadget demand are followed
// closely.
TEST(Suggest, StepsFollowTheGravitationalConstant) {
  Scene still = bare(make_galaxy("plummer", {1000, 1}));
  for (Vec3& v : still.bodies.velocity) v = {};
  suggest_parameters(still);
  EXPECT_TRUE(still.physics_suggested);
  const auto weak = suggest_motion(still, with_gravity(still, 1e-4));
  EXPECT_NEAR(weak.time_step, 100.0 * still.physics.time_step, 1e-6 * weak.time_step);
  EXPECT_NEAR(weak.speed, 100.0 * still.speed, 1e-6 * weak.speed);
  Scene moving = bare(make_galaxy("plummer", {1000, 1}));
  const Scene plain = bare(make_galaxy("plummer", {1000, 1}));
  for (Vec3& v : moving.bodies.velocity) v *= static_cast<float>(std::sqrt(43007.1));
  suggest_parameters(moving);
  Scene reference = plain;
  suggest_parameters(reference);
  EXPECT_NEAR(suggest_motion(moving, with_gravity(moving, 43007.1)).time_step,
              reference.physics.time_step / std::sqrt(43007.1), 1e-7);
}

/// A galaxy looks the same to one who flies past it.
TEST(Suggest, AGalaxyThatMovesAsAWholeGetsTheSameSteps) {
  for (const std::size_t bodies : {2000, 40'000}) {
    Scene at_rest = bare(make_galaxy("plummer", {bodies, 1}));
    Scene moving = at_rest;
    for (auto& v : moving.bodies.velocity) v += Vec3{500.0F, -200.0F, 0.0F};
    suggest_parameters(at_rest);
    suggest_parameters(moving);
    EXPECT_NEAR(moving.physics.time_step / at_rest.physics.time_step, 1.0, 1e-3);
    EXPECT_NEAR(moving.speed / at_rest.speed, 1.0, 1e-3);
    EXPECT_EQ(moving.proposed_units, at_rest.proposed_units);
    EXPECT_FALSE(mentions(moving, "unbound"));
  }
}

/// In a field it does not: the field stays where it is.
TEST(Suggest, CommonMotionCountsInAnExternalField) {
  for (const std::size_t bodies : {2000, 40'000}) {
    Scene at_rest = bare(make_galaxy("plummer", {bodies, 1}));
    at_rest.physics.field = find_external_field("point-mass");
    at_rest.physics.field_mass = 1e-6;
    at_rest.physics.field_radius = 1.0;
    Scene moving = at_rest;
    for (auto& v : moving.bodies.velocity) v += Vec3{500.0F, -200.0F, 0.0F};
    suggest_parameters(at_rest);
    suggest_parameters(moving);
    EXPECT_LT(moving.physics.time_step, 0.1 * at_rest.physics.time_step);
    EXPECT_LT(moving.speed, 0.01 * at_rest.speed);
  }
}

/// Strong as a million of the bodies: its pull decides, wherever positions count from.
TEST(Suggest, TheFieldsPullShortensTheStep) {
  Scene scene = bare(make_galaxy("plummer", {500, 1}));
  scene.physics.field = find_external_field("point-mass");
  scene.physics.field_mass = 1e6;
  scene.physics.field_radius = 1.0;
  Scene elsewhere = scene, alone = scene;
  elsewhere.bodies.origin = {1e5, 0, 0};
  elsewhere.physics.field_x = 1e5;
  alone.physics.field = &none_field;
  for (Scene* each : {&scene, &elsewhere, &alone}) suggest_parameters(*each);
  EXPECT_LT(scene.physics.time_step, 0.05 * alone.physics.time_step);
  EXPECT_NEAR(elsewhere.physics.time_step, scene.physics.time_step, 1e-6 * scene.physics.time_step);
}

/// Tracers about a field's centre are looked at a hundred times in a turn, and go round in a dozen seconds.
TEST(Suggest, AStepIsAHundredthOfATurnInTheField) {
  Scene scene = bare(make_galaxy("plummer", {500, 1}));
  std::ranges::fill(scene.bodies.mass, 0.0F);
  for (Vec3& v : scene.bodies.velocity) v = {};
  for (std::size_t i = 0; i < 500; ++i)
    scene.bodies.position[i] = {(i % 2 == 0 ? 1.0F : -1.0F) * (i < 25 ? 0.05F : 2.0F), 0, 0};
  scene.physics.field = find_external_field("point-mass");
  scene.physics.field_radius = 1e-9;
  suggest_parameters(scene);
  const auto turn = [](double radius) { return 2.0 * std::numbers::pi * std::pow(radius, 1.5); };
  EXPECT_NEAR(scene.physics.time_step, turn(0.05) / 100.0, 1e-6);
  EXPECT_NEAR(scene.speed, turn(2.0) / 12.0, 1e-6);
  EXPECT_TRUE(mentions(scene, "1/100 of the shortest turn in the external field"));
}

/// A field of the command line is one of the scene: the same step, for the same reason.
TEST(Suggest, AFieldThatIsAddedIsOneOfTheScene) {
  for (const double mass : {1e-3, 1.0, 1e6}) {
    Scene alone = bare(make_galaxy("plummer", {500, 1}));
    Scene within = alone;
    within.physics.field = find_external_field("point-mass");
    within.physics.field_mass = mass;
    within.physics.field_radius = 1e-3;
    suggest_parameters(alone);
    auto with_field = within.physics;
    with_field.softening = alone.physics.softening;
    const auto motion = suggest_motion(alone, with_field);
    suggest_parameters(within);
    EXPECT_EQ(motion.time_step, within.physics.time_step) << mass;
    EXPECT_EQ(motion.speed, within.speed) << mass;
    EXPECT_EQ(motion.note, within.motion_note) << mass;
    EXPECT_TRUE(mentions(within, motion.note)) << mass;
  }
}

TEST(Suggest, BodiesWithoutSelfGravityAreNotSaidToCollapse) {
  Scene star = bare(make_galaxy("plummer", {100, 1}));
  std::ranges::fill(star.bodies.mass, 0.0F);
  star.bodies.mass[0] = 1.0F;
  Scene cold = bare(make_galaxy("plummer", {100, 1}));
  for (auto& v : cold.bodies.velocity) v = {};
  for (Scene* each : {&star, &cold}) suggest_parameters(*each);
  EXPECT_FALSE(mentions(star, "balance"));
  EXPECT_TRUE(mentions(cold, "not in balance, collapsing"));
}

// What looks cold with G = 1 is in equilibrium in parsecs.
TEST(Suggest, UnitsThatAreProposedExplainASmallRatioToo) {
  Scene scene = bare(make_galaxy("plummer", {1000, 1}));
  for (Vec3& v : scene.bodies.velocity) v *= static_cast<float>(std::sqrt(4.30091e-3));
  suggest_parameters(scene);
  EXPECT_EQ(scene.proposed_units, "pc");
  EXPECT_FALSE(mentions(scene, "not in balance")) << scene.notes.back();
  EXPECT_TRUE(mentions(scene, "(collapsing); `--units pc`")) << scene.notes.back();
}

// G as a person gave it is named; the notes say the same of any G.
TEST(Suggest, AProposalNamesTheGThatWasGiven) {
  Scene scene = bare(make_galaxy("plummer", {1000, 1}));
  for (Vec3& v : scene.bodies.velocity) v *= static_cast<float>(std::sqrt(43007.1));
  suggest_parameters(scene);
  const auto given = suggest_motion(scene, with_gravity(scene, 2.0));
  const auto says = [&](const std::string& text) {
    return std::ranges::any_of(given.notes, [&](const auto& note) { return note.find(text) != note.npos; });
  };
  EXPECT_TRUE(says("with G = 2 it is"));
  EXPECT_FALSE(says("K/|W|"));
}

/// Whatever G a scene had before, it ends with the same parameters and the same notes, each said once.
TEST(Suggest, ASceneTakesOtherPhysicsAgainAndAgain) {
  for (const double speed : {1.0, std::sqrt(43007.1)}) {
    Scene scene = bare(make_galaxy("plummer", {1000, 1}));
    for (Vec3& v : scene.bodies.velocity) v *= static_cast<float>(speed);
    scene.notes = {"read from a file"};
    suggest_parameters(scene);
    const Scene first = scene;
    take_physics(scene, with_gravity(scene, 2.0));
    EXPECT_EQ(scene.physics.gravitational_constant, 2.0);
    EXPECT_EQ(scene.notes.front(), "read from a file");
    EXPECT_EQ(std::ranges::count(scene.notes, scene.motion_note), 1);
    const Scene once = scene;
    take_physics(scene, with_gravity(scene, 7.0));
    EXPECT_LE(scene.physics.time_step, once.physics.time_step);
    take_physics(scene, with_gravity(scene, 2.0));
    EXPECT_EQ(scene.notes, once.notes);
    EXPECT_EQ(scene.speed, once.speed);
    EXPECT_EQ(scene.physics.time_step, once.physics.time_step);
    // Bodies that do not pull each other move as they did.
    Scene free = first;
    take_physics(free, with_gravity(first, 0.0));
    EXPECT_EQ(free.physics.gravitational_constant, 0.0);
    EXPECT_EQ(free.physics.time_step, first.physics.time_step);
    EXPECT_EQ(free.speed, first.speed);
  }
}

TEST(Suggest, PositionsOnly) {
  Scene scene = bare(make_galaxy("plummer", {500, 1}));
  for (Vec3& v : scene.bodies.velocity) v = {};
  scene.has_velocities = false;
  suggest_parameters(scene);
  EXPECT_TRUE(mentions(scene, "no velocities"));
  EXPECT_GT(scene.speed, 0.0);
}

TEST(Suggest, DegenerateSystemsGetFinitePositiveNumbers) {
  Scene empty;
  suggest_parameters(empty);
  Scene one;
  one.bodies.resize(1);
  one.bodies.mass[0] = 1.0F;
  Scene coincident;
  coincident.bodies.resize(10);
  for (float& m : coincident.bodies.mass) m = 1.0F;
  Scene massless;
  massless.bodies.resize(10);
  for (std::size_t i = 0; i < 10; ++i) massless.bodies.position[i].x = static_cast<float>(i);
  Scene tiny = bare(make_galaxy("plummer", {100, 1}));
  for (Vec3& x : tiny.bodies.position) x *= 1e-15F;
  for (Scene* scene : {&one, &coincident, &massless, &tiny}) {
    suggest_parameters(*scene);
    EXPECT_GT(scene->physics.softening, 0.0);
    EXPECT_GT(scene->physics.time_step, 0.0);
    EXPECT_TRUE(std::isfinite(scene->physics.time_step) && std::isfinite(scene->speed));
  }
  EXPECT_TRUE(std::isfinite(1.0F / std::pow(static_cast<float>(tiny.physics.softening), 3.0F)));
}

TEST(Suggest, BodiesWithoutAnyMassHaveAnExtent) {
  Scene scene;
  scene.bodies.resize(100);
  for (std::size_t i = 0; i < 100; ++i) {
    const auto angle = 0.0628F * static_cast<float>(i);
    scene.bodies.position[i] = {5.0F + std::cos(angle), std::sin(angle), 0.0F};
  }
  suggest_parameters(scene);
  EXPECT_NEAR(scene.physics.softening, 0.01, 1e-3);
}

}  // namespace
}  // namespace orrery::sim
