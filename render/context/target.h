#pragma once

#include <glm/glm.hpp>
#include <span>

#include "render/context/gl_object.h"
#include "render/picture/image.h"

namespace orrery::render {

/// An 8-bit or float picture that passes write and read.
struct PixelImage {
  Texture texture;
  Framebuffer framebuffer;  ///< whose colour the texture is
  glm::ivec2 size{0, 0};
  unsigned int format = 0;  ///< GL_RGBA8, GL_RGBA32F

  /// Throws Error when out of memory.
  static PixelImage make(unsigned int format, glm::ivec2 size);
};

/// An 8-bit framebuffer of any size, for pictures that do not depend on the window.
class PictureTarget {
 public:
  /// Throws Error, naming the limit, if the size is not positive or the driver cannot draw it.
  explicit PictureTarget(glm::ivec2 size);
  GlName framebuffer() const { return image_.framebuffer.name(); }
  GlName texture() const { return image_.texture.name(); }
  glm::ivec2 size() const { return image_.size; }
  const PixelImage& image() const { return image_; }
  /// The picture, top row first. Waits for the GPU.
  Image read() const;
  /// Copies the picture into a framebuffer (0: the window), with its lower left pixel at `corner`.
  void copy_to(GlName framebuffer, glm::ivec2 corner) const;

 private:
  PixelImage image_;
};

/// Gives all pixels of a framebuffer (0: the window) one colour: red, green, blue and alpha as they are
/// stored.
void clear_to(GlName framebuffer, glm::vec4 color);

/// Directs the next draws to `framebuffer` (0: the window); its viewport stays.
void draw_into(GlName framebuffer);

/// Sets OpenGL's state so that draws add their light to the framebuffer.
void add_light();

/// Throws Error if a framebuffer of this size is not positive or above GL_MAX_TEXTURE_SIZE,
/// GL_MAX_FRAMEBUFFER_WIDTH/HEIGHT or GL_MAX_VIEWPORT_DIMS; the message names the limit.
void check_framebuffer_size(glm::ivec2 size);

/// The largest width and height at which check_framebuffer_size throws nothing.
int largest_framebuffer_side();

/// Allocates a 2-D texture of an internal format and makes it the framebuffer's colour. Throws Error when out
/// of memory or when the driver cannot draw into the format.
void attach_texture(const Framebuffer& framebuffer, const Texture& texture, unsigned int format,
                    glm::ivec2 size);

/// Has Mesa's rasterizer free textures that were deleted. It keeps each until the last of its up to 64 lists
/// of drawing commands that names the texture is used again, which may be never: after a busy moment a few
/// lists suffice. Takes some milliseconds. Does nothing where a GPU draws.
void free_deleted_textures();

/// A texture of the picture, smooth also where it is shown smaller: with all its mipmaps. Needs a current
/// context. An empty picture gives an empty texture.
Texture texture_of(const Image& image);
/// A texture of a line of colours, linear between them and constant beyond its ends. Needs a current context.
Texture texture_of(std::span<const glm::vec3> colors);

}  // namespace orrery::render
