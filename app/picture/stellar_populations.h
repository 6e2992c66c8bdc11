#pragma once

#include <cstdint>
#include <vector>

#include "sim/bodies/bodies.h"

namespace orrery::app {

/// The number of a disk's old stars where bodies are drawn: beyond those of sim::Component.
inline constexpr std::uint8_t old_disk = sim::component_count;

/// The component as which each body is drawn: its own, but for some of a disk `old_disk`. The denser their
/// wide surroundings are in these places, the more are old, as disks are redder inside (de Jong 1996, A&A
/// 313, 377). By lot, which depends on a body's number only. A disk of fewer than 1000 bodies stays one.
std::vector<std::uint8_t> drawn_components(const sim::Bodies& bodies);

}  // namespace orrery::app
