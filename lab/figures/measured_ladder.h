#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lab/figures/figure_kind.h"

// Ladders, as figures measure them and find them in JSON.
namespace orrery::lab {

/// Measures the rungs that were asked for with every number of bodies, as `orrery ladder --json` writes them.
/// Says on standard error how far it is. Throws as find_ladders.
nlohmann::json measure_ladders(const sim::OptionTable& table, const FigureRequest& request,
                               const std::string& name);

/// The results of the ladder that `request` names (subject, or ladder), or of the only one; with `sizes`
/// those of these numbers of bodies. Throws sim::Error if there are none, or of several ladders.
std::vector<const nlohmann::json*> results_of(const nlohmann::json& document, const FigureRequest& request);
/// The only one of them. Throws sim::Error if there are several.
const nlohmann::json& one_ladder(const nlohmann::json& document, const FigureRequest& request);

/// The rungs of those names in that order, or all. Throws sim::UsageError for a name that is none.
std::vector<const nlohmann::json*> chosen_rungs(const nlohmann::json& ladder,
                                                const std::vector<std::string>& names);

}  // namespace orrery::lab
