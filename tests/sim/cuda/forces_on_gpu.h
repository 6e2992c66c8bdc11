#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/galaxies/model.h"
#include "sim/physics/diagnostics/force_error.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim {

using Settings = std::vector<std::string>;

/// Forces of an approximate family on a GPU beside double-precision sums. Family::assignments() chooses it.
template <typename Family>
class ForcesOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = checks::why_not_here(engine_case()); !reason.empty()) GTEST_SKIP() << reason;
  }
  static checks::EngineCase engine_case(const Settings& more = {}) {
    Settings assignments = Family::assignments();
    assignments.insert(assignments.end(), more.begin(), more.end());
    return {.name = "", .assignments = std::move(assignments), .cuda = true};
  }
  static Configuration configuration(const Settings& more, double softening = 0.02) {
    auto settings = checks::configuration_of(engine_case(more));
    settings.set("softening", softening);
    return settings;
  }
  /// Accelerations of so many bodies out of all.
  static ForceSample forces(const Bodies& bodies, const Settings& more = {}, double softening = 0.02,
                            std::size_t sampled = 2000) {
    const auto engine = checks::loaded(configuration(more, softening), bodies);
    engine->observe({.forces = std::min(sampled, bodies.size()), .seed = 1});
    engine->advance({});
    engine->finish();
    return engine->poll().forces.value();
  }
  static ForceError error_of(const Bodies& bodies, const Settings& more = {}, double softening = 0.02) {
    return force_error(forces(bodies, more, softening));
  }
  static Bodies made(const char* model, std::size_t count) {
    return make_galaxy(model, {.bodies = count, .seed = 3}).bodies;
  }
  static Bodies sphere(std::size_t count = 20'011) { return made("plummer", count); }
};

}  // namespace orrery::sim
