#pragma once

#include <cstddef>
#include <functional>
#include <glm/glm.hpp>
#include <string>

#include "render/bodies/body_arrays.h"
#include "render/bodies/body_look.h"
#include "render/context/gl.h"
#include "render/context/gl_object.h"
#include "render/context/shader_program.h"

namespace orrery::render {

/// Sources of light at infinity, behind a finished picture: they turn with the camera and stay where they are
/// when it moves. Tiles show what the whole picture does.
class DistantSources {
 public:
  /// `shader`: the name of a file of shaders/ that defines source() of shaders/distant.vert; `find_uniforms`
  /// finds its uniforms. Needs a current context. Throws Error.
  DistantSources(const std::string& shader, const std::function<void(UniformTable&)>& find_uniforms);

  /// Draws so many sources, from number 0 on, into the framebuffer of a picture or tile. The brighter the
  /// picture is, the less they add. Alpha stays. `largest`: half length of the largest image, as a part of
  /// the picture's height.
  void draw(const BodyView& from, std::size_t sources, float largest, GlName framebuffer) const;

  /// The half width of the image of a star that is so wide at half of its maximum, in the same unit.
  static float half_width_of_star(float width);

 private:
  Uniform<glm::mat4> directions_;
  Uniform<glm::vec4> picture_;
  Uniform<glm::vec2> canvas_;
  Uniform<glm::vec2> corner_;
  ShaderProgram program_;
  VertexArray no_vertices_ = make_vertex_array();
  SpriteMargin margin_;
  float largest_half_ = 0.5F * (gl_info().max_point_size - 1.0F);
};

}  // namespace orrery::render
