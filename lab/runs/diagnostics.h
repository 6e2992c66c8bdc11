#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lab/bench/bench_setup.h"
#include "lab/diagnostics/diagnostics_log.h"
#include "lab/runs/run_measurement.h"

namespace orrery::lab {

/// Runs `length.steps` steps and samples the first state, every `length.stride`-th and the last. Energies are
/// exact up to 200 000 bodies; what else is found is from a sample (sim::CenteringRequest). A line on the
/// terminal says how far it is. Throws sim::Cancelled.
DiagnosticsLog measured_diagnostics(const BenchSetup& setup, const RunLength& length);

/// The JSON that `orrery plot diagnostics` draws. `steps`: how many were made.
nlohmann::json diagnostics_document(const BenchSetup& setup, const DiagnosticsLog& log, int steps);

}  // namespace orrery::lab
