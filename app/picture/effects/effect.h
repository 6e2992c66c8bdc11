#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/picture/look.h"
#include "app/picture/scene_summary.h"
#include "render/bodies/body_effect.h"
#include "render/bodies/body_look.h"
#include "render/bodies/body_style.h"
#include "render/context/gl_object.h"

namespace orrery::app {

/// A finished picture, or a tile of one.
struct Backdrop {
  const Look& look;
  const render::BodyView& from;
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
  virtual render::BodyEffect* on_bodies(const Look& /*look*/, const SceneSummary& /*summary*/,
                                        const render::BodyStyle& /*style*/) {
    return nullptr;
  }

  /// Adds what the options ask for behind all bodies: neither exposure and glow nor files of light know of
  /// it.
  virtual void draw_background(const Backdrop& /*scene*/, render::GlName /*framebuffer*/) {}
};

/// An effect of the picture, in one object. A file defines it; its name in the list of
/// app/picture/effects/CMakeLists.txt registers it (CONTRIBUTING.md, "Checklists").
struct Effect {
  std::string_view name;
  /// Adds its options to the table.
  void (*add_options)(sim::OptionTable& table);
  std::unique_ptr<EffectPass> (*make_pass)();
  /// The line of the legend about it: empty where there is nothing to say. Null: it has none. `background`:
  /// what is behind the bodies is drawn.
  std::string (*legend)(const Look& look, bool background) = nullptr;
};

/// All effects, in the order in which they act.
std::span<const Effect* const> effects();

/// Adds the options of all effects.
void add_effect_options(sim::OptionTable& table);

/// The lines of the legend about effects, from below.
std::vector<std::string> effect_legends(const Look& look, bool background);

/// The effects of one painter: a pass of each.
class EffectPasses {
 public:
  EffectPasses();
  /// Adds what the options ask for to a style that is complete otherwise. It is valid as long as this object.
  void add_to(render::BodyStyle& style, const Look& look, const SceneSummary& summary);
  void draw_background(const Backdrop& scene, render::GlName framebuffer);

 private:
  std::vector<std::unique_ptr<EffectPass>> passes_;
};

}  // namespace orrery::app
