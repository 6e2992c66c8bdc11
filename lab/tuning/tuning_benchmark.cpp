#include "lab/tuning/tuning_benchmark.h"

#include <algorithm>

namespace orrery::lab {

namespace {

/// A careful measurement takes about this long; a first look one step.
constexpr double careful_ms = 200.0;
constexpr int most_steps = 50;
/// Below this the first look is mostly the launch.
constexpr double short_ms = 0.1;

constexpr std::size_t few_bodies = 4096;
/// Rates grow with the number of bodies, but not by this factor.
constexpr double hopeless = 0.02;

/// The first bodies of a scene, as one galaxy.
sim::Scene beginning_of(const sim::Scene& scene) {
  auto few = scene;
  few.bodies = {};
  few.bodies.resize(std::min(few_bodies, scene.bodies.size()));
  const auto copy = [&](auto& to, const auto& from) { std::copy_n(from.begin(), to.size(), to.begin()); };
  copy(few.bodies.position, scene.bodies.position);
  copy(few.bodies.velocity, scene.bodies.velocity);
  copy(few.bodies.mass, scene.bodies.mass);
  copy(few.bodies.charge, scene.bodies.charge);
  return few;
}

}  // namespace

TuningStopwatch::TuningStopwatch(const BenchSetup& setup) : setup_(setup), few_(beginning_of(setup.scene)) {}

TuningMeasurement TuningStopwatch::measure(const sim::Configuration& configuration, double fastest) {
  const auto row = time(configuration, fastest);
  return {.gips = row.gips_kernel, .error_median = row.force_error.median, .error_p99 = row.force_error.p99};
}

BenchmarkRow TuningStopwatch::time(const sim::Configuration& configuration, double fastest) {
  const auto& name = sim::computing_name(configuration);
  if (fastest > 0.0 && !promising_.contains(name)) {
    auto row = time_configuration(setup_.table, configuration, few_, 1);
    if (row.gips_kernel < hopeless * fastest) return row;
    promising_.insert(name);
  }
  auto row = time_configuration(setup_.table, configuration, setup_.scene, 1);
  if (row.kernel_ms > short_ms && row.gips_kernel < 0.5 * fastest) return row;
  const int steps = std::clamp(static_cast<int>(careful_ms / std::max(row.kernel_ms, 1e-3)), 2, most_steps);
  return time_configuration(setup_.table, configuration, setup_.scene, steps);
}

}  // namespace orrery::lab
