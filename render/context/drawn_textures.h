#pragma once

namespace orrery::render {

/// Has Mesa's rasterizer free textures that were deleted. It keeps each until the last of its up to 64 lists
/// of drawing commands that names the texture is used again, which may be never: after a busy moment a few
/// lists suffice. Takes some milliseconds. Does nothing where a GPU draws.
void free_deleted_textures();

}  // namespace orrery::render
