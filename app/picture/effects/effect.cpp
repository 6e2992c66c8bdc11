#include "app/picture/effects/effect.h"

#include <algorithm>

#include "effects.h"

namespace orrery::app {

std::span<const Effect* const> effects() { return registry::effects; }

const Effect* find_effect(std::string_view name) {
  const auto all = effects();
  const auto found = std::ranges::find(all, name, &Effect::name);
  return found == all.end() ? nullptr : *found;
}

void add_effect_options(sim::OptionTable& table) {
  for (const auto* effect : effects()) effect->add_options(table);
}

EffectPasses::EffectPasses() {
  for (const auto* effect : effects()) passes_.push_back(effect->make_pass());
}

void EffectPasses::add_to(render::BodyStyle& style, const sim::Configuration& configuration,
                          const SceneSummary& summary) {
  for (const auto& pass : passes_)
    if (auto* effect = pass->on_bodies(configuration, summary, style)) style.effects.push_back(effect);
}

}  // namespace orrery::app
