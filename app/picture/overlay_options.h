#pragma once

#include "sim/options/configuration.h"
#include "sim/options/option.h"
#include "sim/scene/physical_units.h"

namespace orrery::app {

/// Adds the options of what is written and drawn over the picture: size of texts, scale bar, axes, units.
void add_overlay_options(sim::OptionTable& table);

/// The units that the overlay speaks of: those of the dataset, or what the options say instead.
sim::PhysicalUnits shown_units(const sim::Configuration& configuration, const sim::PhysicalUnits& dataset);

/// True if there is a scale bar: always, never, or together with the legend.
bool shows_scale_bar(const sim::Configuration& configuration);

/// The height of a line of text in a picture of that many pixels: the option text-size is for one 720 pixels
/// high. At least 9 pixels. A picture higher than three quarters of its width counts as one of these.
float text_pixels(const sim::Configuration& configuration, float width, float height);

}  // namespace orrery::app
