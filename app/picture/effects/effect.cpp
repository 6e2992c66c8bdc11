#include "app/picture/effects/effect.h"

#include <utility>

#include "effects.h"

namespace orrery::app {

std::span<const Effect* const> effects() { return registry::effects; }

void add_effect_options(sim::OptionTable& table) {
  for (const auto* effect : effects()) effect->add_options(table);
}

std::vector<std::string> effect_legends(const Look& look, bool background) {
  std::vector<std::string> lines;
  for (const auto* effect : effects()) {
    if (effect->legend == nullptr) continue;
    if (auto line = effect->legend(look, background); !line.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

EffectPasses::EffectPasses() {
  for (const auto* effect : effects()) passes_.push_back(effect->make_pass());
}

void EffectPasses::add_to(render::BodyStyle& style, const Look& look, const SceneSummary& summary) {
  for (const auto& pass : passes_)
    if (auto* effect = pass->on_bodies(look, summary, style)) style.effects.push_back(effect);
}

void EffectPasses::draw_background(const Backdrop& scene, render::GlName framebuffer) {
  for (const auto& pass : passes_) pass->draw_background(scene, framebuffer);
}

}  // namespace orrery::app
