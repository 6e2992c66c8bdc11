#pragma once

#include "render/bodies/body_style.h"
#include "sim/options/configuration.h"

namespace orrery::app {

/// The options for colours outside the range of a colour map: color-under, color-over, color-nan.
void add_outside_color_options(sim::OptionTable& table);
/// Sets the colours of values outside the range, and of missing values.
void set_outside_colors(render::BodyStyle& style, const sim::Configuration& configuration);

}  // namespace orrery::app
