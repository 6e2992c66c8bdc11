#include "render/bodies/body_effect.h"

#include <fmt/format.h>

#include <cmath>

#include "render/bodies/body_buffers.h"
#include "render/context/gl.h"

namespace orrery::render {

std::string effects_glsl(std::span<BodyEffect* const> effects, const BodyEffect* drawn) {
  std::string texts, passes, takes;
  for (const auto* effect : effects) {
    const auto code = effect->code();
    texts += code.glsl;
    if (!code.passes.empty()) passes += fmt::format("  light *= {}();\n", code.passes);
    const bool counts = drawn == nullptr || drawn == effect;
    if (!code.takes.empty() && counts) takes += fmt::format("  share += {}(light);\n", code.takes);
  }
  return fmt::format(
      "{}vec4 pass_effects(vec4 light) {{\n{}  return light;\n}}\n"
      "float taken_share(float light) {{\n  float share = 0.0;\n{}  return share;\n}}\n",
      texts, passes, takes);
}

bool counted_in_memory(const BodyScene& scene) {
  return gl_info().software && scene.buffers.mapped_position(scene.slot) != nullptr &&
         !scene.buffers.components().empty();
}

glm::mat2x3 axes_across(const glm::vec3& normal) {
  const glm::vec3 other = std::abs(normal.x) < 0.7F ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0);
  const glm::vec3 right = glm::normalize(glm::cross(other, normal));
  return {right, glm::cross(normal, right)};
}

}  // namespace orrery::render
