#pragma once

#include <cstdint>
#include <functional>
#include <glm/glm.hpp>
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

/// The second side of an effect on bodies that the CPU can draw too.
class ProcessorEffect {
 public:
  ProcessorEffect() = default;
  virtual ~ProcessorEffect() = default;
  ProcessorEffect(const ProcessorEffect&) = delete;
  ProcessorEffect& operator=(const ProcessorEffect&) = delete;

  /// As BodyEffect::prepare, for `passes`: once for each picture. Throws Error.
  virtual void prepare_in_memory(const BodyScene& scene) = 0;
  /// The share of a body's light, by colour, that the effect lets pass. After `prepare_in_memory`.
  virtual glm::vec4 passes(const glm::vec3& position, std::uint32_t component, std::uint32_t body) const = 0;
};

/// True if the CPU reads these bodies faster than OpenGL counts them: they are in main memory, and OpenGL has
/// no GPU.
bool counted_in_memory(const BodyScene& scene);

/// Two unit vectors across a normal and each other, as in shaders/dust.comp.
glm::mat2x3 axes_across(const glm::vec3& normal);

}  // namespace orrery::render
