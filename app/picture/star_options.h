#pragma once

#include "app/picture/scene_summary.h"
#include "render/body_style.h"
#include "sim/options/configuration.h"

namespace orrery::app {

/// Adds the options of how single bodies shine: how wide, how bright, in which colour.
void add_star_options(sim::OptionTable& table);

/// Sets what they say in a style.
void set_star_style(render::BodyStyle& style, const sim::Configuration& configuration,
                    const SceneSummary& summary);

}  // namespace orrery::app
