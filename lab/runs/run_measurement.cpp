#include "lab/runs/run_measurement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "run_measurements.h"
#include "sim/core/error.h"
#include "sim/core/spelling.h"

namespace orrery::lab {

std::span<const RunMeasurement* const> run_measurements() { return registry::run_measurements; }

const RunMeasurement& find_run_measurement(const std::string& name) {
  std::vector<std::string> names;
  for (const auto* measurement : run_measurements()) {
    if (measurement->name == name) return *measurement;
    names.emplace_back(measurement->name);
  }
  throw sim::UsageError(fmt::format("--measure cannot take '{}'{}; it takes {}", name,
                                    sim::did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace orrery::lab
