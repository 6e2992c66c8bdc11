#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>

#include "engine_cases.h"
#include "sim/cpu/jerk.h"
#include "sim/cpu/kernel.h"
#include "sim/physics/fields/external_field.h"

// The integrator with jerks, and its sum of jerks on the CPU.
namespace orrery::sim {
namespace {

using checks::loaded;

/// Jerks without an engine.
struct Jerks {
  Bodies bodies;
  float softening_squared = 0.0025F;
  const char* kernel = "sequential";
  const InstructionSet* instructions = nullptr;
  int threads = 1;
  const std::atomic<bool>* interrupt = nullptr;
  BodyRange targets = {0, ~std::size_t{0}};
  std::vector<Vec3> jerk = {};

  bool run() {
    jerk.assign(bodies.size(), Vec3{NAN, NAN, NAN});
    const auto galaxies = bodies.galaxies();
    return evaluate_jerks({.position = bodies.position,
                           .mass = bodies.mass,
                           .galaxies = galaxies,
                           .gravitational_constant = 1.5F,
                           .softening_squared = softening_squared,
                           .threads = threads,
                           .interrupt = interrupt,
                           .state = {bodies.position, bodies.velocity, bodies.mass, bodies.charge},
                           .instructions = instructions,
                           .targets = targets},
                          *find_cpu_kernel(kernel), jerk);
  }
  DVec3 exact(std::size_t i, const GalaxyRange& galaxy) const {
    return gravity_law.jerk({bodies.position, bodies.velocity, bodies.mass, bodies.charge},
                            {.gravitational_constant = 1.5, .softening_squared = softening_squared}, i,
                            galaxy);
  }
  /// The median of |j - j64| / |j64|, and the largest |j - j64| over the largest |j64|.
  std::pair<double, double> errors() const {
    std::vector<double> found;
    double largest = 0.0, scale = 0.0;
    for (const auto& galaxy : bodies.galaxies()) {
      for (std::size_t i = galaxy.first; i < galaxy.last; ++i) {
        const auto right = exact(i, galaxy);
        const double difference = norm(DVec3(jerk[i]) - right);
        found.push_back(difference / norm(right));
        largest = std::isfinite(difference) ? std::max(largest, difference) : INFINITY;
        scale = std::max(scale, norm(right));
      }
    }
    std::ranges::nth_element(found, found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2));
    return {found[found.size() / 2], largest / scale};
  }
};

TEST(Jerk, IsTheDerivativeOfTheForce) {
  const auto bodies = checks::ragged_bodies(40);
  const Jerks jerks{.bodies = bodies};
  const auto after = [&](double time, std::size_t i) {
    // In double precision: places as exact as differences of them must be.
    DVec3 sum;
    const auto place = [&](std::size_t k) {
      return DVec3(bodies.position[k]) + time * DVec3(bodies.velocity[k]);
    };
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      const DVec3 d = place(j) - place(i);
      sum += (1.5 * bodies.mass[j] * std::pow(dot(d, d) + double{jerks.softening_squared}, -1.5)) * d;
    }
    return sum;
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    constexpr double moment = 1e-5;
    const DVec3 slope = (0.5 / moment) * (after(moment, i) - after(-moment, i));
    const auto jerk = jerks.exact(i, {0, bodies.size()});
    EXPECT_LT(norm(jerk - slope), 1e-6 * norm(jerk)) << i;
  }
}

TEST(Jerk, OfEveryKernelIsTheLaws) {
  for (const float softening_squared : {0.0025F, 0.0F}) {
    Jerks jerks{.bodies = checks::ragged_bodies(777, 3), .softening_squared = softening_squared};
    for (const auto* kernel : cpu_kernels()) {
      jerks.kernel = kernel->name.data();
      ASSERT_TRUE(jerks.run());
      const auto [median, largest] = jerks.errors();
      EXPECT_LT(median, 2e-6) << kernel->name;
      EXPECT_LT(largest, 2e-5) << kernel->name;
    }
  }
}

TEST(Jerk, OfEveryInstructionSetIsTheLaws) {
  Jerks jerks{.bodies = checks::ragged_bodies(300, 2), .kernel = "simd"};
  for (const auto& set : instruction_sets()) {
    if (set.targets == 0) continue;
    if (!why_not_here(set).empty()) continue;
    jerks.instructions = &set;
    ASSERT_TRUE(jerks.run());
    EXPECT_LT(jerks.errors().first, 2e-6) << set.name;
  }
}

TEST(Jerk, HasTheSameBitsForAnyThreadsAndAnyShare) {
  for (const char* kernel : {"omp-bodies", "simd"}) {
    Jerks all{.bodies = checks::ragged_bodies(500, 2), .kernel = kernel};
    ASSERT_TRUE(all.run());
    for (const int threads : {2, 3}) {
      Jerks shared = all;
      shared.threads = threads;
      ASSERT_TRUE(shared.run());
      EXPECT_TRUE(checks::same_bits(shared.jerk, all.jerk)) << kernel;
    }
    Jerks part = all;
    part.targets = {100, 350};
    ASSERT_TRUE(part.run());
    EXPECT_TRUE(std::isnan(part.jerk[99].x) && std::isnan(part.jerk[350].x)) << "not its own";
    for (std::size_t i = 100; i < 350; ++i) EXPECT_EQ(part.jerk[i], all.jerk[i]) << kernel;
  }
}

TEST(Jerk, OfCoincidentBodiesIsFinite) {
  for (const char* kernel : {"sequential", "simd"}) {
    Jerks jerks{.bodies = checks::ragged_bodies(64), .softening_squared = 0.0F, .kernel = kernel};
    jerks.bodies.position[1] = jerks.bodies.position[0];
    jerks.bodies.position[2] = {3e18F, 0, 0};
    ASSERT_TRUE(jerks.run());
    EXPECT_TRUE(std::ranges::all_of(jerks.jerk, [](const Vec3& j) { return is_finite(j); })) << kernel;
  }
}

TEST(Jerk, StopsWhenInterrupted) {
  const std::atomic<bool> now{true};
  for (const char* kernel : {"sequential", "simd"}) {
    Jerks jerks{.bodies = checks::ragged_bodies(64), .kernel = kernel, .interrupt = &now};
    EXPECT_FALSE(jerks.run());
  }
}

class Hermite : public testing::Test {
 protected:
  static Configuration configured(const std::vector<std::string>& more = {}) {
    auto configuration = checks::simulation_options().defaults();
    for (const char* each : {"engine=cpu", "kernel=sequential", "softening=0", "gravity=1",
                             "integrator=hermite", "state-precision=compensated"})
      checks::simulation_options().assign(configuration, each);
    for (const auto& each : more) checks::simulation_options().assign(configuration, each);
    return configuration;
  }
  static std::string refusal(const std::vector<std::string>& more) {
    return refusal_of(checks::simulation_options(), configured(more), {});
  }
};

/// Two bodies of mass 1/2 go round each other in 2 pi: where the first one is on its ellipse, a time after
/// apocentre. Kepler's equation by Newton's method.
DVec3 place_on_ellipse(double eccentricity, double time) {
  const double mean = time + std::numbers::pi;
  double anomaly = mean;
  for (int k = 0; k < 100; ++k)
    anomaly -= (anomaly - eccentricity * std::sin(anomaly) - mean) / (1.0 - eccentricity * std::cos(anomaly));
  return {0.5 * (std::cos(anomaly) - eccentricity),
          0.5 * std::sqrt(1.0 - eccentricity * eccentricity) * std::sin(anomaly), 0.0};
}

Bodies ellipse(double eccentricity) {
  Bodies bodies;
  bodies.resize(2);
  const auto v = static_cast<float>(0.5 * std::sqrt((1.0 - eccentricity) / (1.0 + eccentricity)));
  const auto r = static_cast<float>(0.5 * (1.0 + eccentricity));
  bodies.position = {{-r, 0, 0}, {r, 0, 0}};
  bodies.velocity = {{0, -v, 0}, {0, v, 0}};
  bodies.mass = {0.5F, 0.5F};
  return bodies;
}

TEST_F(Hermite, FollowsAnEccentricOrbit) {
  // With this eccentricity the velocity is a float.
  constexpr double eccentricity = 0.6, time = 2.0 * std::numbers::pi * 1.4;
  const auto error = [&](int steps, const char* integrator, const char* kernel) {
    auto configuration =
        configured({"integrator=" + std::string(integrator), "kernel=" + std::string(kernel)});
    configuration.set("time-step", time / steps);
    const auto engine = loaded(configuration, ellipse(eccentricity));
    const auto end = checks::after(*engine, ellipse(eccentricity), steps);
    return norm(DVec3(end.position[0]) - place_on_ellipse(eccentricity, time));
  };
  for (const char* kernel : {"sequential", "omp-region", "simd", "simd-double"}) {
    // 16 times smaller, or what single precision leaves; 8 of a method of third order.
    EXPECT_GT(error(140, "hermite", kernel) / error(280, "hermite", kernel), 12.0) << kernel;
    EXPECT_LT(error(280, "hermite", kernel), 4e-6) << kernel;
    EXPECT_LT(error(1400, "hermite", kernel), 2e-6) << kernel;
  }
  EXPECT_GT(error(840, "leapfrog", "sequential"), 1e-4) << "as many evaluations as 280 of these steps";
}

/// A body about a fixed mass: half an orbit, so that the field's jerk alone counts.
TEST_F(Hermite, IsOfFourthOrderInAFieldToo) {
  Bodies bodies;
  bodies.resize(1);
  bodies.position = {{1.5F, 0, 0}};
  bodies.velocity = {{0, static_cast<float>(std::sqrt(1.0 / 3.0)), 0}};
  bodies.mass = {0.0F};
  const auto error = [&](int steps) {
    auto configuration = configured({"external-field=point-mass:1:1e-9"});
    configuration.set("time-step", std::numbers::pi / steps);
    const auto engine = loaded(configuration, bodies);
    return norm(DVec3(checks::after(*engine, bodies, steps).position[0]) - DVec3{-0.5, 0, 0});
  };
  EXPECT_NEAR(std::log2(error(30) / error(60)), 4.0, 0.25);
  EXPECT_LT(error(400), 2e-6);
}

TEST_F(Hermite, HasTheSameBitsForAnyThreadsAndKernelsWithoutVectors) {
  const auto bodies = checks::ragged_bodies(200, 2);
  const auto end = [&](const std::string& kernel, int threads) {
    const auto configuration =
        configured({"softening=0.05", "kernel=" + kernel, "threads=" + std::to_string(threads)});
    return checks::after(*loaded(configuration, bodies), bodies, 5);
  };
  const auto sequential = end("sequential", 1), simd = end("simd", 1);
  for (const int threads : {1, 2, 3}) {
    for (const char* kernel : {"omp-bodies", "omp-region"})
      EXPECT_TRUE(checks::same_bits(end(kernel, threads).position, sequential.position)) << kernel;
    EXPECT_TRUE(checks::same_bits(end("simd", threads).position, simd.position));
  }
}

/// Another integrator leaves forces, but no jerks.
TEST_F(Hermite, TakesOverFromAnotherIntegrator) {
  const auto bodies = checks::ragged_bodies(60);
  const auto engine = loaded(configured({"softening=0.01", "integrator=leapfrog"}), bodies);
  ASSERT_TRUE(engine->advance({}));
  engine->configure(configured({"softening=0.01"}));
  auto half = bodies;
  engine->read_back(half);
  const auto end = checks::after(*engine, bodies, 1);
  const auto fresh =
      checks::after(*loaded(configured({"softening=0.01", "state-precision=single"}), half), half, 1);
  EXPECT_LT(checks::largest_difference(end.position, fresh.position), 1e-6);
}

TEST_F(Hermite, IsRefusedWhereThereAreNoJerks) {
  EXPECT_EQ(refusal({}), "");
  EXPECT_NE(refusal({"kernel=tree"}).find("kernel=simd"), std::string::npos);
  EXPECT_NE(refusal({"force-law=electric"}).find("jerk"), std::string::npos);
  EXPECT_NE(refusal({"force-law=gravity-spline"}).find("jerk"), std::string::npos);
  EXPECT_NE(refusal({"step=adaptive"}).find("leapfrog"), std::string::npos);
  EXPECT_LT(refusal({"force-law=electric"}).size(), 250U);
}

/// The refusals of a GPU, whether there is one or not.
TEST_F(Hermite, IsSummedByPlainFamiliesOnAGpu) {
  const auto& options = checks::simulation_options();
  const auto on_gpu = [&](const std::vector<std::string>& more) {
    auto configuration = configured(more);
    configuration.set("engine", std::string("cuda"));
    return options.refusal(options.at("integrator"), configuration.value("integrator"), configuration, {});
  };
  for (const char* family : {"tiled", "pairwise"})
    EXPECT_EQ(on_gpu({"family=" + std::string(family)}), "") << family;
  EXPECT_NE(on_gpu({"family=register-split"}).find("family=tiled"), std::string::npos);
  EXPECT_NE(on_gpu({"family=tree"}).find("family=tiled"), std::string::npos);
  EXPECT_EQ(on_gpu({"external-field=nfw"}), "");
  EXPECT_NE(on_gpu({"transfers=round-trip"}).find("transfers=resident"), std::string::npos);
  EXPECT_EQ(on_gpu({"integrator=rk4", "family=tree"}), "") << "slopes need forces only";
}

}  // namespace
}  // namespace orrery::sim
