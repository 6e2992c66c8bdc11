#include "sim/simulation/monitor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <thread>

#include "sim/cpu/kernel.h"
#include "sim/cpu/kernels/interaction.h"
#include "tests/eventually.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim {
namespace {

/// One interaction, written wrong or right.
using Weight = std::function<float(float distance_squared, std::size_t i, std::size_t j)>;

/// A force evaluation of our own making: what a kernel with a mistake would compute.
ForceSample sample_with(const Weight& weight, std::size_t count = 200) {
  const auto bodies = checks::ragged_bodies(count);
  ForceSample sample{.position = bodies.position,
                     .mass = bodies.mass,
                     .galaxies = bodies.galaxies(),
                     .physics = {.softening = 0.05}};
  sample.index = sample_indices(count, 256, 1);
  for (const auto i : sample.index) {
    Vec3 sum;
    for (std::size_t j = 0; j < count; ++j) {
      const Vec3 r = bodies.position[j] - bodies.position[i];
      sum += bodies.mass[j] * weight(dot(r, r) + 0.0025F, i, j) * r;
    }
    sample.acceleration.push_back(sum);
  }
  return sample;
}

Verdict verdict_of(const Weight& weight) { return verdict(force_error(sample_with(weight))); }

TEST(Badge, IsGreenForTheRightKernel) {
  EXPECT_EQ(verdict_of([](float r2, auto, auto) { return inverse_cube(r2); }), Verdict::good);
}

TEST(Badge, IsAmberWhereTheEnergyIsLost) {
  Health health{.force_error = {.sample = 1, .median = 1e-7, .p99 = 1e-6}, .energy_drift = 0.02};
  EXPECT_EQ(verdict(health), Verdict::good) << "no drift was measured";
  health.drift_step = 100;
  EXPECT_EQ(verdict(health), Verdict::doubtful);
  health.energy_drift_uncertainty = 0.004;
  EXPECT_EQ(verdict(health), Verdict::good) << "three standard errors";
  health.force_error.median = health.force_error.p99 = 1.0;
  EXPECT_EQ(verdict(health), Verdict::wrong);
}

TEST(Badge, GoesRedForEveryMistakeOfAKernel) {
  // Wrong power of the distance.
  EXPECT_EQ(verdict_of([](float r2, auto, auto) { return 1.0F / r2; }), Verdict::wrong);
  // Softening forgotten.
  EXPECT_EQ(verdict_of([](float r2, auto, auto) { return inverse_cube(std::max(r2 - 0.0025F, 1e-6F)); }),
            Verdict::wrong);
  // The last tile left out, as kernels do that trust N to be a multiple of it.
  EXPECT_EQ(verdict_of([](float r2, auto, std::size_t j) { return j < 192 ? inverse_cube(r2) : 0.0F; }),
            Verdict::wrong);
  // Wrong sign.
  EXPECT_EQ(verdict_of([](float r2, auto, auto) { return -inverse_cube(r2); }), Verdict::wrong);
  // The force is always zero: a published kernel multiplied by (i == j).
  EXPECT_EQ(
      verdict_of([](float r2, std::size_t i, std::size_t j) { return i == j ? inverse_cube(r2) : 0.0F; }),
      Verdict::wrong);
}

TEST(Badge, GoesAmberForAnImpreciseKernel) {
  // A reciprocal square root good to 12 bits, without a Newton step.
  EXPECT_EQ(verdict_of([](float r2, auto, auto) { return inverse_cube(r2) * (1.0F + 2e-4F); }),
            Verdict::doubtful);
}

TEST(Badge, GoesRedForNotANumber) {
  EXPECT_EQ(verdict_of([](float, auto, auto) { return NAN; }), Verdict::wrong);
}

TEST(EnergyVerdict, HasTheStatedLimits) {
  EXPECT_EQ(energy_verdict(-9e-4), Verdict::good);
  EXPECT_EQ(energy_verdict(5e-3), Verdict::doubtful);
  EXPECT_EQ(energy_verdict(-2e-2), Verdict::wrong);
  EXPECT_EQ(energy_verdict(NAN), Verdict::wrong);
}

Diagnostics diagnostics(double kinetic, double potential) {
  Diagnostics d;
  d.mass = 1.0;
  d.kinetic = kinetic;
  d.potential = potential;
  d.r90 = 1.0;
  return d;
}

/// The next result; fails after a time in which even a machine with much other work has one.
Health next_result(Monitor& monitor) {
  Health health;
  const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (!monitor.receive(health)) {
    if (std::chrono::steady_clock::now() > limit) {
      ADD_FAILURE() << "no result";
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return health;
}

TEST(Monitor, SaysWhereMomentumIsNoCriterion) {
  for (const double magnetic : {0.0, 0.1}) {
    Monitor monitor;
    auto check = std::make_unique<HealthCheck>();
    check->bodies = checks::charged_bodies(50);
    check->galaxies = check->bodies.galaxies();
    check->physics.softening = 0.05;
    check->physics.law = &electric_law;
    check->physics.magnetic = magnetic;
    check->new_baseline = true;
    monitor.submit(std::move(check));
    const auto health = next_result(monitor);
    EXPECT_EQ(health.conserves_momentum, magnetic == 0.0);
    EXPECT_GT(health.diagnostics.kinetic, 0.0);
  }
}

TEST(Drifts, AreRelativeToTheEnergy) {
  Health health;
  set_drifts(health, diagnostics(1.0, -2.0), diagnostics(1.1, -2.0));
  EXPECT_NEAR(health.energy_drift, 0.1, 1e-12);
}

TEST(Drifts, OfAMarginallyBoundSystemAreRelativeToItsParts) {
  Health health;
  set_drifts(health, diagnostics(1.0, -1.0), diagnostics(1.1, -1.0));
  EXPECT_NEAR(health.energy_drift, 0.05, 1e-12);
}

std::unique_ptr<HealthCheck> check_of(bool baseline, float speed) {
  auto check = std::make_unique<HealthCheck>();
  check->bodies = checks::ragged_bodies(50);
  for (auto& v : check->bodies.velocity) v *= speed;
  check->galaxies = check->bodies.galaxies();
  check->physics.softening = 0.05;
  check->new_baseline = baseline;
  return check;
}

/// Until the costly part of a check has been done again.
Health next_drift(Monitor& monitor, float speed) {
  Health health;
  for (std::uint64_t step = 1; step <= 1000 && !health.drift_step; ++step) {
    while (!monitor.idle()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    auto check = check_of(false, speed);
    check->step = step;
    monitor.submit(std::move(check));
    health = next_result(monitor);
    EXPECT_EQ(health.drift_step.value_or(step), step);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return health;
}

TEST(Monitor, CountsDriftsFromTheBaselineAndSaysOfWhichStep) {
  Monitor monitor;
  auto start = check_of(true, 1.0F);
  start->step = 100;
  start->baseline = 3;
  monitor.submit(std::move(start));
  const auto first = next_result(monitor);
  EXPECT_EQ(first.energy_drift, 0.0);
  EXPECT_EQ(first.baseline, 3U);
  EXPECT_FALSE(first.drift_step) << "a baseline has no drift";
  const auto later = next_drift(monitor, 2.0F);
  ASSERT_TRUE(later.drift_step);
  EXPECT_GT(later.energy_drift, 0.1);
}

TEST(Monitor, SumsEnergiesATwentiethOfTheTimeButTheFirstOneSoon) {
  using Seconds = std::chrono::duration<double>;
  EXPECT_NEAR(Seconds(2.0) / (Seconds(2.0) + rest_after(Seconds(2.0), false)), 0.05, 1e-12);
  EXPECT_EQ(rest_after(Seconds(2.0), true), Seconds(2.0));
}

/// Each sum of energies takes a second; time passes as the test says.
struct StatedTimes {
  std::atomic<int> seconds{0};
  std::atomic<int> asked{0};

  MonitorTimes clocks() {
    return {[this] { return MonitorTimes::Now(std::chrono::seconds(1000 + seconds)); },
            [this] { return std::chrono::duration<double>(asked++); }};
  }
};

/// Of which state the drifts are after one more check.
std::optional<std::uint64_t> drift_after(Monitor& monitor, std::uint64_t step) {
  while (!monitor.idle()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  auto check = check_of(step == 0, 1.0F);
  check->step = step;
  monitor.submit(std::move(check));
  return next_result(monitor).drift_step;
}

TEST(Monitor, KnowsADriftSoonAfterTheBaseline) {
  StatedTimes times;
  Monitor monitor(times.clocks());
  EXPECT_FALSE(drift_after(monitor, 0));
  EXPECT_FALSE(drift_after(monitor, 1)) << "it rests as long as it worked";
  times.seconds = 1;
  EXPECT_EQ(drift_after(monitor, 2), 2U);
  times.seconds = 19;
  EXPECT_EQ(drift_after(monitor, 3), 2U) << "and then nineteen times as long";
  times.seconds = 20;
  EXPECT_EQ(drift_after(monitor, 4), 4U);
}

/// Its energy takes a second or more of one thread.
std::unique_ptr<HealthCheck> large_check() {
  auto check = std::make_unique<HealthCheck>();
  check->bodies = checks::ragged_bodies(32'000);
  check->galaxies = check->bodies.galaxies();
  check->new_baseline = true;
  return check;
}

/// Millions of bodies have an energy that takes a minute; the badge comes within seconds all the same.
TEST(Monitor, ForcesDoNotWaitForAnEnergy) {
  std::atomic<bool> begun = false, goes_on = false;
  MonitorTimes times = times_of_this_machine();
  times.worked = [&] {
    begun = true;
    while (!goes_on) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return std::chrono::duration<double>(0.0);
  };
  Monitor monitor(times);
  monitor.submit(check_of(true, 1.0F));
  ASSERT_TRUE(test::eventually([&] { return begun.load(); }));
  EXPECT_FALSE(monitor.takes_bodies());
  ASSERT_TRUE(monitor.takes_forces());
  auto check = std::make_unique<HealthCheck>();
  check->forces = sample_with([](float r2, auto, auto) { return inverse_cube(r2); });
  check->label = "this one";
  monitor.submit(std::move(check));
  const auto health = next_result(monitor);
  EXPECT_EQ(health.label, "this one");
  EXPECT_GT(health.force_error.sample, 0U);
  EXPECT_EQ(health.diagnostics.kinetic, 0.0) << "the energy has yet to be summed";
  goes_on = true;
}

/// Of a state that has both, both are looked at.
TEST(Monitor, GivesTheStrataOfTheNextSample) {
  Monitor monitor;
  Scene scene;
  scene.bodies = checks::ragged_bodies(200);
  auto check = std::make_unique<HealthCheck>();
  check->forces = sample_with([](float r2, auto, auto) { return inverse_cube(r2); });
  check->scene = std::make_shared<const Scene>(scene);
  check->bodies = scene.bodies;
  check->galaxies = scene.bodies.galaxies();
  monitor.submit(std::move(check));
  ErrorStrata strata;
  EXPECT_TRUE(test::eventually([&] { return monitor.receive(strata); }));
  EXPECT_EQ(strata.sample(500, 1).bodies().size(), 200U);
  Health health;
  EXPECT_TRUE(test::eventually([&] { return monitor.receive(health) && health.diagnostics.kinetic > 0.0; }));
}

TEST(Badge, GoesRedForAnEngineThatDoesNotReachWhatWasAskedFor) {
  Health health;
  health.force_error = force_error(sample_with([](float r2, auto, auto) { return inverse_cube(r2); }));
  EXPECT_EQ(verdict(health), Verdict::good);
  health.problem = "accuracy=1e-9 is not reached";
  EXPECT_EQ(verdict(health), Verdict::wrong);
}

TEST(Badge, JudgesEachStratum) {
  ForceError error{.sample = 256, .median = 5e-4, .p99 = 2e-3};
  error.stated = {.median = 1e-3, .p99 = 7e-3};
  error.worst = {"clump 2 (500 bodies)", 24, 9e-4, 5e-3, 0.3};
  EXPECT_EQ(verdict(error), Verdict::good);
  error.worst = {"clump 2 (500 bodies)", 24, 1.0, 1.0, 1e-9};
  EXPECT_EQ(verdict(error), Verdict::wrong);
  error.worst = {"clump 2 (500 bodies)", 24, 4e-4, 0.9, 1e-9};
  EXPECT_EQ(verdict(error), Verdict::wrong) << "some of its bodies";
  error.stated = {.median = 1e-4, .p99 = 7e-4};
  error.median = 5e-5, error.p99 = 3e-4;
  error.worst = {"clump 2 (500 bodies)", 24, 5e-4, 3e-3, 1e-9};
  EXPECT_EQ(verdict(error), Verdict::doubtful);
}

/// A kernel that keeps what it states is not called doubtful because of the bodies that were drawn.
TEST(Badge, StaysGreenWhereASampleScatters) {
  ForceError error{.sample = 256, .median = 1.5e-4, .p99 = 3.5e-3};
  error.stated = {.median = 3.5e-4, .p99 = 2.9e-3};
  error.worst = {"all bodies", 256, 1.5e-4, 3.5e-3, 0.48};
  EXPECT_EQ(verdict(error), Verdict::good) << "three of 256 bodies are above";
  error.worst.chance = 1e-5;
  EXPECT_EQ(verdict(error), Verdict::doubtful) << "far more than three are";
  error.worst.chance = 0.48;
  error.p99 = 2e-2;
  EXPECT_EQ(verdict(error), Verdict::doubtful) << "so far above is no chance";
  error.p99 = 1e-3, error.median = 4e-4;
  EXPECT_EQ(verdict(error), Verdict::doubtful) << "medians hardly scatter";
}

TEST(Monitor, EndsWithACheckUnderWayOrWaiting) {
  for (const bool under_way : {false, true}) {
    StatedTimes times;
    auto monitor = std::make_unique<Monitor>(times.clocks());
    monitor->submit(large_check());
    while (under_way && times.asked == 0) std::this_thread::yield();
    monitor.reset();
    EXPECT_LE(times.asked, 1) << "it was asked again at the end of the sum: " << under_way;
  }
}

}  // namespace
}  // namespace orrery::sim
