#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/bench/bench_setup.h"

namespace orrery::lab {

/// The run that is measured; its dataset and options are in the setup.
struct RunRequest {
  std::optional<int> steps;              ///< none: as many as the measurement usually takes
  std::optional<int> every;              ///< steps between two samples; none: as the measurement chooses
  std::string vary;                      ///< axes of options, one run for each combination; empty: one run
  std::vector<std::string> assignments;  ///< option assignments from the command line
};

/// Something that `orrery diagnose --measure NAME` measures during a run and writes as JSON. Each lives in
/// its own file; adding one takes that file and one line in CMakeLists.txt.
struct RunMeasurement {
  std::string_view name;
  std::string_view meaning;       ///< a line of the help
  std::string_view drawn_by;      ///< the kind of `orrery plot` that draws its JSON
  bool varies = false;            ///< takes RunRequest::vary
  bool double_precision = false;  ///< small scenes are computed in double precision (choose_double_precision)
  /// Throws sim::UsageError, sim::Error, and sim::Cancelled when a person interrupts.
  nlohmann::json (*measure)(BenchSetup& setup, const RunRequest& request);
};

/// All measurements in the order of the help; the first one is the default.
std::span<const RunMeasurement* const> run_measurements();
/// Throws sim::UsageError with the names, and the one that was probably meant.
const RunMeasurement& find_run_measurement(const std::string& name);

}  // namespace orrery::lab
