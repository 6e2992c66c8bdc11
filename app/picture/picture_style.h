#pragma once

#include <cstddef>

#include "app/picture/look.h"
#include "render/bodies/body_drawer.h"
#include "render/light/tone_mapper.h"
#include "render/map/map_picture.h"

namespace orrery::app {

/// The body style that a look asks for, without range and grid, which depend on the data.
render::BodyStyle body_style(const Look& look);
/// The choice of the drawing method.
render::Splatting splatting(const Look& look);
/// The look of the activity map of that many bodies.
render::MapLook map_look(const Look& look, std::size_t bodies);
/// The tone style; `exposure_stops` is the option alone.
render::ToneStyle tone_style(const LightOptions& light);

}  // namespace orrery::app
