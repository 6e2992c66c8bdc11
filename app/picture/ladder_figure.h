#pragma once

#include <filesystem>
#include <vector>

#include "lab/ladders/ladder_benchmark.h"

namespace orrery::app {

/// Before anything is measured: throws sim::UsageError if no rung can run on a GPU here, and what
/// check_figure throws. "" is no figure.
void check_ladder_figure(const std::filesystem::path& path, const std::vector<lab::LadderProblem>& problems);

}  // namespace orrery::app
