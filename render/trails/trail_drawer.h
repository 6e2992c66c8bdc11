#pragma once

#include <glm/glm.hpp>
#include <optional>

#include "render/bodies/body_drawer.h"
#include "render/bodies/body_look.h"
#include "render/context/gl_object.h"
#include "render/context/shader_program.h"
#include "render/light/accumulation.h"
#include "render/light/light_sums.h"
#include "render/trails/trails.h"

namespace orrery::render {

/// The appearance of trails.
struct TrailStyle {
  float width_px = 1.5F;  ///< full width at half maximum; multiplied by BodyStyle::pixel_scale
  /// Light of one pixel's length of a trail (at pixel_scale 1), over the light of its body.
  float light = 0.1F;
  float fading = 1.0F;     ///< the light that is left is (1 - age)^fading; 0: all of it
  float fade_time = 0.0F;  ///< at this age nothing is left; 0: where the last row of the ring would be
  bool smooth = true;      ///< curves through the rows; else straight pieces
  /// Ways from row to row that are drawn at most, of all trails: more are joined. 0: what the GPU can take.
  std::size_t most_ways = 0;
};

/// The light and the place in the grid of every body that is followed, as the bodies themselves are drawn:
/// found by a compute shader, in a buffer texture of two texels per body.
class TrailLooks {
 public:
  TrailLooks();
  /// Updates the looks for the bodies in a slot; `view` and `style` as in BodyRenderer::draw. Throws Error
  /// like that.
  void update(const Trails& trails, const BodyBuffers& buffers, int slot, const BodyView& from,
              const BodyStyle& style);
  GlName texture() const { return texture_.name(); }

 private:
  void resize(std::size_t bodies);

  BodyLook look_;
  Buffer looks_;
  Texture texture_;
  std::size_t bodies_ = 0;
};

/// Draws trails as lines of constant width in the picture, with the light of their bodies: the kernel of the
/// bodies, integrated along each piece of a line, so that pieces join without a mark (docs/rendering.md).
class TrailDrawer {
 public:
  /// Needs a current context. `method`: by triangles, or by a compute shader.
  TrailDrawer();

  /// Adds the light of the trails to `light`, whose framebuffer is bound. `buffers`, `slot`: the bodies now,
  /// for the colours. Bodies that are not drawn have no trails. Throws Error as BodyRenderer::draw does.
  void draw(const Trails& trails, const BodyBuffers& buffers, int slot, const glm::mat4& view,
            const glm::mat4& projection, Accumulation& light, const BodyStyle& bodies,
            const TrailStyle& style, DrawMethod method);

 private:
  struct Uniforms {
    Uniform<glm::mat4> view, projection;
    Uniform<glm::vec2> picture;
    Uniform<glm::uvec4> ring;
    Uniform<glm::uint> pieces;
    Uniform<glm::uint> joined;
    Uniform<glm::vec4> line;
    Uniform<glm::uvec2> work;  ///< work range; trail_splat.comp only
    void find(UniformTable& table);
  };
  struct TrailProgram {
    Uniforms uniforms;
    ShaderProgram program;
    TrailProgram(const ShaderSources& sources, bool splats);
  };
  void draw_triangles(std::size_t pieces, glm::ivec2 size);
  void splat(std::size_t pieces, Accumulation& light, float half_width);

  TrailLooks looks_;
  VertexArray no_vertices_;
  std::optional<TrailProgram> triangles_;
  std::optional<TrailProgram> splats_;
  LightSums sums_;
  bool software_;
};

}  // namespace orrery::render
