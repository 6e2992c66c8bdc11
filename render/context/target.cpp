#include "render/context/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "render/context/gl.h"
#include "render/error.h"

namespace orrery::render {
namespace {

GLint limit_of(GLenum name) {
  GLint values[2] = {0, 0};
  glGetIntegerv(name, values);
  return values[0];
}

void check_limit(int pixels, const char* side, const char* name, GLint limit) {
  if (pixels > limit)
    throw Error(
        fmt::format("a picture {} pixels {} cannot be drawn: this driver's limit is {} ({}); choose a "
                    "smaller size",
                    pixels, side, limit, name));
}

/// The first row of a picture is its top, of a framebuffer its bottom.
void flip(Image& image) {
  const std::size_t row = static_cast<std::size_t>(image.width) * 4;
  for (int top = 0, bottom = image.height - 1; top < bottom; ++top, --bottom)
    std::swap_ranges(image.rgba.begin() + static_cast<std::ptrdiff_t>(row) * top,
                     image.rgba.begin() + static_cast<std::ptrdiff_t>(row) * (top + 1),
                     image.rgba.begin() + static_cast<std::ptrdiff_t>(row) * bottom);
}

}  // namespace

void check_framebuffer_size(glm::ivec2 size) {
  if (size.x < 1 || size.y < 1)
    throw Error(
        fmt::format("a picture of {} x {} pixels cannot be drawn: both must be at least 1", size.x, size.y));
  GLint viewport[2] = {0, 0};
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
  check_limit(size.x, "wide", "GL_MAX_TEXTURE_SIZE", limit_of(GL_MAX_TEXTURE_SIZE));
  check_limit(size.y, "high", "GL_MAX_TEXTURE_SIZE", limit_of(GL_MAX_TEXTURE_SIZE));
  check_limit(size.x, "wide", "GL_MAX_FRAMEBUFFER_WIDTH", limit_of(GL_MAX_FRAMEBUFFER_WIDTH));
  check_limit(size.y, "high", "GL_MAX_FRAMEBUFFER_HEIGHT", limit_of(GL_MAX_FRAMEBUFFER_HEIGHT));
  check_limit(size.x, "wide", "GL_MAX_VIEWPORT_DIMS", viewport[0]);
  check_limit(size.y, "high", "GL_MAX_VIEWPORT_DIMS", viewport[1]);
}

int largest_framebuffer_side() {
  GLint viewport[2] = {0, 0};
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
  return std::min({limit_of(GL_MAX_TEXTURE_SIZE), limit_of(GL_MAX_FRAMEBUFFER_WIDTH),
                   limit_of(GL_MAX_FRAMEBUFFER_HEIGHT), viewport[0], viewport[1]});
}

void attach_texture(const Framebuffer& framebuffer, const Texture& texture, unsigned int format,
                    glm::ivec2 size) {
  if (!succeeds([&] { glTextureStorage2D(texture.name(), 1, format, size.x, size.y); }))
    throw Error(fmt::format("no graphics memory for a picture of {} x {} pixels: choose a smaller size",
                            size.x, size.y));
  set_sampling(texture, GL_NEAREST, GL_NEAREST, false);
  glNamedFramebufferTexture(framebuffer.name(), GL_COLOR_ATTACHMENT0, texture.name(), 0);
  if (glCheckNamedFramebufferStatus(framebuffer.name(), GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw Error(fmt::format(
        "the driver cannot draw into a picture of {} x {} pixels of this format: update it", size.x, size.y));
}

PixelImage PixelImage::make(unsigned int format, glm::ivec2 size) {
  PixelImage image{make_texture(GL_TEXTURE_2D), make_framebuffer(), size, format};
  attach_texture(image.framebuffer, image.texture, format, size);
  return image;
}

PictureTarget::PictureTarget(glm::ivec2 size) {
  check_framebuffer_size(size);
  image_ = PixelImage::make(GL_RGBA8, size);
}

Image PictureTarget::read() const {
  Image image{image_.size.x, image_.size.y, {}};
  image.rgba.resize(static_cast<std::size_t>(image_.size.x) * static_cast<std::size_t>(image_.size.y) * 4);
  glGetTextureImage(texture(), 0, GL_RGBA, GL_UNSIGNED_BYTE,
                    static_cast<GLsizei>(std::min<std::size_t>(image.rgba.size(), 0x7fffffff)),
                    image.rgba.data());
  flip(image);
  return image;
}

void PictureTarget::copy_to(GlName target, glm::ivec2 corner) const {
  glDisable(GL_SCISSOR_TEST);
  glBlitNamedFramebuffer(framebuffer(), target, 0, 0, image_.size.x, image_.size.y, corner.x, corner.y,
                         corner.x + image_.size.x, corner.y + image_.size.y, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void clear_to(GlName framebuffer, glm::vec4 color) {
  glDisable(GL_SCISSOR_TEST);
  draw_into(framebuffer);
  glClearColor(color.r, color.g, color.b, color.a);
  glClear(GL_COLOR_BUFFER_BIT);
}

void draw_into(GlName framebuffer) { glBindFramebuffer(GL_FRAMEBUFFER, framebuffer); }

void add_light() {
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE);
}

void free_deleted_textures() {
  if (!gl_info().software) return;
  constexpr int most_lists = 64;
  constexpr glm::vec4 black{0.0F, 0.0F, 0.0F, 1.0F};
  const PictureTarget large({2048, 2048}), small({1, 1});
  glFinish();
  // The first list, which keeps the rasterizer busy: each of the following needs another one.
  clear_to(large.framebuffer(), black);
  glFlush();
  for (int k = 1; k < most_lists; ++k) {
    clear_to(small.framebuffer(), black);
    glFlush();
  }
  glFinish();
  // The first list again, which names the large one.
  clear_to(small.framebuffer(), black);
  glFinish();
}

Texture texture_of(const Image& image) {
  if (image.rgba.empty()) return {};
  auto texture = make_texture(GL_TEXTURE_2D);
  const auto longest = static_cast<unsigned>(std::max(image.width, image.height));
  glTextureStorage2D(texture.name(), std::bit_width(longest), GL_RGBA8, image.width, image.height);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTextureSubImage2D(texture.name(), 0, 0, 0, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE,
                      image.rgba.data());
  glGenerateTextureMipmap(texture.name());
  set_sampling(texture, GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
  return texture;
}

Texture texture_of(std::span<const glm::vec3> colors) {
  auto texture = make_texture(GL_TEXTURE_1D);
  const auto width = static_cast<GLsizei>(colors.size());
  glTextureStorage1D(texture.name(), 1, GL_RGB32F, width);
  glTextureSubImage1D(texture.name(), 0, 0, width, GL_RGB, GL_FLOAT, colors.data());
  set_sampling(texture, GL_LINEAR, GL_LINEAR);
  return texture;
}

}  // namespace orrery::render
