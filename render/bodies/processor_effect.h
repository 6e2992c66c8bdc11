#pragma once

#include <cstdint>
#include <glm/glm.hpp>

namespace orrery::render {

/// The second side of an effect on bodies (render/bodies/body_effect.h) that the CPU can draw too.
class ProcessorEffect {
 public:
  ProcessorEffect() = default;
  virtual ~ProcessorEffect() = default;
  ProcessorEffect(const ProcessorEffect&) = delete;
  ProcessorEffect& operator=(const ProcessorEffect&) = delete;

  /// Reads what the effect has prepared for this picture back from OpenGL.
  virtual void read_back() = 0;
  /// The share of a body's light, by colour, that the effect lets pass. After `read_back`.
  virtual glm::vec4 passes(const glm::vec3& position, std::uint32_t component, std::uint32_t body) const = 0;
};

}  // namespace orrery::render
