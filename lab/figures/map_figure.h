#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "lab/bench/bench_setup.h"
#include "lab/figures/figure_kind.h"
#include "sim/activity/activity_map.h"

// The figure that `orrery map` and `orrery plot map` draw: an activity map with axes.
namespace orrery::lab {

/// More cells along a side are more than a printed figure resolves.
inline constexpr std::size_t most_figure_cells = 2048;

/// Quantities: "dark" on white, or "red".
extern const FigureKind map_figure;

/// A counted map as JSON. Cells stand row by row from the bottom.
nlohmann::json map_document(const BenchSetup& setup, const sim::MapSpec& spec, std::uint64_t steps,
                            const std::vector<float>& cells);

}  // namespace orrery::lab
