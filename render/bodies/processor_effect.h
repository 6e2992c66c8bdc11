#pragma once

#include <cstdint>
#include <glm/glm.hpp>

namespace orrery::render {

struct BodyScene;

/// The second side of an effect on bodies (render/bodies/body_effect.h) that the CPU can draw too.
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
