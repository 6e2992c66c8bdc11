#pragma once

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

#include "lab/bench/bench_setup.h"
#include "lab/bench/benchmark.h"
#include "lab/bench/tuned.h"
#include "lab/tuning/tuner.h"

namespace orrery::lab {

/// Measures configurations for one search of the tuner, each only as carefully as it deserves.
class TuningStopwatch {
 public:
  /// The setup must outlive it.
  explicit TuningStopwatch(const BenchSetup& setup);

  /// Variants slower than half of the fastest need not be known precisely, and much slower ones only from
  /// few bodies: some families would take minutes for a step of many. A step of the CPU is cut off when the
  /// time is up; one of a GPU is not begun if it would take much longer. Throws as time_configuration,
  /// TooSlow, and Cancelled when a person interrupts. The rate of a tree counts all pairs.
  TuningMeasurement measure(const sim::Configuration& configuration, const TuningEffort& effort);

 private:
  class Deadline;

  double comparable_gips(const BenchmarkRow& row) const;
  BenchmarkRow time(const sim::Configuration& configuration, double fastest, const Deadline& deadline);
  bool look_at_few(const sim::Configuration& configuration, double fastest, const Deadline& deadline,
                   BenchmarkRow& row);

  const BenchSetup& setup_;
  sim::Scene few_;
  std::set<std::string> promising_;  ///< kernels and families that are worth all bodies
};

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
