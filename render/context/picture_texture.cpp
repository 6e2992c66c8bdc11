#include "render/context/picture_texture.h"

#include <algorithm>
#include <bit>

#include "render/context/gl.h"

namespace orrery::render {

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
