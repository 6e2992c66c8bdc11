#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/bench_setup.h"
#include "app/tuned.h"
#include "sim/tuning/tuner.h"

namespace orrery::app {

/// One line of the course, `seconds` after the start.
std::string tuning_line(const sim::TuningTrial& trial, double seconds);
/// What came of the search, for people.
std::string tuning_text(const BenchSetup& setup, const sim::TuningResult& result);
/// {"version", "device", ..., "start", "best", "trials": [...]}.
nlohmann::json tuning_json(const BenchSetup& setup, const sim::TuningResult& result, const TunedKey& key);
/// What is remembered of it.
TunedResult tuned_result(const BenchSetup& setup, const sim::TuningResult& result, const TunedKey& key);

}  // namespace orrery::app
