#pragma once

#include <cstddef>
#include <cstdint>

#include "render/bodies/body_drawer.h"
#include "render/light/tone_mapper.h"
#include "render/map/map_picture.h"
#include "sim/options/configuration.h"

namespace orrery::app {

/// The body style that a configuration asks for, without range and grid, which depend on the data.
render::BodyStyle body_style(const sim::Configuration& configuration);
/// The choice of the drawing method.
render::Splatting splatting(const sim::Configuration& configuration);
/// The number of the galaxy that is singled out; -1: none.
std::int64_t singled_out_galaxy(const sim::Configuration& configuration);
/// The look of the activity map of that many bodies.
render::MapLook map_look(const sim::Configuration& configuration, std::size_t bodies);
/// The tone style; `exposure_stops` is the option alone.
render::ToneStyle tone_style(const sim::Configuration& configuration);

}  // namespace orrery::app
