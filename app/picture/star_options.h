#pragma once

#include <string>

#include "app/picture/scene_summary.h"
#include "render/bodies/body_style.h"
#include "sim/options/option_member.h"

namespace orrery::app {

/// Datasets with fewer bodies than this show all bodies of a component equally bright.
inline constexpr std::size_t fewest_to_vary = 100;

/// The options of how single bodies shine: how wide, how bright, in which colour.
struct StarOptions {
  sim::FormValue sizes;
  std::string starlight;
  double spread = 0.0;  ///< standard deviation of the brightness, in magnitudes
  double colors = 0.0, ages = 0.0;
};
template <typename Visit>
void for_each_value(StarOptions& options, const Visit& visit) {
  visit("sizes", options.sizes);
  visit("starlight", options.starlight);
  visit("star-spread", options.spread);
  visit("star-colors", options.colors);
  visit("star-ages", options.ages);
}

/// Describes the options of stars.
void add_star_options(sim::OptionTable& table);

/// False for a component that gives no light, as a halo among stars does.
bool shines(std::size_t component, const sim::Configuration& configuration, const SceneSummary& summary);

/// Sets the options of stars in a style.
void set_star_style(render::BodyStyle& style, const sim::Configuration& configuration,
                    const SceneSummary& summary);

/// Sets the colour of a disk's old stars (`old_disk`), which are disk in all else. After all that sets the
/// look of components.
void set_age_style(render::BodyStyle& style, const sim::Configuration& configuration);

}  // namespace orrery::app
