#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lab/bench/bench_setup.h"
#include "lab/bench/tuned.h"
#include "lab/tuning/tuner.h"

namespace orrery::lab {

/// The columns of the course, and one line of it, `seconds` after the start. Without a line break.
std::string tuning_heading();
std::string tuning_line(const TuningTrial& trial, double seconds);
/// A report of the search, for people.
std::string tuning_text(const BenchSetup& setup, const TuningResult& result);
/// {"version", "device", ..., "start", "best", "trials": [...]}.
nlohmann::json tuning_json(const BenchSetup& setup, const TuningResult& result, const TunedKey& key);
/// The part of the result that is remembered.
TunedResult tuned_result(const BenchSetup& setup, const TuningResult& result, const TunedKey& key);

}  // namespace orrery::lab
