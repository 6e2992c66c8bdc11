#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lab/bench/bench_setup.h"
#include "lab/bench/benchmark.h"
#include "lab/sweeps/sweep.h"

namespace orrery::lab {

/// A sweep with what was measured: a row a cell, in the order of the cells; empty for refused ones.
struct SweepReport {
  Sweep sweep;
  std::vector<std::optional<BenchmarkRow>> rows;
  std::size_t reached = 0;  ///< cells that were looked at; fewer than there are where a person interrupted
};

/// Measures every combination, each for that many steps after one to warm up. What fails only when it runs is
/// refused then, and so is what a person did not wait for (sim::interrupted).
SweepReport measure_sweep(const BenchSetup& setup, Sweep sweep, int steps);

/// The heat map for people: rows of the first option, columns of the second, kernel GInteractions/s, the best
/// one marked with *, refused ones as - with their reasons below.
std::string sweep_table(const SweepReport& report);
/// {"rows_option", "columns_option", "cells": [...], "best": {...}, "notes": [...]}.
nlohmann::json sweep_json(const sim::OptionTable& table, const SweepReport& report);
/// A header line and one line per cell; refused cells have empty numbers.
std::string sweep_csv(const SweepReport& report);

}  // namespace orrery::lab
