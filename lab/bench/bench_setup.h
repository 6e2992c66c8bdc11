#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lab/setup/dataset.h"
#include "sim/options/configuration.h"
#include "sim/scene/scene.h"

namespace orrery::lab {

/// The setup for sweeps and the tuner: a dataset and the configuration to start from.
struct BenchSetup {
  sim::OptionTable table;
  sim::Configuration configuration;  ///< defaults, what suits the scene, the command line's assignments
  sim::OptionContext context;
  sim::Scene scene;
};

/// Reads or makes the dataset (a Plummer sphere if none is named). Wrong options are found before. Throws
/// sim::Error and sim::UsageError. `table`: every option that may be assigned.
BenchSetup bench_setup(sim::OptionTable table, const DatasetRequest& dataset,
                       const std::vector<std::string>& assignments);

/// Sets what `orrery tune` remembered for the setup and says so on standard error. Throws sim::Error if
/// nothing is remembered that could be used.
void use_tuned(BenchSetup& setup, const std::vector<std::string>& assignments);

/// Checks a report's file before anything is computed: throws sim::Error if it could not be written. "-" is
/// standard output, "" no report.
void check_report(const std::string& where);
void write_report(const std::string& where, const std::string& text);
void write_report(const std::string& where, const nlohmann::json& document);

}  // namespace orrery::lab
