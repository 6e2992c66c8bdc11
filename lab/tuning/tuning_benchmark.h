#pragma once

#include <set>
#include <string>

#include "lab/bench/bench_setup.h"
#include "lab/bench/benchmark.h"
#include "lab/tuning/tuner.h"

namespace orrery::lab {

/// Measures configurations for one search of the tuner, each only as carefully as it deserves.
class TuningStopwatch {
 public:
  /// The setup must outlive it.
  explicit TuningStopwatch(const BenchSetup& setup);

  /// What is slower than half of `fastest` (GInteractions/s of the kernel; 0: the first) need not be known
  /// precisely, and what is much slower only from few bodies: some families would take minutes for a step of
  /// many. Throws as time_configuration.
  TuningMeasurement measure(const sim::Configuration& configuration, double fastest);

 private:
  BenchmarkRow time(const sim::Configuration& configuration, double fastest);

  const BenchSetup& setup_;
  sim::Scene few_;
  std::set<std::string> promising_;  ///< kernels and families that are worth all bodies
};

}  // namespace orrery::lab
