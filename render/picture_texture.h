#pragma once

#include "render/gl_object.h"
#include "render/image.h"

namespace orrery::render {

/// A texture of the picture, smooth also where it is shown smaller: with all its mipmaps. Needs a current
/// context. An empty picture gives an empty texture.
Texture texture_of(const Image& image);

}  // namespace orrery::render
