#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine_cases.h"
#include "sim/galaxies/model.h"
#include "sim/options/physics_options.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/physics/fields/external_field.h"
#include "sim/physics/integrators/step_rule.h"

namespace orrery::sim {
namespace {

using checks::loaded;

TEST(StepCriterion, IsTheFormula) {
  const std::vector<Vec3> a{{0, 0.5F, 0}, {3, 0, 4}, {0, 0, 0}}, x{{1, 0, 0}, {0, 2, 0}, {0, 0, 4}};
  const StepCriterion criterion{.accuracy = 0.1, .length = 0.2};
  EXPECT_NEAR(criterion.longest(largest_acceleration(a, x, nullptr)), 0.1 * std::sqrt(0.2 / 5.0), 1e-12);
  EXPECT_TRUE(std::isinf(criterion.longest(largest_acceleration(std::vector<Vec3>(2), x, nullptr))))
      << "nothing pulls";
  // A fixed point mass of 60 pulls the first body by 60.
  const FieldAt field{find_external_field("point-mass"), {.gm = 60.0, .radius = 1e-9}};
  EXPECT_NEAR(criterion.longest(largest_acceleration({a.data(), 1}, x, &field)), 0.1 * std::sqrt(0.2 / 60.0),
              1e-4);
}

/// The lengths of the parts in their order.
template <typename Tau>
std::vector<double> parts_of(double dt, const Tau& tau) {
  std::vector<double> parts;
  double t = 0.0;
  for (DyadicStep cut; !cut.done();) {
    const double h = std::abs(dt) * cut.part();
    if (cut.too_long(dt, tau(t)) || !cut.counts(dt, tau(t), tau(t + h))) {
      cut.reject();
    } else {
      cut.accept();
      parts.push_back(h);
      t += h;
    }
  }
  return parts;
}

TEST(DyadicStep, PartsFollowTauAndEndWithTheStep) {
  EXPECT_EQ(parts_of(1.0, [](double) { return 2.0; }), (std::vector{1.0}));
  EXPECT_EQ(parts_of(-1.0, [](double) { return 0.3; }), (std::vector{0.25, 0.25, 0.25, 0.25}));
  const auto parts = parts_of(1.0, [](double t) { return 0.02 + std::abs(t - 0.6); });
  double t = 0.0;
  for (const double h : parts) {
    EXPECT_EQ(std::fmod(t, h), 0.0) << "a part begins at a multiple of its length";
    EXPECT_LE(h, 0.02 + 0.5 * (std::abs(t - 0.6) + std::abs(t + h - 0.6)));
    t += h;
  }
  EXPECT_EQ(t, 1.0);
  EXPECT_LT(*std::ranges::min_element(parts), 0.05);
  EXPECT_GT(*std::ranges::max_element(parts), 0.2);
}

TEST(DyadicStep, BackwardsHasTheSameParts) {
  const auto tau = [](double t) { return 0.01 + 0.4 * (t - 0.3) * (t - 0.3); };
  const auto there = parts_of(1.0, tau);
  auto back = parts_of(1.0, [&](double t) { return tau(1.0 - t); });
  std::ranges::reverse(back);
  EXPECT_EQ(there, back);
  EXPECT_GT(there.size(), 10U);
}

TEST(DyadicStep, PartsHaveASmallestLength) {
  DyadicStep cut;
  while (cut.too_long(1.0, 0.0) || !cut.counts(1.0, 0.0, 0.0)) cut.reject();
  EXPECT_EQ(cut.part(), std::ldexp(1.0, -DyadicStep::deepest));
}

/// Two bodies at apocentre of an ellipse with e = 0.9, period 2 pi.
Bodies ellipse() {
  Bodies bodies;
  bodies.resize(2);
  const float v = 0.5F * std::sqrt(0.1F / 1.9F);
  bodies.position = {{-0.95F, 0, 0}, {0.95F, 0, 0}};
  bodies.velocity = {{0, -v, 0}, {0, v, 0}};
  bodies.mass = {0.5F, 0.5F};
  return bodies;
}

class AdaptiveStep : public testing::Test {
 protected:
  static Configuration configured(const std::vector<std::string>& more = {}) {
    auto configuration = checks::simulation_options().defaults();
    for (const char* each : {"engine=cpu", "kernel=sequential", "softening=0", "gravity=1",
                             "step=adaptive:0.025:1", "state-precision=compensated"})
      checks::simulation_options().assign(configuration, each);
    configuration.set("time-step", std::numbers::pi / 4.0);
    for (const auto& each : more) checks::simulation_options().assign(configuration, each);
    return configuration;
  }
  static double energy(const Bodies& bodies) {
    const auto galaxies = bodies.galaxies();
    return diagnose(view_of(bodies, galaxies), {.physics = {.softening = 0.0}}).energy();
  }
  static std::int64_t parts(const Engine& engine) {
    const auto report = engine.report();
    const auto found = std::ranges::find(report.facts, "parts_of_step", &Fact::key);
    return found == report.facts.end() ? 0 : std::get<std::int64_t>(found->value);
  }
  /// The refusal of these settings.
  static std::string refusal(const std::vector<std::string>& more, std::size_t ranks = 1) {
    return refusal_of(checks::simulation_options(), configured(more), {.ranks = ranks});
  }
};

TEST_F(AdaptiveStep, PartsAreShortAtPericentreAndTimeIsThatOfSteps) {
  const auto engine = loaded(configured(), ellipse());
  std::vector<std::int64_t> numbers;
  for (int step = 1; step <= 8; ++step) {
    ASSERT_TRUE(engine->advance({}));
    EXPECT_DOUBLE_EQ(engine->status().time, step * std::numbers::pi / 4.0);
    numbers.push_back(parts(*engine));
  }
  EXPECT_GT(numbers[3], 4 * numbers[0]) << "pericentre is at the end of the fourth step";
  EXPECT_EQ(numbers[3], numbers[4]) << "in and out are alike";
  EXPECT_EQ(numbers[0], numbers[7]);
  EXPECT_EQ(engine->status().steps, 8U);
}

TEST_F(AdaptiveStep, KeepsAnEccentricOrbitThatAsManyFixedStepsDoNot) {
  const double before = energy(ellipse());
  const auto error = [&](const Configuration& configuration, int steps) {
    const auto engine = loaded(configuration, ellipse());
    const double after = energy(checks::after(*engine, ellipse(), steps));
    return std::pair(std::abs(after / before - 1.0), engine->status().timings.evaluations);
  };
  const auto [adaptive, evaluations] = error(configured(), 8 * 20);
  auto fixed = configured({"step=fixed"});
  fixed.set("time-step", 20 * 2.0 * std::numbers::pi / static_cast<double>(evaluations));
  const auto [as_many, same] = error(fixed, static_cast<int>(evaluations));
  EXPECT_LT(adaptive, 2e-4);
  EXPECT_GT(as_many, 10 * adaptive) << evaluations << " evaluations each";
}

TEST_F(AdaptiveStep, EveryKernelMakesTheSameParts) {
  const auto bodies = checks::ragged_bodies(60, 2);
  std::vector<std::int64_t> numbers;
  for (const char* kernel : {"sequential", "omp-region", "simd"}) {
    const auto engine =
        loaded(configured({"kernel=" + std::string(kernel), "softening=0.01", "time-step=0.25"}), bodies);
    for (int step = 0; step < 3; ++step) ASSERT_TRUE(engine->advance({}));
    numbers.push_back(parts(*engine));
  }
  EXPECT_GT(numbers[0], 4);
  EXPECT_EQ(numbers[0], numbers[1]);
  EXPECT_EQ(numbers[0], numbers[2]);
}

TEST_F(AdaptiveStep, EvenPartsAreAlikeInAndOutAndReturn) {
  const auto start = ellipse();
  const auto engine = loaded(configured({"step=even:0.025:1"}), start);
  std::vector<std::int64_t> numbers;
  for (int step = 0; step < 8; ++step) {
    ASSERT_TRUE(engine->advance({}));
    numbers.push_back(parts(*engine));
  }
  EXPECT_GT(numbers[3], 4 * numbers[0]) << "pericentre is at the end of the fourth step";
  EXPECT_EQ(numbers[3], numbers[4]) << "in and out are alike";
  auto end = start;
  engine->read_back(end);
  for (auto& v : end.velocity) v = -1.0F * v;
  const auto back = loaded(configured({"step=even:0.025:1"}), end);
  const auto returned = checks::after(*back, end, 8);
  EXPECT_LT(norm(DVec3(returned.position[0]) - DVec3(start.position[0])), 1e-3);
}

/// Where the strongest force hardly changes, parts need not be powers of 1/2, and none is tried in vain.
TEST_F(AdaptiveStep, EvenPartsCostLessInAGalaxy) {
  const auto scene = make_galaxy("disk", {.bodies = 1000, .seed = 1});
  const auto made = [&](const std::string& rule) {
    auto configuration = configured({"kernel=simd", "step=" + rule, "softening=0.1"});
    configuration.set("time-step", 0.5);
    const auto engine = loaded(configuration, scene.bodies);
    const auto galaxies = scene.bodies.galaxies();
    const auto total = [&](const Bodies& bodies) {
      return diagnose(view_of(bodies, galaxies), {.physics = {.softening = 0.1}}).energy();
    };
    const double before = total(scene.bodies);
    const double error = std::abs(total(checks::after(*engine, scene.bodies, 20)) / before - 1.0);
    return std::pair(error, static_cast<double>(engine->status().timings.evaluations));
  };
  const auto [dyadic_error, dyadic] = made("adaptive");
  const auto [even_error, even] = made("even");
  EXPECT_LT(even_error, 1e-3) << "beside " << dyadic_error;
  EXPECT_LT(even, 0.8 * dyadic);
}

/// A series writes the accelerations of the end of a step.
TEST_F(AdaptiveStep, SamplesAreOfItsEnd) {
  const auto bodies = checks::ragged_bodies(60);
  const auto engine = loaded(configured({"softening=0.01", "time-step=0.25"}), bodies);
  engine->observe({.forces = bodies.size(), .seed = 1});
  ASSERT_TRUE(engine->advance({}));
  const auto sample = engine->poll().forces.value();
  auto end = bodies;
  engine->read_back(end);
  EXPECT_TRUE(checks::same_bits(sample.position, end.position));
  EXPECT_LT(force_error(sample).maximum, 1e-4);
  EXPECT_DOUBLE_EQ(sample.time, 0.25);
  EXPECT_FALSE(engine->poll().forces.has_value());
}

TEST_F(AdaptiveStep, WhatCannotBeCutIsRefused) {
  EXPECT_EQ(refusal({}), "");
  for (const char* integrator : {"leapfrog", "velocity-verlet", "yoshida"})
    EXPECT_EQ(refusal({"integrator=" + std::string(integrator)}), "") << integrator;
  for (const char* integrator : {"rk4", "pefrl", "symplectic-euler", "explicit-euler"})
    EXPECT_NE(refusal({"integrator=" + std::string(integrator)}).find("integrator="), std::string::npos);
  EXPECT_NE(refusal({"step=adaptive"}).find("LENGTH"), std::string::npos);
  EXPECT_EQ(refusal({"step=adaptive", "softening=0.1"}), "") << "the softening is the length";
  EXPECT_NE(refusal({}, 2).find("process"), std::string::npos);
  EXPECT_NE(refusal({"step=even:0.025:1"}, 2).find("process"), std::string::npos);
  EXPECT_EQ(refusal({"step=fixed", "integrator=rk4"}, 2), "");
  const auto& options = checks::simulation_options();
  const auto on_gpu = [&](const std::vector<std::string>& more) {
    auto configuration = configured(more);
    configuration.set("engine", std::string("cuda"));
    return options.refusal(options.at("step"), configuration.value("step"), configuration, {});
  };
  EXPECT_EQ(on_gpu({}), "");
  EXPECT_EQ(on_gpu({"family=tree"}), "");
  EXPECT_NE(on_gpu({"update=fused"}).find("update=separate"), std::string::npos);
  EXPECT_NE(on_gpu({"transfers=round-trip"}).find("resident"), std::string::npos);
}

}  // namespace
}  // namespace orrery::sim
