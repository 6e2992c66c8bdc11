#include "sim/physics/integrator.h"

#include <gtest/gtest.h>

#include <set>

#include "direct_forces.h"
#include "physics_checks.h"

namespace orrery::sim {
namespace {

using checks::Advance;

Advance direct(const Integrator& integrator) {
  return [&integrator](checks::System& system, int steps, double dt) {
    DirectStepper stepper(integrator, system.position, system.velocity, system.mass,
                          static_cast<float>(system.softening));
    stepper.advance(steps, static_cast<float>(dt));
    system.position = stepper.position();
    system.velocity = stepper.velocity();
  };
}
Advance direct(std::string_view name) { return direct(*find_integrator(name)); }

// Methods with a mistake that runs and looks plausible. Each must be caught.
void half_drift(const Motion& motion, float dt) {
  for (std::size_t i = 0; i < motion.position.size(); ++i) {
    motion.velocity[i] += 0.5F * dt * motion.acceleration[i];
    motion.position[i] += 0.5F * dt * motion.velocity[i];
  }
}
void half_kick(const Motion& motion, float dt) {
  for (std::size_t i = 0; i < motion.position.size(); ++i)
    motion.velocity[i] += 0.5F * dt * motion.acceleration[i];
}
void wrong_sign_kick(const Motion& motion, float dt) { half_kick(motion, -dt); }
void full_kick_and_drift(const Motion& motion, float dt) {
  for (std::size_t i = 0; i < motion.position.size(); ++i) {
    motion.velocity[i] += dt * motion.acceleration[i];
    motion.position[i] += dt * motion.velocity[i];
  }
}
void no_update(const Motion& /*motion*/, float /*dt*/) {}
void damped_kick(const Motion& motion, float dt) {
  half_kick(motion, dt);
  for (Vec3& v : motion.velocity) v *= 0.9999F;
}
void kick_all_but_the_first(const Motion& motion, float dt) {
  half_kick(motion.range(1, motion.position.size()), dt);
}

const Integrator& correct = *find_integrator("leapfrog");
const Integrator half_drifting{"half-drift", "", 2, true, half_drift, half_kick};
const Integrator wrong_sign{"wrong-sign", "", 2, true, correct.before_force, wrong_sign_kick};
const Integrator first_order{"first-order", "", 1, true, full_kick_and_drift, no_update};
const Integrator damped{"damped", "", 2, true, correct.before_force, damped_kick};
const Integrator one_sided{"one-sided", "", 2, true, correct.before_force, kick_all_but_the_first};

TEST(Integrators, AreFoundByNameAndLeapfrogIsTheDefault) {
  ASSERT_EQ(integrators().size(), 3U);
  EXPECT_EQ(integrators().front()->name, "leapfrog");
  std::set<std::string_view> names;
  for (const Integrator* each : integrators()) {
    EXPECT_EQ(find_integrator(each->name), each);
    EXPECT_FALSE(each->meaning.empty());
    names.insert(each->name);
  }
  EXPECT_EQ(names.size(), 3U);
  EXPECT_EQ(find_integrator("runge-kutta"), nullptr);
}

TEST(Integrators, OneStepIsTheFormula) {
  const auto step = [](std::string_view name) {
    const Integrator& integrator = *find_integrator(name);
    std::vector<Vec3> x{{1, 0, 0}}, v{{0, 2, 0}}, a{{-4, 0, 0}};
    const Motion motion{x, v, a};
    integrator.before_force(motion, 0.5F);
    a[0] = {-8, 0, 0};  // what the forces are at the new place
    integrator.after_force(motion, 0.5F);
    return std::pair(x[0], v[0]);
  };
  EXPECT_EQ(step("leapfrog"), (std::pair{Vec3{0.5F, 1, 0}, Vec3{-3, 2, 0}}));
  EXPECT_EQ(step("symplectic-euler"), (std::pair{Vec3{-1, 1, 0}, Vec3{-4, 2, 0}}));
  EXPECT_EQ(step("explicit-euler"), (std::pair{Vec3{1, 1, 0}, Vec3{-4, 2, 0}}));
}

TEST(Integrators, SplittingTheBodiesGivesTheSameBits) {
  for (const Integrator* integrator : integrators()) {
    std::vector<Vec3> x(7), v(7), a(7);
    for (std::size_t i = 0; i < 7; ++i) {
      const auto f = static_cast<float>(i) + 0.1F;
      x[i] = {f, 1 / f, f * f}, v[i] = {1 / f, f, 0.3F}, a[i] = {-f, 0.7F, 1 / f};
    }
    auto x2 = x, v2 = v;
    const Motion whole{x, v, a}, split{x2, v2, a};
    integrator->before_force(whole, 0.013F), integrator->after_force(whole, 0.013F);
    for (const auto& part : {split.range(0, 3), split.range(3, 7)}) {
      integrator->before_force(part, 0.013F), integrator->after_force(part, 0.013F);
    }
    EXPECT_EQ(x, x2) << integrator->name;
    EXPECT_EQ(v, v2) << integrator->name;
  }
}

TEST(Kepler, LeapfrogHasTheKnownErrors) {
  EXPECT_TRUE(checks::kepler_errors_are(direct("leapfrog"), checks::leapfrog_rows()));
}
TEST(Kepler, SymplecticEulerHasTheKnownErrors) {
  EXPECT_TRUE(checks::kepler_errors_are(direct("symplectic-euler"), checks::symplectic_euler_rows()));
}
TEST(Kepler, ExplicitEulerUnbindsTheOrbit) {
  EXPECT_TRUE(checks::kepler_errors_are(direct("explicit-euler"), {{100, 1.04}}));
}
TEST(Kepler, BrokenMethodsHaveOtherErrors) {
  for (const Integrator* broken : {&half_drifting, &wrong_sign, &first_order, &damped, &one_sided}) {
    EXPECT_FALSE(checks::kepler_errors_are(direct(*broken), checks::leapfrog_rows())) << broken->name;
  }
}

TEST(Kepler, EachMethodHasItsOrder) {
  EXPECT_TRUE(checks::kepler_order_is(direct("leapfrog"), 2.0));
  EXPECT_TRUE(checks::kepler_order_is(direct("symplectic-euler"), 1.0));
}
TEST(Kepler, AFirstOrderVariantIsNotOfSecondOrder) {
  EXPECT_FALSE(checks::kepler_order_is(direct(first_order), 2.0));
  EXPECT_FALSE(checks::kepler_order_is(direct(half_drifting), 2.0));
}

TEST(Kepler, LeapfrogEnergyDoesNotDrift) {
  EXPECT_TRUE(checks::kepler_energy_does_not_drift(direct("leapfrog")));
  EXPECT_FALSE(checks::kepler_energy_does_not_drift(direct("explicit-euler")));
  EXPECT_FALSE(checks::kepler_energy_does_not_drift(direct(damped)));
}

TEST(Kepler, LeapfrogIsTimeReversibleAndEulerIsNot) {
  EXPECT_TRUE(checks::is_time_reversible(direct("leapfrog")));
  EXPECT_FALSE(checks::is_time_reversible(direct("symplectic-euler")));
  EXPECT_FALSE(checks::is_time_reversible(direct("explicit-euler")));
  EXPECT_FALSE(checks::is_time_reversible(direct(damped)));
}

TEST(FigureEight, ReturnsUnderLeapfrog) {
  EXPECT_TRUE(checks::figure_eight_returns(direct("leapfrog"), 3000, 5e-4));
}
TEST(FigureEight, DoesNotReturnUnderABrokenMethod) {
  for (const Integrator* broken : {&half_drifting, &wrong_sign, &first_order, &damped, &one_sided}) {
    EXPECT_FALSE(checks::figure_eight_returns(direct(*broken), 3000, 5e-4)) << broken->name;
  }
}

TEST(Momentum, IsConservedByEveryIntegrator) {
  for (const Integrator* each : {find_integrator("leapfrog"), find_integrator("symplectic-euler")}) {
    EXPECT_TRUE(checks::momentum_is_conserved(direct(*each))) << each->name;
  }
}
TEST(Momentum, IsNotConservedWhereForcesAreOneSidedOrDamped) {
  EXPECT_FALSE(checks::momentum_is_conserved(direct(one_sided)));
  EXPECT_FALSE(checks::momentum_is_conserved(direct(damped)));
}

}  // namespace
}  // namespace orrery::sim
