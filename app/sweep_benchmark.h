#pragma once

#include <vector>

#include "app/bench_setup.h"
#include "app/sweep_report.h"

namespace orrery::app {

/// Measures every combination, each for so many steps after one to warm up, and says now and then on standard
/// error how far it is. What fails only when it runs is refused then.
SweepReport measure_sweep(const BenchSetup& setup, std::vector<sim::SweepAxis> axes, int steps);

}  // namespace orrery::app
