#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "app/picture/scene_summary.h"
#include "render/bodies/body_effect.h"
#include "render/bodies/body_style.h"
#include "sim/options/configuration.h"
#include "sim/options/option.h"

namespace orrery::app {

/// What a painter needs to draw one effect. It may hold objects of OpenGL; they are to be made when they are
/// first drawn with.
class EffectPass {
 public:
  EffectPass() = default;
  virtual ~EffectPass() = default;
  EffectPass(const EffectPass&) = delete;
  EffectPass& operator=(const EffectPass&) = delete;

  /// The effect on the light of bodies that the options ask for; null: none. `style` has all but effects.
  virtual render::BodyEffect* on_bodies(const sim::Configuration& /*configuration*/,
                                        const SceneSummary& /*summary*/, const render::BodyStyle& /*style*/) {
    return nullptr;
  }
};

/// An effect of the picture, in one object. A file defines it; its name in the list of
/// app/picture/effects/CMakeLists.txt registers it (docs/rendering.md, "Checklists").
struct Effect {
  std::string_view name;
  /// Adds its options to the table. By default, it is off.
  void (*add_options)(sim::OptionTable& table);
  std::unique_ptr<EffectPass> (*make_pass)();
};

/// All effects, in the order in which they act.
std::span<const Effect* const> effects();
/// nullptr for an unknown name.
const Effect* find_effect(std::string_view name);

/// Adds the options of all effects.
void add_effect_options(sim::OptionTable& table);

/// The effects of one painter: a pass of each.
class EffectPasses {
 public:
  EffectPasses();
  /// Adds what the options ask for to a style that is complete otherwise. It is valid as long as this object.
  void add_to(render::BodyStyle& style, const sim::Configuration& configuration, const SceneSummary& summary);

 private:
  std::vector<std::unique_ptr<EffectPass>> passes_;
};

}  // namespace orrery::app
