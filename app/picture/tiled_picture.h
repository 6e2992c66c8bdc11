#pragma once

#include <functional>
#include <glm/glm.hpp>

#include "app/picture/overlay_painter.h"
#include "app/picture/painter.h"
#include "render/picture/image.h"

namespace orrery::app {

/// The largest tile of a picture that is drawn in tiles; {0, 0} for pictures that are drawn at once. Needs a
/// current context.
glm::ivec2 suitable_tile(glm::ivec2 picture);

/// Throws render::Error with the numbers if a picture of this size, `bytes_per_pixel` each, is more than the
/// memory that is free now.
void check_picture_memory(glm::ivec2 size, std::size_t bytes_per_pixel);

/// Draws a picture of any size in tiles of at most `tile` pixels (256 x 256 at least). It is the one that is
/// drawn at once, to within rounding: exposure, glow, sizes and texts are those of the whole. `overlay`: has
/// written what stands over it; nullptr: nothing does. Throws render::Error.
render::Image draw_in_tiles(Painter& painter, const PictureInput& input, OverlayPainter* overlay,
                            glm::ivec2 size, glm::ivec2 tile);

/// Rows of a picture's light from the top, 3 floats per pixel (linear red, green, blue).
using LightRows = std::function<void(std::span<const float> values, int rows)>;

/// The light of a picture before exposure, glow and tone curve, handed over in pieces of whole rows. Needs no
/// more memory than such a piece. Throws render::Error and whatever `take` throws.
void draw_light_rows(Painter& painter, const PictureInput& input, glm::ivec2 size, const LightRows& take);

}  // namespace orrery::app
