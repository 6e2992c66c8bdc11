#pragma once

#include <glm/glm.hpp>
#include <span>

#include "render/context/gl_object.h"
#include "render/picture/image.h"

namespace orrery::render {

/// A texture of the picture, smooth also where it is shown smaller: with all its mipmaps. Needs a current
/// context. An empty picture gives an empty texture.
Texture texture_of(const Image& image);
/// A texture of a line of colours, linear between them and constant beyond its ends. Needs a current context.
Texture texture_of(std::span<const glm::vec3> colors);

}  // namespace orrery::render
