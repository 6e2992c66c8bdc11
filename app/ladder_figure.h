#pragma once

#include <filesystem>
#include <vector>

#include "app/ladder_benchmark.h"
#include "app/roofline.h"

namespace orrery::app {

/// Before anything is measured: throws sim::UsageError if no rung can run on a GPU here, and what
/// check_figure throws. "" is no figure.
void check_ladder_figure(const std::filesystem::path& path, const std::vector<LadderProblem>& problems);

/// The figure of all rungs that were measured, of several ladders or sizes together. Throws as roofline_of
/// for rows.
Roofline roofline_of(const std::vector<LadderResult>& results);

}  // namespace orrery::app
