#include "render/bodies/body_effect.h"

#include <fmt/format.h>

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

}  // namespace orrery::render
