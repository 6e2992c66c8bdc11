#include "sim/physics/fields/external_field.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "sim/cpu/kernel.h"
#include "sim/options/physics_options.h"
#include "sim/options/tree_options.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/physics/sources.h"
#include "sim/simulation/engine_registry.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim {
namespace {

constexpr FieldConstants constants{
    .gm = 1.3, .speed_squared = 0.9, .radius = 0.7, .height = 0.2, .flattening = 0.8};
const std::array places{DVec3{1, 0.5, 0.3},     DVec3{-0.002, 0.001, 0.003}, DVec3{3, -4, 2},
                        DVec3{0.02, 0.03, -20}, DVec3{0.006, 0, 0},          DVec3{0.1, 0.2, 0}};

std::vector<const ExternalField*> acting() {
  std::vector<const ExternalField*> fields;
  for (const auto* each : external_fields()) {
    if (each->acts()) fields.push_back(each);
  }
  return fields;
}

/// The largest relative difference of the acceleration from the gradient of the potential.
double gradient_error(const ExternalField& field, const DVec3& x) {
  constexpr double h = 1e-5;
  const auto slope = [&](const DVec3& along) {
    const DVec3 d = h * along;
    return (field.potential(constants, x + d) - field.potential(constants, x - d)) / (2.0 * h);
  };
  const DVec3 gradient{slope({1, 0, 0}), slope({0, 1, 0}), slope({0, 0, 1})};
  const DVec3 a = field.acceleration(constants, x);
  return norm(a + gradient) / norm(a);
}

TEST(ExternalFields, AreFoundByNameAndTheFirstDoesNothing) {
  EXPECT_EQ(external_fields().front(), &none_field);
  EXPECT_FALSE(none_field.acts());
  EXPECT_EQ(acting().size(), 4U);
  for (const auto* each : external_fields()) EXPECT_EQ(find_external_field(each->name), each);
  EXPECT_EQ(find_external_field("nothing"), nullptr);
}

TEST(ExternalFields, AccelerationIsTheGradientOfThePotential) {
  for (const auto* field : acting()) {
    for (const auto& x : places) EXPECT_LT(gradient_error(*field, x), 1e-4) << field->name << " at " << x.x;
  }
  // The check sees a field whose acceleration is that of another one.
  ExternalField wrong = *find_external_field("nfw");
  wrong.acceleration = find_external_field("point-mass")->acceleration;
  EXPECT_GT(gradient_error(wrong, places[0]), 0.1);
}

TEST(ExternalFields, CircularOrbitsHaveThePublishedSpeed) {
  const double r = 2.1, a = constants.radius;
  const auto squared = [&](std::string_view name) {
    return -r * find_external_field(name)->acceleration(constants, {r, 0, 0}).x;
  };
  EXPECT_NEAR(squared("point-mass"), 1.3 * r * r / std::pow(r * r + a * a, 1.5), 1e-12);
  EXPECT_NEAR(squared("logarithmic"), 0.9 * r * r / (r * r + a * a), 1e-12);
  EXPECT_NEAR(squared("miyamoto-nagai"), 1.3 * r * r / std::pow(r * r + 0.9 * 0.9, 1.5), 1e-12);
  EXPECT_NEAR(squared("nfw"), 1.3 * (std::log(1 + r / a) - r / (a + r)) / r, 1e-12);
}

TEST(ExternalFields, NothingIsInfiniteInTheCentre) {
  for (const auto* field : acting()) {
    EXPECT_EQ(field->acceleration(constants, {}), DVec3{}) << field->name;
    EXPECT_TRUE(std::isfinite(field->potential(constants, {}))) << field->name;
  }
}

/// One body of mass 1 without a companion, in a field.
Bodies one_body(const DVec3& x, const DVec3& v) {
  Bodies bodies;
  bodies.resize(1);
  bodies.position[0] = Vec3(x);
  bodies.velocity[0] = Vec3(v);
  bodies.mass[0] = 1.0F;
  return bodies;
}

Configuration in_field(const ExternalField& field, double dt) {
  auto configuration = checks::simulation_options().defaults();
  configuration.set("engine", std::string("cpu"));
  configuration.set("kernel", std::string("sequential"));
  Physics physics{.softening = 0.05, .time_step = dt, .field = &field};
  physics.field_mass = 1.5;
  physics.field_flattening = 0.8;
  set_physics(configuration, physics);
  return configuration;
}

double energy_of(const Bodies& bodies, const Configuration& configuration) {
  const auto galaxies = bodies.galaxies();
  return diagnose(view_of(bodies, galaxies), {.physics = physics_of(configuration)}).energy();
}

Bodies after(const Bodies& start, const Configuration& configuration, int steps) {
  const auto engine = make_engine(checks::simulation_options(), configuration);
  engine->load(start, 0.0);
  for (int step = 0; step < steps; ++step) engine->advance({});
  auto end = start;
  engine->read_back(end);
  return end;
}

TEST(ExternalFields, EnginesMoveBodiesByThem) {
  for (const auto* field : acting()) {
    for (const char* kernel : {"sequential", "omp-region"}) {
      auto configuration = in_field(*field, 0.01);
      configuration.set("kernel", std::string(kernel));
      const auto at = physics_of(configuration).field_at();
      const double speed = std::sqrt(-1.5 * at.acceleration({1.5, 0, 0}).x);
      const auto start = one_body({1.5, 0, 0}, {0, speed, 0});
      // A quarter of a circular orbit.
      const auto steps = static_cast<int>(std::lround(0.5 * std::numbers::pi * 1.5 / speed / 0.01));
      const double angle = speed * 0.01 * steps / 1.5;
      const auto end = after(start, configuration, steps);
      const DVec3 expected{1.5 * std::cos(angle), 1.5 * std::sin(angle), 0};
      EXPECT_LT(norm(DVec3(end.position[0]) - expected), 2e-4) << field->name << ' ' << kernel;
    }
  }
}

TEST(ExternalFields, EnergyOfTheFieldIsPartOfTheEnergy) {
  for (const auto* field : acting()) {
    const auto configuration = in_field(*field, 0.005);
    const auto start = one_body({1.2, 0, 0.4}, {0, 0.6, 0.1});
    const auto end = after(start, configuration, 2000);
    const double before = energy_of(start, configuration);
    EXPECT_NEAR(energy_of(end, configuration), before, 2e-4 * std::abs(before)) << field->name;
    // Without the field's energy the sum is another one.
    auto none = configuration;
    none.set("external-field", std::string("none"));
    EXPECT_GT(std::abs(energy_of(end, none) - energy_of(start, none)), 1e-3) << field->name;
  }
}

/// Three masses among tracers.
Bodies with_tracers() {
  auto bodies = checks::ragged_bodies(40, 2);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (i % 3 != 0) bodies.mass[i] = 0.0F;
  }
  return bodies;
}

/// Bodies on circles about a fixed point mass: 2K + W + the field's virial is 0, however little they pull
/// each other.
TEST(ExternalFields, CircularOrbitsInThemHaveAVirialRatioOfAHalf) {
  const Physics physics{.softening = 0.0,
                        .field = find_external_field("point-mass"),
                        .field_mass = 2.0,
                        .field_radius = 1e-6,
                        .field_x = 30.0};
  Bodies bodies;
  bodies.resize(40);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double angle = 0.7 * static_cast<double>(i), r = 1.0 + 0.1 * static_cast<double>(i);
    const double v = std::sqrt(2.0 / r);
    bodies.position[i] = Vec3(DVec3{30.0 + r * std::cos(angle), r * std::sin(angle), 0});
    bodies.velocity[i] = Vec3(DVec3{-v * std::sin(angle), v * std::cos(angle), 0});
    bodies.mass[i] = 1e-9F;
  }
  const auto galaxies = bodies.galaxies();
  const auto found = diagnose(view_of(bodies, galaxies), {.physics = physics});
  EXPECT_NEAR(found.virial_ratio(), 0.5, 1e-4);
  EXPECT_GT(diagnose(view_of(bodies, galaxies), {.physics = {.softening = 0.0}}).virial_ratio(), 1e3);
}

TEST(Tracers, GoBehindTheBodiesOfTheirGalaxyAndKeepTheirIds) {
  const auto start = with_tracers();
  auto bodies = start;
  EXPECT_EQ(put_tracers_last(bodies), 26U);
  EXPECT_EQ(bodies.galaxies(), start.galaxies());
  for (const auto& galaxy : bodies.galaxies()) {
    for (std::size_t i = galaxy.first + 1; i < galaxy.last; ++i)
      EXPECT_FALSE(bodies.mass[i] > 0.0F && bodies.mass[i - 1] == 0.0F);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto id = bodies.id[i];
    EXPECT_EQ(bodies.position[i], start.position[id]);
    EXPECT_EQ(bodies.velocity[i], start.velocity[id]);
    EXPECT_EQ(bodies.mass[i], start.mass[id]);
  }
  EXPECT_EQ(put_tracers_last(bodies), 26U) << "again: nothing changes";
}

TEST(Tracers, AreLeftOutOfTheSources) {
  auto bodies = with_tracers();
  put_tracers_last(bodies);
  const auto galaxies = bodies.galaxies();
  const auto sources =
      sources_of(galaxies, {bodies.position, bodies.velocity, bodies.mass, bodies.charge}, gravity_law);
  std::size_t left = 0;
  for (std::size_t k = 0; k < galaxies.size(); ++k) {
    EXPECT_EQ(sources[k].first, galaxies[k].first);
    left += sources[k].size();
  }
  EXPECT_EQ(left, 14U);
  // Nobody has mass: one source stays, of weight 0.
  std::vector<float> nothing(bodies.size());
  for (const auto& range :
       sources_of(galaxies, {bodies.position, bodies.velocity, nothing, nothing}, gravity_law))
    EXPECT_EQ(range.size(), 1U);
}

TEST(Tracers, MoveAsIfTheyHadBeenSummedAndCostLess) {
  auto bodies = with_tracers();
  put_tracers_last(bodies);
  // A tracer of a mass that no sum feels is summed with all others.
  auto summed = bodies;
  for (auto& mass : summed.mass) mass = mass == 0.0F ? 1e-30F : mass;
  for (const auto* kernel : cpu_kernels()) {
    auto configuration = checks::simulation_options().defaults();
    configuration.set("engine", std::string("cpu"));
    configuration.set("kernel", std::string(kernel->name));
    configuration.set("opening", relative_opening(0.0));
    const auto end = after(bodies, configuration, 20), right = after(summed, configuration, 20);
    for (std::size_t i = 0; i < end.size(); ++i)
      EXPECT_LT(norm(DVec3(end.position[i]) - DVec3(right.position[i])), 2e-5) << kernel->name;
    EXPECT_GT(norm(DVec3(end.position.back()) - DVec3(bodies.position.back())), 1e-4) << kernel->name;
  }
  const auto cpu = in_field(none_field, 0.01);
  const auto counted = make_engine(checks::simulation_options(), cpu);
  counted->load(bodies, 0.0);
  EXPECT_LT(counted->status().timings.interactions, 0.5 * interactions_per_evaluation(bodies.galaxies()));
}

TEST(CompensatedState, LosesLessInAHundredThousandSteps) {
  const auto drift = [](const char* state) {
    auto configuration = in_field(none_field, 2.0 * std::numbers::pi / 1000.0);
    configuration.set("softening", 0.0);
    configuration.set("state-precision", std::string(state));
    Bodies pair = one_body({-0.5, 0, 0}, {0, -0.5, 0});
    pair.append(one_body({0.5, 0, 0}, {0, 0.5, 0}));
    pair.mass = {0.5F, 0.5F};
    const auto end = after(pair, configuration, 100'000);
    return std::abs(energy_of(end, configuration) / energy_of(pair, configuration) - 1.0);
  };
  const double single = drift("single"), compensated = drift("compensated");
  EXPECT_LT(compensated, 3e-6);
  EXPECT_GT(single, 5.0 * compensated) << single;
}

}  // namespace
}  // namespace orrery::sim
