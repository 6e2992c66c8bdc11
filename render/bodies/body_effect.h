#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace orrery::render {

class BodyBuffers;
class UniformTable;
struct BodyLayer;
struct BodyStyle;
struct BodyView;

/// The bodies of a picture: where they are, from where they are seen, and how they look.
struct BodyScene {
  const BodyBuffers& buffers;
  int slot;
  const BodyView& from;
  const BodyStyle& style;
};

/// An effect on the light of bodies, like dust or spikes (render/effects): it absorbs some of the light, or
/// draws a share of it in a way of its own. Its GLSL becomes part of every program that draws bodies with it,
/// so it must outlive the drawers that it was given to.
class BodyEffect {
 public:
  BodyEffect() = default;
  virtual ~BodyEffect() = default;
  BodyEffect(const BodyEffect&) = delete;
  BodyEffect& operator=(const BodyEffect&) = delete;

  /// The effect's addition to shaders/body.glsl. The texts must live as long as the program does.
  struct Code {
    std::string_view glsl;  ///< uniforms and functions
    /// The name of a function `vec4 name()`: the share of a body's light, by colour, that is not absorbed.
    std::string_view passes = {};
    /// The name of a function `float name(float light)`: the share of a star's light that `draw` draws.
    std::string_view takes = {};
  };
  virtual Code code() const = 0;

  /// Finds the uniforms of its GLSL in a program. The function that is returned sets them for a draw.
  using Setter = std::function<void(const BodyStyle& style)>;
  virtual Setter find_uniforms(UniformTable& uniforms) = 0;

  /// Called once for each picture before its bodies are drawn. May bind another framebuffer.
  virtual void prepare(const BodyScene& /*scene*/) {}
  /// Adds the light that it takes to the framebuffer that is bound. `layer`: that of the stars.
  virtual void draw(const BodyScene& /*scene*/, const BodyLayer& /*layer*/) {}
};

/// GLSL of what shaders/body.glsl declares about effects. `drawn`: the one whose share the program draws;
/// null: the program draws what all of them leave.
std::string effects_glsl(std::span<BodyEffect* const> effects, const BodyEffect* drawn);

}  // namespace orrery::render
