#pragma once

#include <cstdint>
#include <vector>

#include "app/picture/scene_summary.h"
#include "sim/options/configuration.h"
#include "sim/options/option.h"
#include "sim/scene/scene.h"

namespace orrery::app {

/// Adds the options of velocity arrows: which bodies have them, how many, how long they are.
void add_arrow_options(sim::OptionTable& table);

/// Whether any body has an arrow.
bool shows_arrows(const sim::Configuration& configuration);

/// The numbers of the bodies that have arrows, rising: of those that are drawn, some by lot, which are always
/// the same, or the heaviest.
std::vector<std::uint32_t> bodies_with_arrows(const sim::Configuration& configuration,
                                              const sim::Scene& scene, const SceneSummary& summary);

}  // namespace orrery::app
