#include "sim/physics/laws/force_law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/core/error.h"
#include "sim/galaxies/model.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/simulation/simulation_options.h"
#include "tests/sim/engines/engine_cases.h"

// Charges and two dimensions over both engines. The expected forces are computed here, in double precision
// and by another formula than the program's: F_m = q_i v_i x B with B = K_M sum_j q_j v_j x r / R^3 (Biot and
// Savart).

namespace orrery::sim {
namespace {

using checks::after;
using checks::all_forces;
using checks::charged_bodies;
using checks::configuration_of;
using checks::EngineCase;
using checks::largest_difference;
using checks::loaded;
using checks::same_bits;

constexpr double softening = 0.05;  // the option's default
/// Single precision sums of up to 1000 terms, relative to the sum of the terms' sizes: charges cancel.
constexpr double force_bound = 2e-5;
constexpr std::array<std::size_t, 6> ragged{1, 31, 33, 255, 257, 1000};

struct Expected {
  DVec3 electric, magnetic;
  double size = 0.0;  // of all terms
  DVec3 total() const { return electric + magnetic; }
};

/// The acceleration of body i by all bodies of its galaxy.
Expected expected_acceleration(const Bodies& bodies, std::size_t i, const Physics& physics) {
  Expected sum;
  const double factor = bodies.charge[i] / static_cast<double>(bodies.mass[i]);
  for (std::size_t j = 0; j < bodies.size(); ++j) {
    if (j == i || bodies.galaxy[j] != bodies.galaxy[i]) continue;
    const DVec3 r = DVec3(bodies.position[i]) - DVec3(bodies.position[j]);
    const double distance = std::sqrt(dot(r, r) + softening * softening);
    const double weight = factor * bodies.charge[j] / std::pow(distance, 3.0);
    const DVec3 electric = physics.coulomb * weight * r;
    const DVec3 field = physics.magnetic * weight * cross(DVec3(bodies.velocity[j]), r);
    const DVec3 magnetic = cross(DVec3(bodies.velocity[i]), field);
    sum.electric += electric;
    sum.magnetic += magnetic;
    sum.size += norm(electric) + norm(magnetic);
  }
  return sum;
}

/// The largest error over all bodies, relative to the size of the terms.
double largest_error(const ForceSample& sample, const Bodies& bodies, const Physics& physics) {
  double largest = 0.0;
  for (std::size_t k = 0; k < sample.index.size(); ++k) {
    const auto expected = expected_acceleration(bodies, sample.index[k], physics);
    const double error = norm(DVec3(sample.acceleration[k]) - expected.total());
    largest = std::max(largest, expected.size > 0.0 ? error / expected.size : error);
  }
  return largest;
}

void flatten(Bodies& bodies) {
  for (auto& x : bodies.position) x.z = 0.0F;
  for (auto& v : bodies.velocity) v.z = 0.0F;
}

class CasesHere : public testing::TestWithParam<EngineCase> {
 protected:
  void SetUp() override {
    if (const auto reason = checks::why_not_here(GetParam()); !reason.empty()) GTEST_SKIP() << reason;
  }
  /// Explicit Euler: the forces are those of the state that was loaded.
  Configuration configuration(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), "integrator=explicit-euler");
    for (const auto& assignment : GetParam().assignments) {
      if (assignment.starts_with("integrator=")) more.front() = assignment;
    }
    return configuration_of(GetParam(), more);
  }
};

class Electric : public CasesHere {};
class Planar : public CasesHere {};
class Spline : public CasesHere {};

/// Configurations that compute charges also know the spline's softening.
std::vector<EngineCase> spline_cases(bool on_gpu) {
  auto cases = checks::electric_cases(on_gpu);
  for (auto& each : cases) {
    std::ranges::replace(each.assignments, "force-law=electric", "force-law=gravity-spline");
    if (const auto at = each.name.find("electric"); at != std::string::npos)
      each.name.replace(at, 8, "spline");
  }
  return cases;
}

#ifdef ORRERY_TEST_CUDA
constexpr bool cuda = true;
#else
constexpr bool cuda = false;
#endif
const auto name_of = [](const auto& instance) { return instance.param.name; };
INSTANTIATE_TEST_SUITE_P(Engines, Electric, testing::ValuesIn(checks::electric_cases(cuda)), name_of);
INSTANTIATE_TEST_SUITE_P(Engines, Spline, testing::ValuesIn(spline_cases(cuda)), name_of);
INSTANTIATE_TEST_SUITE_P(Engines, Planar, testing::ValuesIn(checks::planar_cases(cuda)), name_of);

// ---- charges ----

TEST_P(Electric, ForcesAreRightForRaggedNumbersOfBodies) {
  for (const auto count : ragged) {
    const auto bodies = charged_bodies(count);
    const auto sample = all_forces(configuration(), bodies);
    EXPECT_EQ(sample.index.size(), count);
    EXPECT_LT(largest_error(sample, bodies, {.law = &electric_law}), force_bound) << count << " bodies";
  }
}

TEST_P(Electric, TheBadgeSeesTheSameForces) {
  const auto sample = all_forces(configuration(), charged_bodies(257));
  EXPECT_EQ(sample.physics.law, &electric_law);
  EXPECT_EQ(sample.velocity.size(), 257U);
  EXPECT_LT(force_error(sample).median, 1e-5);
  auto broken = sample;
  for (auto& v : broken.velocity) v *= -0.5F;
  EXPECT_GT(force_error(broken).median, 1e-4);
}

TEST_P(Electric, TheMagneticTermIsThere) {
  const auto bodies = charged_bodies(257);
  const auto with = all_forces(configuration(), bodies);
  const auto without = all_forces(configuration({"force-law=electric:1:0"}), bodies);
  double error = 0.0, size = 0.0, share = 0.0;
  for (std::size_t k = 0; k < with.index.size(); ++k) {
    const auto expected = expected_acceleration(bodies, with.index[k], {.law = &electric_law});
    const DVec3 found = DVec3(with.acceleration[k]) - DVec3(without.acceleration[k]);
    error += norm(found - expected.magnetic);
    size += norm(expected.magnetic);
    share += norm(expected.electric);
  }
  EXPECT_LT(error, 1e-3 * size);
  EXPECT_GT(size, 0.02 * share) << "the test's charges are too slow to show it";
}

TEST_P(Electric, ABrokenForceIsNoticed) {
  const auto bodies = charged_bodies(255);
  const auto sample = all_forces(configuration(), bodies);
  EXPECT_GT(largest_error(sample, bodies, {.law = &electric_law, .magnetic = 0.0}), 100.0 * force_bound);
  EXPECT_GT(largest_error(sample, bodies, {.law = &electric_law, .magnetic = -0.1}), 100.0 * force_bound);
  EXPECT_GT(largest_error(sample, bodies, {.law = &electric_law, .coulomb = 1.01}), 100.0 * force_bound);
}

TEST_P(Electric, OnlyTheCoulombForceIsAntisymmetric) {
  const auto bodies = charged_bodies(200);
  const auto sum_of_forces = [&](const ForceSample& sample) {
    DVec3 sum;
    for (std::size_t k = 0; k < sample.index.size(); ++k)
      sum += static_cast<double>(bodies.mass[k]) * DVec3(sample.acceleration[k]);
    return sum;
  };
  DVec3 predicted;
  double size = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto expected = expected_acceleration(bodies, i, {.law = &electric_law});
    predicted += static_cast<double>(bodies.mass[i]) * expected.magnetic;
    size += bodies.mass[i] * expected.size;
  }
  EXPECT_LT(norm(sum_of_forces(all_forces(configuration({"force-law=electric:1:0"}), bodies))), 1e-6 * size);
  const auto sum = sum_of_forces(all_forces(configuration(), bodies));
  EXPECT_GT(norm(predicted), 1e-4 * size);
  EXPECT_LT(norm(sum - predicted), 0.02 * norm(predicted));
}

TEST_P(Electric, StepsEqualThoseOfTheSequentialKernelForEveryIntegrator) {
  const auto bodies = charged_bodies(100, 3);
  for (const char* name : {"leapfrog", "symplectic-euler", "explicit-euler", "forest-ruth"}) {
    const std::vector<std::string> more{std::string("integrator=") + name, "time-step=0.002"};
    const auto mine = after(*loaded(configuration(more), bodies), bodies, 5);
    const EngineCase sequential{.name = "", .assignments = {"kernel=sequential", "force-law=electric"}};
    const auto expected = after(*loaded(configuration_of(sequential, more), bodies), bodies, 5);
    EXPECT_TRUE(!GetParam().same_bits || same_bits(mine.velocity, expected.velocity)) << name;
    EXPECT_LT(largest_difference(mine.position, expected.position), 1e-5) << name;
    EXPECT_LT(largest_difference(mine.velocity, expected.velocity), 1e-3) << name;
    EXPECT_GT(largest_difference(mine.velocity, bodies.velocity), 1e-2) << name;
  }
}

TEST_P(Electric, GalaxiesDoNotFeelEachOther) {
  const auto bodies = charged_bodies(90, 4);
  EXPECT_LT(largest_error(all_forces(configuration(), bodies), bodies, {.law = &electric_law}), force_bound);
}

TEST_P(Electric, NoForceMovesBodiesWithoutChargeOrMass) {
  auto bodies = charged_bodies(40);
  bodies.mass[5] = 0.0F;
  bodies.charge[5] = 2.0F;
  const auto sample = all_forces(configuration(), bodies);
  EXPECT_EQ(sample.acceleration[5], Vec3{});
  EXPECT_EQ(sample.acceleration[3], Vec3{}) << "every seventh body from 3 on is neutral";
  bodies.charge[5] = 0.0F;
  EXPECT_NE(all_forces(configuration(), bodies).acceleration[6], sample.acceleration[6])
      << "a charge without mass acts on others";
}

TEST_P(Electric, CoincidentChargesWithoutSofteningStayFinite) {
  auto bodies = charged_bodies(20);
  bodies.position[7] = bodies.position[4];
  const auto moved = after(*loaded(configuration({"softening=0"}), bodies), bodies, 2);
  EXPECT_TRUE(std::ranges::all_of(moved.position, [](const Vec3& x) { return is_finite(x); }));
}

TEST_P(Electric, SwitchingTheLawKeepsTheState) {
  const auto bodies = charged_bodies(50);
  const auto engine = loaded(configuration({"force-law=gravity"}), bodies);
  const auto before = after(*engine, bodies, 2);
  engine->configure(configuration());
  EXPECT_TRUE(same_bits(after(*engine, bodies, 0).position, before.position));
  engine->observe({.forces = bodies.size(), .seed = 1});
  after(*engine, bodies, 1);
  engine->finish();
  EXPECT_LT(largest_error(engine->poll().forces.value(), before, {.law = &electric_law}), force_bound);
}

// ---- the spline's softening ----

TEST_P(Spline, ForcesAreRightForRaggedNumbersOfBodies) {
  for (const auto count : ragged) {
    const auto bodies = checks::ragged_bodies(count);
    for (const char* chosen : {"softening=0.3", "softening=0.02"}) {
      const auto sample = all_forces(configuration({chosen}), bodies);
      ASSERT_EQ(sample.physics.law, &gravity_spline_law);
      EXPECT_LT(checks::bounded_error(GetParam(), force_error(sample)), 5.0 * checks::force_bound(GetParam()))
          << count << " bodies, " << chosen;
    }
  }
}

// ---- two dimensions ----

TEST_P(Planar, ForcesAreThoseOfTheProjection) {
  for (const auto count : ragged) {
    const auto deep = charged_bodies(count);
    const auto sample = all_forces(configuration(), deep);
    auto flat = deep;
    flatten(flat);
    EXPECT_EQ(sample.position, flat.position);
    for (std::size_t k = 0; k < count; ++k) ASSERT_EQ(sample.acceleration[k].z, 0.0F);
    if (sample.physics.law == &electric_law) {
      EXPECT_LT(largest_error(sample, flat, {.law = &electric_law}), force_bound) << count;
    } else {
      // Atomic additions come in any order: forces that nearly cancel keep fewer digits.
      const double bound =
          checks::force_bound(GetParam()) * (GetParam().products && count < 100 ? 10.0 : 5.0);
      EXPECT_LT(checks::bounded_error(GetParam(), force_error(sample)), bound) << count;
    }
  }
}

TEST_P(Planar, DepthIsNeitherMovedNorPublished) {
  const auto deep = charged_bodies(65);
  const auto engine = loaded(configuration(), deep);
  const auto moved = after(*engine, deep, 3);
  std::vector<float> position(4 * deep.size(), NAN), velocity(4 * deep.size(), NAN);
  engine->write_vertices({.position = position.data(), .velocity = velocity.data(), .bodies = deep.size()});
  for (std::size_t i = 0; i < deep.size(); ++i) {
    EXPECT_EQ(moved.position[i].z, 0.0F);
    EXPECT_EQ(moved.velocity[i].z, 0.0F);
    EXPECT_EQ(position[4 * i + 2], 0.0F);
    EXPECT_EQ(velocity[4 * i + 2], 0.0F);
    EXPECT_EQ(position[4 * i], moved.position[i].x);
  }
  EXPECT_GT(largest_difference(moved.position, deep.position), 1e-3);
}

TEST_P(Planar, StepsEqualThoseOfTheSequentialKernel) {
  const auto bodies = charged_bodies(100, 3);
  auto settings = configuration({"time-step=0.002"});
  const auto mine = after(*loaded(settings, bodies), bodies, 5);
  for (const auto* const other : {"cpu", "sequential"})
    settings.set(other == std::string("cpu") ? "engine" : "kernel", std::string(other));
  settings.set("update", std::string("separate"));
  const auto expected = after(*loaded(settings, bodies), bodies, 5);
  EXPECT_LT(largest_difference(mine.position, expected.position), 1e-5);
  settings.set("dimensions", std::int64_t{3});
  const auto deep = after(*loaded(settings, bodies), bodies, 5);
  EXPECT_GT(largest_difference(mine.position, deep.position), 1e-3);
}

TEST_P(Planar, EnteringAndLeavingThePlaneKeepsTheRest) {
  const auto bodies = charged_bodies(60);
  const auto engine = loaded(configuration({"dimensions=3"}), bodies);
  auto before = after(*engine, bodies, 2);
  engine->configure(configuration());
  engine->advance({});
  auto planar = after(*engine, bodies, 1);
  EXPECT_EQ(planar.position[0].z, 0.0F);
  engine->configure(configuration({"dimensions=3"}));
  EXPECT_TRUE(same_bits(after(*engine, bodies, 0).position, planar.position));
  engine->load(bodies, 0.0);
  EXPECT_TRUE(same_bits(after(*engine, bodies, 0).position, bodies.position)) << "loading brings depth back";
}

// ---- the law itself ----
#ifndef ORRERY_TEST_CUDA

TEST(ForceLaw, ReferencesAgreeWithTheIndependentFormula) {
  const auto bodies = charged_bodies(100);
  const Physics physics{.softening = softening, .law = &electric_law, .coulomb = 1.3, .magnetic = 0.2};
  const ForceState state{bodies.position, bodies.velocity, bodies.mass, bodies.charge};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto expected = expected_acceleration(bodies, i, physics);
    const auto found = electric_law.acceleration(state, physics.constants(), i, {0, 100});
    EXPECT_LE(norm(found - expected.total()), 1e-13 * expected.size);
  }
}

/// Largest drifts of energy and momentum over one time unit of the model.
struct Drifts {
  double energy = 0.0, momentum = 0.0;
};
Drifts drifts_of(double dt) {
  auto scene = make_galaxy("charges", {128, 3});
  const auto galaxies = scene.bodies.galaxies();
  DiagnosticsRequest request{
      .physics = {.softening = scene.physics.softening, .law = &electric_law, .magnetic = 1.0}};
  const EngineCase sequential{.name = "", .assignments = {"kernel=sequential", "force-law=electric"}};
  auto settings =
      configuration_of(sequential, {"integrator=symplectic-euler", "force-law=electric:1:1",
                                    "softening=" + to_string(OptionValue(scene.physics.softening))});
  settings.set("time-step", dt);
  const auto start = diagnose(view_of(scene.bodies, galaxies), request);
  const auto end_bodies =
      after(*loaded(settings, scene.bodies), scene.bodies, static_cast<int>(std::lround(1.0 / dt)));
  const auto end = diagnose(view_of(end_bodies, galaxies), request);
  return {std::abs(end.energy() - start.energy()), norm(end.momentum - start.momentum)};
}

TEST(ForceLaw, TheMagneticForceConservesEnergyButNotMomentum) {
  const auto coarse = drifts_of(0.002), fine = drifts_of(0.0005);
  EXPECT_LT(fine.energy, 0.5 * coarse.energy) << coarse.energy << " " << fine.energy;
  EXPECT_LT(fine.energy, 2e-3);
  EXPECT_GT(fine.momentum, 1e-4);
  EXPECT_NEAR(fine.momentum, coarse.momentum, 0.1 * fine.momentum) << "not a matter of the step";
}

TEST(ForceLaw, KernelsThatNeedGravityAreRefusedWithTheReason) {
  const auto& table = checks::simulation_options();
  auto settings = table.defaults();
  table.assign(settings, "force-law=electric");
  EXPECT_NO_THROW(table.check(settings));
  for (const char* kernel : {"pair-symmetric", "omp-reduction"}) {
    table.assign(settings, std::string("kernel=") + kernel);
    EXPECT_THROW(table.check(settings), UsageError) << kernel;
  }
  EXPECT_NE(table.refusal(table.at("kernel"), std::string("pair-symmetric"), settings).find("magnetic"),
            std::string::npos);
  table.assign(settings, "force-law=gravity");
  EXPECT_NO_THROW(table.check(settings));
}

TEST(ForceLaw, CudaMemoryAndFusedKernelAreCheckedForCharges) {
  const auto& table = checks::simulation_options();
  auto settings = table.defaults();
  settings.set("engine", std::string("cuda"));
  settings.set("integrator", std::string("symplectic-euler"));
  const auto refused = [&](const char* option, const OptionValue& value) {
    return !table.refusal(table.at(option), value, settings).empty();
  };
  EXPECT_FALSE(refused("tile", std::int64_t{2048}));
  EXPECT_FALSE(refused("update", std::string("fused")));
  settings.set("force-law", std::string("electric"));
  EXPECT_TRUE(refused("tile", std::int64_t{2048}));
  EXPECT_FALSE(refused("tile", std::int64_t{1024}));
  EXPECT_TRUE(refused("update", std::string("fused")));
  settings.set("dimensions", std::int64_t{2});
  EXPECT_FALSE(refused("tile", std::int64_t{2048}));
}

TEST(ForceLaw, EnergyOfTwoChargesIsCoulombs) {
  Bodies bodies;
  bodies.resize(2);
  bodies.position[1] = {3.0F, 0.0F, 0.0F};
  bodies.mass = {1.0F, 1.0F};
  bodies.charge = {2.0F, -5.0F};
  const auto galaxies = bodies.galaxies();
  const auto found = diagnose(view_of(bodies, galaxies),
                              {.physics = {.softening = 4.0, .law = &electric_law, .coulomb = 7.0}});
  EXPECT_DOUBLE_EQ(found.potential, 7.0 * 2.0 * -5.0 / 5.0);
}

TEST(ForceLaw, TheModelIsNeutralAndItsMagneticForceVisible) {
  for (const std::size_t count : {1000U, 1001U}) {
    const auto scene = make_galaxy("charges", {count, 1});
    double charge = 0.0;
    for (const auto q : scene.bodies.charge) charge += q;
    EXPECT_EQ(charge, 0.0);
    EXPECT_EQ(scene.physics.law, &electric_law);
  }
  const auto scene = make_galaxy("charges", {1000, 1});
  double electric = 0.0, magnetic = 0.0;
  for (std::size_t i = 0; i < 100; ++i) {
    const auto expected = expected_acceleration(scene.bodies, i, {.law = &electric_law});
    electric += norm(expected.electric);
    magnetic += norm(expected.magnetic);
  }
  EXPECT_GT(magnetic, 0.01 * electric);
}

#endif

}  // namespace
}  // namespace orrery::sim
