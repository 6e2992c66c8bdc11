#include "render/map/map_drawer.h"

#include <fmt/format.h>

#include <bit>
#include <vector>

#include "render/color_maps/color_space.h"
#include "render/context/gl.h"
#include "render/context/shader_constants.h"
#include "render/context/target.h"
#include "render/error.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

constexpr GLsizei shades = 1024;

/// One value a cell, and means of them for views from afar.
Texture make_value_texture(std::size_t size) {
  auto texture = make_texture(GL_TEXTURE_2D);
  const auto side = static_cast<GLsizei>(size);
  const auto levels = static_cast<GLsizei>(std::bit_width(size));
  if (!succeeds([&] { glTextureStorage2D(texture.name(), levels, GL_R32F, side, side); }))
    throw Error(
        fmt::format("the driver has no texture of {0} x {0} values for the activity map: use a smaller "
                    "map-size",
                    size));
  set_sampling(texture, GL_LINEAR_MIPMAP_LINEAR, GL_NEAREST);
  return texture;
}

std::vector<glm::vec3> encoded_shades(const MapLook& look) {
  auto colors = map_shades(look, shades);
  for (auto& color : colors) color = srgb_encode(color);
  return colors;
}

}  // namespace

MapDrawer::MapDrawer() : no_vertices_(make_vertex_array()) {
  const ShaderSources sources{
      .name = "activity map", .vertex = {shaders::map_vert}, .fragment = {shaders::map_frag}};
  program_ = ShaderProgram(sources, [this](UniformTable& uniforms) {
    view_projection_ = uniforms.find<glm::mat4>("view_projection");
    corner_ = uniforms.find<glm::vec3>("corner");
    along_ = uniforms.find<glm::vec3>("along");
    up_ = uniforms.find<glm::vec3>("up");
    look_ = uniforms.find<glm::vec4>("look");
  });
}

/// From buffer to texture, within the GPU.
void MapDrawer::take_values(const ShownMap& map) {
  const std::size_t size = map.buffers->size();
  const GlName buffer = map.buffers->buffer(map.slot);
  if (size == size_ && taken_ == map.buffers && taken_buffer_ == buffer && taken_revision_ == map.revision)
    return;
  if (size != size_) {
    size_ = 0;
    values_ = Texture();
    values_ = make_value_texture(size);
    size_ = size;
  }
  const auto side = static_cast<GLsizei>(size);
  const std::size_t header = static_cast<std::size_t>(shared::map_header) * sizeof(float);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
  glTextureSubImage2D(values_.name(), 0, 0, 0, side, side, GL_RED, GL_FLOAT,
                      reinterpret_cast<const void*>(header));  // NOLINT(performance-no-int-to-ptr): an offset
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  glGenerateTextureMipmap(values_.name());
  taken_ = map.buffers;
  taken_buffer_ = buffer;
  taken_revision_ = map.revision;
}

void MapDrawer::take_colors(const MapLook& look) {
  const ColorMap& colors = look.colors != nullptr ? *look.colors : *color_maps().front();
  auto wanted = fmt::format("{}{}", colors.name, look.reversed ? " reversed" : "");
  if (wanted == colors_are_) return;
  colors_ = texture_of(encoded_shades(look));
  colors_are_ = std::move(wanted);
}

void MapDrawer::draw(const ShownMap& map, const MapLook& look, const glm::mat4& view_projection,
                     GlName framebuffer, glm::ivec2 size) {
  if (map.buffers == nullptr) return;
  take_values(map);
  take_colors(look);
  view_projection_.set(view_projection);
  corner_.set(map.place.corner);
  along_.set(map.place.along);
  up_.set(map.place.up);
  look_.set({look.highest, look.unit, look.logarithmic ? 1.0F : 0.0F, map.over ? 1.0F : 0.0F});
  program_.use();
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(0, 0, size.x, size.y);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glBindTextureUnit(shared::map_unit, values_.name());
  glBindTextureUnit(shared::map_colors_unit, colors_.name());
  glBindBufferRange(GL_SHADER_STORAGE_BUFFER, shared::map_place, map.buffers->buffer(map.slot), 0,
                    shared::map_header * sizeof(float));
  glBindVertexArray(no_vertices_.name());
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glBindVertexArray(0);
  glDisable(GL_BLEND);
}

}  // namespace orrery::render
