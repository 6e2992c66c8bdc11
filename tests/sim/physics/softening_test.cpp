#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/core/error.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/physics/laws/force_law.h"
#include "sim/physics/laws/pair_sum.h"
#include "tests/sim/engines/engine_cases.h"
#ifdef ORRERY_TEST_EMULATOR
#include "tests/sim/cuda/emulator/spline_law.h"
#endif

// Gravity with the spline's softening: force and potential against the density that they stand for.
namespace orrery::sim {
namespace {

constexpr double eps = 0.25, h = 2.8 * eps;
constexpr double g = 1.5;
constexpr ForceConstants constants{.gravitational_constant = g, .softening_squared = eps * eps};
const std::vector<double> distances{0.0, 1e-4, 0.1,   0.3, 0.49,  0.5, 0.51,
                                    0.7, 0.9,  0.999, 1.0, 1.001, 2.0, 50.0};

/// The density of Monaghan & Lattanzio's cubic spline of radius 1 and mass 1.
double density(double u) {
  if (u >= 1.0) return 0.0;
  const double norm = 8.0 / std::numbers::pi;
  return norm * (u < 0.5 ? 1.0 - 6.0 * u * u + 6.0 * u * u * u : 2.0 * std::pow(1.0 - u, 3));
}

/// Sum of f over [from, to], by the midpoint rule.
template <typename Function>
double integral(double from, double to, const Function& f) {
  constexpr int parts = 20000;
  const double width = (to - from) / parts;
  double sum = 0.0;
  for (int k = 0; k < parts; ++k) sum += f(from + (k + 0.5) * width);
  return sum * width;
}

/// The share of the mass within u.
double mass_within(double u) {
  const auto shell = [](double s) { return 4.0 * std::numbers::pi * s * s * density(s); };
  return integral(0.0, std::min(u, 0.5), shell) + (u > 0.5 ? integral(0.5, std::min(u, 1.0), shell) : 0.0);
}

/// Bodies at 0 and, of mass 2, at that distance.
Bodies two_bodies(double distance) {
  Bodies bodies;
  bodies.resize(2);
  const auto part = static_cast<float>(distance / std::sqrt(3.0));
  bodies.position = {{0, 0, 0}, {part, -part, part}};
  bodies.mass = {1.0F, 2.0F};
  return bodies;
}

ForceState state_of(const Bodies& bodies) {
  return {bodies.position, bodies.velocity, bodies.mass, bodies.charge};
}

TEST(SplineSoftening, ForceIsThatOfTheMassWithin) {
  for (const double u : distances) {
    const auto bodies = two_bodies(u * h);
    const DVec3 place(bodies.position[1]);
    const double r = norm(place);
    const auto found = gravity_spline_law.acceleration(state_of(bodies), constants, 0, {0, 2});
    const DVec3 expected = r > 0.0 ? (g * 2.0 * mass_within(r / h) / (r * r * r)) * place : DVec3{};
    EXPECT_LE(norm(found - expected), 1e-6 * norm(expected)) << u;
    const auto single = gravity_spline_law.acceleration_single(state_of(bodies), constants, 0, {0, 2});
    EXPECT_LE(norm(DVec3(single) - found), 2e-6 * norm(found)) << u;
  }
}

TEST(SplineSoftening, PotentialIsTheWorkFromFarAway) {
  const auto depth = [](double r) {
    const PointMasses source(std::vector<Vec3>{{0, 0, 0}}, std::vector<float>{1.0F});
    return gravity_spline_law.potential(source, {0, 1}, {r, 0, 0}, constants);
  };
  EXPECT_NEAR(depth(0.0), 1.0 / eps, 1e-12) << "Plummer's in the middle: that is what 2.8 is for";
  for (const double u : distances) {
    const double r = u * h;
    if (u >= 1.0) {
      EXPECT_DOUBLE_EQ(depth(r), 1.0 / r);
      continue;
    }
    const double work = integral(r, h, [](double s) {
      const auto bodies = two_bodies(s);
      return norm(gravity_spline_law.acceleration(state_of(bodies), constants, 0, {0, 2})) / (2.0 * g);
    });
    EXPECT_NEAR(depth(r), 1.0 / h + work, 1e-6 / h) << u;
  }
}

TEST(SplineSoftening, WithoutSofteningItIsNewtons) {
  constexpr ForceConstants bare{.gravitational_constant = g, .softening_squared = 0.0};
  for (const double distance : {0.0, 1e-5, 0.1, 7.0}) {
    const auto bodies = two_bodies(distance);
    const auto newton = gravity_law.acceleration(state_of(bodies), bare, 0, {0, 2});
    const auto found = gravity_spline_law.acceleration(state_of(bodies), bare, 0, {0, 2});
    EXPECT_LE(norm(found - newton), 1e-14 * norm(newton)) << distance;
    const auto single = DVec3(gravity_spline_law.acceleration_single(state_of(bodies), bare, 0, {0, 2}));
    EXPECT_LE(norm(single - newton), 1e-6 * norm(newton)) << distance;
  }
}

#ifdef ORRERY_TEST_EMULATOR
TEST(SplineSoftening, DeviceCodeComputesTheSame) {
  for (const double softening : {eps, 0.0, 1e-20}) {
    const ForceConstants chosen{.gravitational_constant = g, .softening_squared = softening * softening};
    for (const double u : distances) {
      if (softening < eps && u > 0.0 && u < 1e-3) continue;
      const auto bodies = two_bodies(u * h);
      const auto expected = gravity_spline_law.acceleration(state_of(bodies), chosen, 0, {0, 2});
      const auto found =
          cuda::emulator::spline_pull(bodies.position[1], 2.0F, gravity_spline_law.device_constants(chosen));
      EXPECT_LE(norm(DVec3(found) - expected), 2e-6 * norm(expected)) << softening << " " << u;
    }
  }
}
#endif

Configuration configured(const std::vector<std::string>& more) {
  auto all = more;
  all.insert(all.begin(), {"engine=cpu", "force-law=gravity-spline"});
  return checks::configuration_of({}, all);
}

TEST(SplineSoftening, EveryKernelThatKnowsItHasTheSameForces) {
  std::size_t able = 0;
  for (const auto& option : checks::simulation_options().at("kernel").choices) {
    const auto kernel = "kernel=" + option;
    auto configuration = checks::simulation_options().defaults();
    for (const char* each : {"engine=cpu", "force-law=gravity-spline"})
      checks::simulation_options().assign(configuration, each);
    checks::simulation_options().assign(configuration, kernel);
    const auto refused = refusal_of(checks::simulation_options(), configuration, {});
    if (!refused.empty()) {
      EXPECT_NE(refused.find("Plummer"), std::string::npos) << refused;
      EXPECT_LT(refused.size(), 250U);
      continue;
    }
    ++able;
    for (const char* softening : {"softening=0.3", "softening=0.01", "softening=0"}) {
      const auto sample =
          checks::all_forces(configured({kernel, softening, "threads=3"}), checks::ragged_bodies(333, 3));
      EXPECT_EQ(sample.physics.law, &gravity_spline_law);
      EXPECT_LT(force_error(sample).maximum, 3e-5) << kernel << " " << softening;
      auto other = sample;
      other.physics.law = &gravity_law;
      EXPECT_GT(force_error(other).maximum, softening == std::string("softening=0") ? 0.0 : 1e-3)
          << softening;
    }
  }
  EXPECT_GE(able, 4U);
}

/// A fall through each other and back, most of it within the spline.
TEST(SplineSoftening, EnergyIsConserved) {
  Bodies bodies = checks::ragged_bodies(200);
  const auto galaxies = bodies.galaxies();
  DiagnosticsRequest request{.physics = {.softening = 0.3, .law = &gravity_spline_law}};
  const double before = diagnose(view_of(bodies, galaxies), request).energy();
  const auto configuration =
      configured({"kernel=simd", "softening=0.3", "gravity=1", "time-step=0.01", "integrator=leapfrog"});
  const auto end = checks::after(*checks::loaded(configuration, bodies), bodies, 300);
  EXPECT_GT(checks::largest_difference(end.position, bodies.position), 0.5);
  EXPECT_NEAR(diagnose(view_of(end, galaxies), request).energy() / before, 1.0, 1e-4);
  request.physics.law = &gravity_law;
  const double plummer = diagnose(view_of(bodies, galaxies), request).energy();
  EXPECT_GT(std::abs(diagnose(view_of(end, galaxies), request).energy() / plummer - 1.0), 5e-4)
      << "of another potential it is not";
}

}  // namespace
}  // namespace orrery::sim
