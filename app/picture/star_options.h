#pragma once

#include "app/picture/scene_summary.h"
#include "render/bodies/body_style.h"
#include "sim/options/configuration.h"

namespace orrery::app {

/// With fewer bodies all bodies of a component are equally bright.
inline constexpr std::size_t fewest_to_vary = 100;

/// Adds the options of how single bodies shine: how wide, how bright, in which colour.
void add_star_options(sim::OptionTable& table);

/// False for a component that gives no light, as a halo among stars does.
bool shines(std::size_t component, const sim::Configuration& configuration, const SceneSummary& summary);

/// Sets what they say in a style.
void set_star_style(render::BodyStyle& style, const sim::Configuration& configuration,
                    const SceneSummary& summary);

}  // namespace orrery::app
