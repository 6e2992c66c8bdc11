#pragma once

#include "app/picture/framing.h"
#include "render/image.h"
#include "sim/galaxies/model.h"

namespace orrery::app {

/// A built-in galaxy as it begins, of few bodies, drawn without OpenGL in some milliseconds: what is shown
/// until its picture is there. Opaque. The size is at least 1 x 1. Throws what the model throws.
render::Image model_sketch(const sim::GalaxyModel& model, View view, glm::ivec2 size);

}  // namespace orrery::app
