#include "lab/verify/physics_checks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/sim/engines/engine_cases.h"

namespace orrery::lab {
namespace {

Advance by_kernel(const std::string& kernel) {
  const auto& table = sim::checks::simulation_options();
  auto configuration = table.defaults();
  configuration.set("engine", std::string("cpu"));
  configuration.set("kernel", kernel);
  configuration.set("state-precision", std::string("compensated"));
  return by_engine(table, configuration);
}

/// Exact roots for the few bodies of an orbit; many by vector instructions, in a tenth of the time.
Advance right_method() {
  return [few = by_kernel("sequential"), many = by_kernel("simd")](const PhysicsRun& run) {
    (run.start.size() < 100 ? few : many)(run);
  };
}

/// Methods that run and look plausible: one with other physics than it was asked for.
template <typename Change>
Advance with(const Change& change) {
  return [change, advance = right_method()](PhysicsRun run) {
    change(run.physics);
    advance(run);
  };
}

Advance other_order() {
  return with([](sim::Physics& physics) {
    physics.integrator =
        physics.integrator->order == 1 ? &sim::leapfrog : sim::find_integrator("symplectic-euler");
  });
}
Advance late_clock() {
  return with([](sim::Physics& physics) { physics.time_step *= 1.001; });
}
Advance strong_forces() {
  return with([](sim::Physics& physics) {
    physics.gravitational_constant *= 1.5;
    physics.coulomb *= 1.01;
  });
}

/// Parts that do not follow the forces; or others on the way back.
Advance uncut() {
  return with([](sim::Physics& physics) { physics.step = &sim::fixed_step; });
}
Advance other_cuts_back() {
  return with([](sim::Physics& physics) { physics.step_accuracy *= physics.time_step < 0.0 ? 4.0 : 1.0; });
}

/// The mistake that a check must see.
Advance wrong_method(const std::string& name) {
  if (name.starts_with("adaptive return")) return other_cuts_back();
  if (name.starts_with("adaptive")) return uncut();
  if (name.starts_with("Kepler slope") || name.starts_with("there and back")) return other_order();
  if (name.starts_with("figure-eight") || name.starts_with("Pythagorean")) return late_clock();
  if (name.ends_with("100 years, arcsec")) return late_clock();
  return strong_forces();
}

void judge_all(bool quick) {
  std::size_t judged = 0;
  for (const auto& check : physics_checks()) {
    if (check.quick != quick) continue;
    const auto right = check.answer(right_method());
    EXPECT_TRUE(right.right()) << check.name << ": " << right.value << " is not within " << right.least
                               << " to " << right.most;
    const auto wrong = check.answer(wrong_method(check.name));
    EXPECT_FALSE(wrong.right()) << check.name << " passes a wrong method with " << wrong.value;
    EXPECT_FALSE(check.source.empty()) << check.name;
    ++judged;
  }
  EXPECT_GE(judged, 4U);
}

#ifdef ORRERY_TEST_LONG
TEST(PhysicsChecks, LongOnesPassWhatIsRightAndSeeWhatIsWrong) { judge_all(false); }
#else
TEST(PhysicsChecks, QuickOnesPassWhatIsRightAndSeeWhatIsWrong) { judge_all(true); }
#endif

TEST(PhysicsChecks, WhatIsNoNumberFails) {
  EXPECT_FALSE((PhysicsAnswer{std::nan(""), 0.0, 1.0}).right());
  EXPECT_TRUE((PhysicsAnswer{1.0, 0.0, 1.0}).right());
  EXPECT_FALSE((PhysicsAnswer{1.1, 0.0, 1.0}).right());
}

}  // namespace
}  // namespace orrery::lab
