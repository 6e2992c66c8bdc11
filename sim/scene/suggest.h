#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/scene/scene.h"

namespace orrery::sim {

/// Fills in G, softening, time step and speed for bodies that came without them (a snapshot), and adds a note
/// that says what was chosen and why. G = 1, unless the file stated its units (Scene::states_gravity);
/// softening = r50 / 100, at least the smallest value that keeps single precision finite; dt = 0.2 sqrt(eps /
/// |a|) for the 99th percentile of |a| over sampled bodies, at most 1/100 of the half-mass crossing time;
/// speed so that a half-mass crossing takes a few seconds. Of more than 32768 bodies a part is looked at. Of
/// charges |a| is that of the electric force. An external field counts in |a|, and what galaxies move as a
/// whole counts where one acts; dt is then at most 1/100 of a turn about its centre where bodies turn
/// quickest (the first percentile of sampled ones), 2 pi sqrt(r / |a|), and at the speed half of them turn in
/// a dozen seconds or more. Notes also say which usual unit system (its G) would explain K/|W|; where none
/// would, when it shows a collapsing (< 0.3) or unbound (> 1) system; nothing where nothing attracts (W = 0).
void suggest_parameters(Scene& scene);

/// The time step and softening that follow from changed physics.
struct SuggestedMotion {
  double time_step = 0.0;
  double speed = 0.0;
  std::string note = {};                ///< why that time step; empty: it is what the scene states
  std::vector<std::string> notes = {};  ///< all that is said instead of Scene::suggested_notes, with that one
  std::string_view proposed_units = {};  ///< Scene::proposed_units
};
/// Time step and speed of the scene with the G, the softening and the external field of `wanted`, as if
/// these had been known before. A scene that states its own keeps them, but its step gets short enough for
/// the field, as above, and for a larger G: all times go with 1 / sqrt(G). Where G is 0, bodies that do not
/// pull each other move as fast as with the scene's own.
SuggestedMotion suggest_motion(const Scene& scene, const Physics& wanted);
/// Gives the scene these physics, with the time step, speed, notes and proposed units that suggest_motion
/// finds for them. Once for a scene: G and softening that it has already count as its own, not as given.
void take_physics(Scene& scene, const Physics& physics);

}  // namespace orrery::sim
