#pragma once

#include "lab/bench/bench_setup.h"
#include "lab/diagnostics/diagnostics_log.h"

namespace orrery::lab {

/// Runs `steps` steps and looks at the first state, at every `stride`-th and at the last. Energies are exact
/// up to 200 000 bodies; what else is found is from a sample (sim::CenteringRequest). A line on the terminal
/// says how far it is. Throws sim::Cancelled.
DiagnosticsLog measured_diagnostics(const BenchSetup& setup, int steps, int stride);

}  // namespace orrery::lab
