#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/picture/scene_summary.h"
#include "render/bodies/body_effect.h"
#include "render/bodies/body_look.h"
#include "render/bodies/body_style.h"
#include "render/light/accumulation.h"
#include "render/light/tone_mapper.h"
#include "sim/options/configuration.h"
#include "sim/options/option.h"

namespace orrery::app {

/// A picture, or a tile of one, whose bodies are drawn and whose exposure is known.
struct Backdrop {
  const sim::Configuration& configuration;
  const render::BodyView& from;
  const render::ToneStyle& tone;
};

/// The part of a painter that draws one effect. It may hold objects of OpenGL; they are to be made when they
/// are first drawn with.
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

  /// True if there is light behind all bodies, which `draw_background` adds to theirs. Neither the automatic
  /// exposure nor the glow nor files of light know of it.
  virtual bool has_background(const sim::Configuration& /*configuration*/) const { return false; }
  virtual void draw_background(const Backdrop& /*scene*/, const render::Accumulation& /*light*/) {}
};

/// An effect of the picture, in one object. A file defines it; its name in the list of
/// app/picture/effects/CMakeLists.txt registers it (CONTRIBUTING.md, "Checklists").
struct Effect {
  std::string_view name;
  /// Adds its options to the table. By default, it is off.
  void (*add_options)(sim::OptionTable& table);
  std::unique_ptr<EffectPass> (*make_pass)();
  /// The line of the legend about it: empty where there is nothing to say. Null: it has none.
  std::string (*legend)(const sim::Configuration& configuration) = nullptr;
};

/// All effects, in the order in which they act.
std::span<const Effect* const> effects();
/// nullptr for an unknown name.
const Effect* find_effect(std::string_view name);

/// Adds the options of all effects.
void add_effect_options(sim::OptionTable& table);

/// The lines of the legend about effects, from below.
std::vector<std::string> effect_legends(const sim::Configuration& configuration);

/// The effects of one painter: a pass of each.
class EffectPasses {
 public:
  EffectPasses();
  /// Adds what the options ask for to a style that is complete otherwise. It is valid as long as this object.
  void add_to(render::BodyStyle& style, const sim::Configuration& configuration, const SceneSummary& summary);
  bool have_background(const sim::Configuration& configuration) const;
  void draw_background(const Backdrop& scene, const render::Accumulation& light);

 private:
  std::vector<std::unique_ptr<EffectPass>> passes_;
};

}  // namespace orrery::app
