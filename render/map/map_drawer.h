#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <string>

#include "render/context/gl_object.h"
#include "render/context/shader_program.h"
#include "render/map/map_buffers.h"
#include "render/map/map_picture.h"

namespace orrery::render {

/// The position of a map in space: from `corner` along its columns, and up its rows.
struct MapPlace {
  glm::vec3 corner{0.0F};
  glm::vec3 along{1.0F, 0.0F, 0.0F};
  glm::vec3 up{0.0F, 1.0F, 0.0F};
};

/// A map to draw.
struct ShownMap {
  const MapBuffers* buffers = nullptr;  ///< nullptr: none
  int slot = 0;
  std::uint64_t revision = 0;  ///< another number means other values
  MapPlace place;
  bool over = true;  ///< bodies show through sparse cells, empty ones are clear; else it hides all behind it
};

/// Draws activity maps as rectangles in space. The values go from their buffer into a texture within the
/// GPU's memory, once for each revision; from afar, means of cells show.
class MapDrawer {
 public:
  /// Needs a current context. Throws Error.
  MapDrawer();
  MapDrawer(const MapDrawer&) = delete;
  MapDrawer& operator=(const MapDrawer&) = delete;
  /// Draws the map over `size` pixels of an 8-bit framebuffer (0: the window). Throws Error when out of
  /// memory.
  void draw(const ShownMap& map, const MapLook& look, const glm::mat4& view_projection, GlName framebuffer,
            glm::ivec2 size);

 private:
  void take_values(const ShownMap& map);
  void take_colors(const MapLook& look);

  Uniform<glm::mat4> view_projection_;
  Uniform<glm::vec3> corner_, along_, up_;
  Uniform<glm::vec4> look_;
  ShaderProgram program_;
  VertexArray no_vertices_;
  Texture values_;
  std::size_t size_ = 0;
  const MapBuffers* taken_ = nullptr;
  GlName taken_buffer_ = 0;
  std::uint64_t taken_revision_ = 0;
  Texture colors_;
  std::string colors_are_;
};

}  // namespace orrery::render
