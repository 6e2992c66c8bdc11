#pragma once

#include <cstddef>
#include <functional>
#include <glm/glm.hpp>
#include <string>

#include "render/bodies/body_look.h"
#include "render/context/gl_object.h"
#include "render/context/shader_program.h"
#include "render/light/accumulation.h"

namespace orrery::render {

/// Points of light at infinity: they turn with the camera and stay where they are when it moves. Their images
/// are those of stars, so light is conserved at any size, and tiles show what the whole picture does.
class LightPoints {
 public:
  /// `shader`: the name of a file of shaders/ that defines point() of shaders/light_point.vert;
  /// `find_uniforms` finds its uniforms. Needs a current context. Throws Error.
  LightPoints(const std::string& shader, const std::function<void(UniformTable&)>& find_uniforms);

  /// Adds the light of so many points, from number 0 on. `width_px`: of their images, at half of the maximum.
  void draw(const BodyView& from, std::size_t points, float width_px, const Accumulation& light) const;

  /// The light of a point over that of its brightest pixel, where the image is wider than a pixel.
  static float light_of_peak(float width_px);

 private:
  Uniform<glm::mat4> directions_;
  Uniform<glm::vec3> picture_;
  Uniform<glm::vec2> canvas_;
  Uniform<glm::vec2> corner_;
  Uniform<float> half_width_;
  Uniform<float> is_disc_;
  ShaderProgram program_;
  VertexArray no_vertices_ = make_vertex_array();
};

}  // namespace orrery::render
