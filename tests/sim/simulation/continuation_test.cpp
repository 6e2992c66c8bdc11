#include <algorithm>
#include <cmath>
#include <string>

#include "sim/core/error.h"
#include "sim/galaxies/model.h"
#include "sim/options/physics_options.h"
#include "sim/simulation/engine_registry.h"
#include "sim/simulation/lost_run.h"
#include "tests/sim/engines/engine_cases.h"
#include "tests/sim/snapshots/snapshot_testing.h"

// What was written in the middle of a run goes on as if nothing had happened: files carry all physics.
namespace orrery::sim {
namespace {

using checks::same_bits;

class Continuation : public SnapshotTest {
 protected:
  static Configuration configuration_of(const Physics& physics, const std::string& kernel = "sequential") {
    auto configuration = checks::simulation_options().defaults();
    set_physics(configuration, physics);
    configuration.set("engine", std::string("cpu"));
    configuration.set("kernel", kernel);
    configuration.set("threads", std::int64_t{2});
    return configuration;
  }
  static std::unique_ptr<Engine> started(const Scene& scene, const Physics& physics,
                                         const std::string& kernel = "sequential") {
    auto engine = make_engine(checks::simulation_options(), configuration_of(physics, kernel));
    engine->load(scene.bodies, scene.time);
    return engine;
  }
  /// The state after so many more steps with the scene's own physics.
  static Scene later(const Scene& scene, int steps, const std::string& kernel = "sequential") {
    const auto engine = started(scene, scene.physics, kernel);
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(engine->advance({}));
    return present_state(*engine, scene, scene.physics);
  }
  Scene through_a_file(const Scene& scene) const {
    write_snapshot(scene, folder() / "state.bin");
    return read_snapshot(folder() / "state.bin");
  }
  static void expect_same(const Scene& a, const Scene& b, std::string_view what) {
    EXPECT_TRUE(same_bits(a.bodies.position, b.bodies.position)) << what;
    EXPECT_TRUE(same_bits(a.bodies.velocity, b.bodies.velocity)) << what;
    EXPECT_EQ(a.time, b.time) << what;
    EXPECT_EQ(a.physics, b.physics) << what;
  }
};

Scene small(const GalaxyModel& model) {
  const auto bodies = model.minimum_bodies == model.maximum_bodies
                          ? model.default_bodies
                          : std::clamp<std::size_t>(60, model.minimum_bodies, model.maximum_bodies);
  return make_galaxy(model.name, {bodies, 7});
}

TEST_F(Continuation, TwiceHalfOfTheStepsThroughAFileIsAllOfThemForEveryModel) {
  for (const auto* model : galaxy_models()) {
    const char* kernel = model->name.size() % 2 == 0 ? "sequential" : "omp-region";
    const Scene start = small(*model);
    const Scene whole = later(start, 16, kernel);
    const Scene half = through_a_file(later(start, 8, kernel));
    expect_same(later(half, 8, kernel), whole, model->name);
    // In so short a time some move by less than a position can tell.
    EXPECT_FALSE(same_bits(half.bodies.velocity, whole.bodies.velocity)) << model->name;
  }
}

TEST_F(Continuation, EveryIntegratorGoesOnFromAFile) {
  for (const auto* integrator : integrators()) {
    Scene start = make_galaxy("plummer", {100, 3});
    start.physics.integrator = integrator;
    expect_same(later(through_a_file(later(start, 25)), 25), later(start, 50), integrator->name);
  }
}

/// Shows that the comparison notices what a file forgets.
TEST_F(Continuation, AnythingThatIsForgottenIsNoticed) {
  const Scene start = small(*find_galaxy_model("charges"));
  const Scene whole = later(start, 50);
  const Scene half = later(start, 25);
  int forgotten = 0;
  for (const auto forget :
       {+[](Physics& p) { p.law = &gravity_law; }, +[](Physics& p) { p.softening = 0.05; },
        +[](Physics& p) { p.integrator = &leapfrog; }, +[](Physics& p) { p.magnetic = 0.0; },
        +[](Physics& p) { p.dimensions = 2; }, +[](Physics& p) { p.coulomb = 2.0; }}) {
    Scene forgetful = half;
    forget(forgetful.physics);
    EXPECT_FALSE(same_bits(later(forgetful, 25).bodies.velocity, whole.bodies.velocity)) << forgotten;
    ++forgotten;
  }
}

TEST_F(Continuation, ARescuedStateCarriesThePhysicsInForce) {
  const Scene scene = make_galaxy("plummer", {80, 2});
  Physics chosen = scene.physics;
  chosen.gravitational_constant = 1.25;
  chosen.softening *= 2.0;
  chosen.time_step *= -0.5;
  chosen.integrator = find_integrator("symplectic-euler");
  chosen.dimensions = 2;
  const auto engine = started(scene, chosen);
  for (int k = 0; k < 25; ++k) engine->advance({});
  const auto message = rescue_state(*engine, scene, chosen, folder(), "GPU 1 failed");
  EXPECT_TRUE(message.starts_with("GPU 1 failed; saved as '")) << message;
  const Scene rescued = read_snapshot(folder() / "orrery-rescued-step25.bin");
  EXPECT_EQ(rescued.physics, chosen);
  EXPECT_NE(rescued.physics, scene.physics);
  EXPECT_EQ(rescued.time, engine->status().time);
  for (int k = 0; k < 25; ++k) engine->advance({});
  expect_same(later(rescued, 25), present_state(*engine, scene, chosen), "25 steps more");
}

TEST_F(Continuation, BodiesThatStartedAtRestHaveVelocitiesAfterAStep) {
  const Scene start = read_snapshot(save("rest.csv", "x,y,z,mass\n0,0,0,1\n1,0,0,1\n0,1,0,1\n"));
  ASSERT_FALSE(start.has_velocities);
  EXPECT_FALSE(later(start, 0).has_velocities);
  for (const char* name : {"moved.csv", "moved.bin"}) {
    const Scene moved = later(start, 50);
    write_snapshot(moved, folder() / name);
    const Scene back = read_snapshot(folder() / name);
    EXPECT_TRUE(back.has_velocities) << name;
    EXPECT_NE(back.bodies.velocity[0], Vec3{}) << name;
    EXPECT_TRUE(same_bits(back.bodies.velocity, moved.bodies.velocity)) << name;
    EXPECT_FALSE(has_note(back, "at rest")) << name;
  }
}

// No reader takes such numbers.
TEST_F(Continuation, NumbersThatAreNotFiniteAreNotWritten) {
  Scene scene = make_galaxy("plummer", {80, 2});
  scene.bodies.velocity[6].y = NAN;
  for (const auto* format : snapshot_formats()) {
    if (format->write == nullptr) continue;
    const auto file = folder() / "bad";
    try {
      write_snapshot(scene, file, format->name);
      FAIL() << format->name;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("the velocity of body 7 is not finite"), std::string::npos)
          << error.what();
    }
    EXPECT_FALSE(std::filesystem::exists(file));
  }
}

TEST_F(Continuation, ARunThatLeavesTheFiniteNumbersIsNoticed) {
  const Scene scene = make_galaxy("plummer", {80, 2});
  auto wild = scene.physics;
  wild.time_step = 1e20;
  const auto engine = started(scene, wild);
  FiniteWatch watch(scene.bodies);
  EXPECT_EQ(watch.problem(*engine), "");
  const auto run = [&] {
    for (int k = 0; k < 64; ++k) {
      engine->advance({});
      watch.after_step(*engine);
    }
  };
  EXPECT_THROW(run(), Error);
  const auto found = watch.problem(*engine);
  EXPECT_NE(found.find("of body 1 is not finite at step "), std::string::npos) << found;
  const auto calm = started(scene, scene.physics);
  for (int k = 0; k < 10; ++k) calm->advance({});
  EXPECT_NO_THROW(FiniteWatch(scene.bodies).check(*calm));
}

TEST_F(Continuation, AStateThatCannotBeSavedIsSaid) {
  const Scene scene = make_galaxy("two-body", {});
  const auto engine = started(scene, scene.physics);
  const auto message = rescue_state(*engine, scene, scene.physics, folder() / "absent", "lost");
  EXPECT_TRUE(message.starts_with("lost; it could not be saved: ")) << message;
}

}  // namespace
}  // namespace orrery::sim
