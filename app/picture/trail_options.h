#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "render/trails/trail_drawer.h"
#include "render/trails/trails.h"
#include "sim/options/option_member.h"

namespace orrery::app {

/// Scenes of fewer bodies show trails, and can show ellipses and names.
inline constexpr std::size_t few_enough_for_trails = 100;

/// The options of trails, ellipses and names.
struct TrailOptions {
  sim::FormValue trails, length, look, frame;
  bool ellipses = false, names = false;
  std::string body_sizes;
};
template <typename Visit>
void for_each_value(TrailOptions& options, const Visit& visit) {
  visit("trails", options.trails);
  visit("trail-length", options.length);
  visit("trail-look", options.look);
  visit("trail-frame", options.frame);
  visit("ellipses", options.ellipses);
  visit("names", options.names);
  visit("body-sizes", options.body_sizes);
}

/// Describes the options of trails.
void add_trail_options(sim::OptionTable& table);

/// The bodies whose trails a configuration asks for, and the trails' length, in a dataset of that many
/// bodies. No bodies: none. Depends on nothing else, so that the same options follow the same bodies.
render::TrailPlan trail_plan(const sim::Configuration& configuration, std::size_t bodies);
/// The style of trails.
render::TrailStyle trail_style(const sim::Configuration& configuration);
/// The style of ellipses: thinner and fainter than trails.
render::TrailStyle ellipse_style(const sim::Configuration& configuration);
/// Sets the radii of a body style: discs of readable size or true to scale, as the option `body-sizes` asks.
/// `radii`: in lengths, of all bodies of a scene of few; empty: bodies are no discs. `stops`: the automatic
/// exposure.
void set_disc_sizes(render::BodyStyle& style, const sim::Configuration& configuration,
                    const std::vector<double>& radii, float stops);
/// Steps from place to place of a trail where all steps are at hand: as a window of 60 frames per second
/// would have it, at the speed of the configuration.
std::uint64_t steps_between_places(const sim::Configuration& configuration);

}  // namespace orrery::app
