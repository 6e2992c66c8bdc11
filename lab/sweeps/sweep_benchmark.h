#pragma once

#include <vector>

#include "lab/bench/bench_setup.h"
#include "lab/sweeps/sweep_report.h"

namespace orrery::lab {

/// Measures every combination, each for that many steps after one to warm up. What fails only when it runs is
/// refused then, and so is what a person did not wait for (sim::interrupted).
SweepReport measure_sweep(const BenchSetup& setup, std::vector<SweepAxis> axes, int steps);

}  // namespace orrery::lab
