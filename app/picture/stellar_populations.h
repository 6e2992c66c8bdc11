#pragma once

#include <cstdint>
#include <vector>

#include "render/bodies/body_style.h"
#include "sim/bodies/bodies.h"
#include "sim/options/configuration.h"

namespace orrery::app {

/// The number of a disk's old stars where bodies are drawn: beyond those of sim::Component.
inline constexpr std::uint8_t old_disk = sim::component_count;

/// The component as which each body is drawn: its own, but for some of a disk `old_disk`. The denser their
/// wide surroundings are in these places, the more are old, as disks are redder inside (de Jong 1996, A&A
/// 313, 377). By lot, which depends on a body's number only. A disk of fewer than 1000 bodies stays one.
std::vector<std::uint8_t> drawn_components(const sim::Bodies& bodies);

/// Adds the option that says how much older stars differ.
void add_age_option(sim::OptionTable& table);

/// The old stars of a disk are disk in all but their colour. After all that sets the look of components.
void set_age_style(render::BodyStyle& style, const sim::Configuration& configuration);

}  // namespace orrery::app
