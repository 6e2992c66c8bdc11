#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/picture/look.h"
#include "render/trails/trail_drawer.h"
#include "render/trails/trails.h"

namespace orrery::app {

/// Scenes of fewer bodies show trails, and can show ellipses and names.
inline constexpr std::size_t few_enough_for_trails = 100;

/// The bodies whose trails the options ask for, and the trails' length, in a dataset of that many
/// bodies. No bodies: none. Depends on nothing else, so that the same options follow the same bodies.
render::TrailPlan trail_plan(const TrailOptions& options, std::size_t bodies);
/// The style of trails.
render::TrailStyle trail_style(const TrailOptions& options);
/// The style of ellipses: thinner and fainter than trails.
render::TrailStyle ellipse_style(const TrailOptions& options);
/// Sets the radii of a body style: discs of readable size or true to scale, as the option `body-sizes` asks.
/// `radii`: in lengths, of all bodies of a scene of few; empty: bodies are no discs. `stops`: the automatic
/// exposure.
void set_disc_sizes(render::BodyStyle& style, const TrailOptions& options, const std::vector<double>& radii,
                    float stops);
/// Steps from place to place of a trail where all steps are at hand: as a window of 60 frames per second
/// would have it, at the speed of the configuration.
std::uint64_t steps_between_places(const sim::Configuration& configuration);

}  // namespace orrery::app
