#pragma once

#include "render/body_style.h"
#include "sim/options/configuration.h"

namespace orrery::app {

/// The options for colours outside the range of a colour map: color-under, color-over, color-nan.
void add_outside_color_options(sim::OptionTable& table);
/// What they say for a style.
void set_outside_colors(render::BodyStyle& style, const sim::Configuration& configuration);

}  // namespace orrery::app
