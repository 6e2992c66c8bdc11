#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lab/figures/figure_kind.h"

// Ladders in the JSON that figures draw.
namespace orrery::lab {

/// The results of the ladder that `request` names, or of the only one; with `sizes`
/// those of these numbers of bodies. Throws sim::Error if there are none, or of several ladders.
std::vector<const nlohmann::json*> results_of(const nlohmann::json& document, const FigureRequest& request);
/// The only ladder of a document. Throws sim::Error if there are several.
const nlohmann::json& one_ladder(const nlohmann::json& document, const FigureRequest& request);

/// The rungs of those names in that order, or all. Throws sim::UsageError for a name that is none.
std::vector<const nlohmann::json*> chosen_rungs(const nlohmann::json& ladder,
                                                const std::vector<std::string>& names);

}  // namespace orrery::lab
