#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <utility>

#include "app/picture/auto_exposure.h"
#include "app/picture/look.h"
#include "app/picture/picture_input.h"
#include "app/picture/scene_summary.h"
#include "render/bodies/body_drawer.h"
#include "render/color_modes/color_mode.h"
#include "render/light/tone_mapper.h"
#include "render/map/map_drawer.h"
#include "render/map/map_picture.h"
#include "sim/activity/activity_map.h"

namespace orrery::app {

/// The colour mode in use: the option, where it is "auto" the colours of the file, if it has some, else each
/// body in its own colour in a scene of fewer than 100, else components.
const render::ColorMode& color_mode_of(const Look& look, const SceneSummary& summary);
/// The colour range in use: that of the option color-range, or the dataset's own.
std::pair<float, float> active_range(const Look& look, const SceneSummary& summary);

/// The body style that a look asks for, without range and grid, which depend on the data.
render::BodyStyle body_style(const Look& look);
/// The body style of a picture of that size in pixels, without the discs of orbiting bodies.
render::BodyStyle body_style(const PictureInput& input, glm::ivec2 size);
/// The drawing method. Kept pictures repeat to the bit, which sums of compute shaders do not. A film may give
/// that up for speed.
render::Splatting splatting(const PictureInput& input);

/// True if the activity map is drawn instead of bodies.
bool hides_bodies(const PictureInput& input);
/// True if what is behind the bodies is drawn: not where the map hides them, in a transparent picture, or
/// beside colours that show values.
bool has_background(const PictureInput& input);
/// The look of the activity map of that many bodies.
render::MapLook map_look(const Look& look, std::size_t bodies);
/// The position of a box's map in space: through the centre of the scene.
render::MapPlace map_place(const sim::MapSpec& map, const SceneSummary& summary);

/// True if the light of a picture decides its exposure. A few bodies are points and lines: their own light
/// decides, not how much there is.
bool measures_exposure(const PictureInput& input);
/// The tone style; `exposure_stops` is the option alone.
render::ToneStyle tone_style(const LightOptions& light);
/// The tone style of a picture. `levels`: what the exposure is for; none: the one of the dataset.
render::ToneStyle tone_style(const PictureInput& input, const AutoExposure::Levels& levels);

}  // namespace orrery::app
