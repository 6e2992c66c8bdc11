#pragma once

#include <array>

#include "app/picture/scene_summary.h"
#include "app/picture/star_options.h"
#include "render/bodies/body_style.h"
#include "sim/options/configuration.h"

namespace orrery::app {

/// Adds the options of diffraction spikes.
void add_spike_options(sim::OptionTable& table);

/// Sets what they say in a style whose light of components and stars is there already.
void set_spike_style(render::BodyStyle& style, const sim::Configuration& configuration,
                     const SceneSummary& summary);

/// The light, in units of component_weight, that about that many stars exceed, by what is known of how stars
/// differ; 0 where they do not differ.
double light_of_brightest(const render::BodyStyle& style,
                          const std::array<std::size_t, sim::component_count>& bodies, double stars);

}  // namespace orrery::app
