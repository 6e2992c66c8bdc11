#pragma once

#include <optional>
#include <span>

#include "sim/bodies/bodies.h"
#include "sim/scene/scene.h"

// Boxes whose opposite faces are the same place. The program simulates none; it moves what their edges cut.
namespace orrery::sim {

/// True if all bodies lie in [0, side] along each axis, or slightly outside.
bool lies_in_box(const Bodies& bodies, const DVec3& sides);

/// True if all places lie in the box; `numbers`: as a file has them, three per place.
bool lies_in_box(std::span<const double> numbers, const DVec3& sides);

/// The densest place: of 32 cells along each axis the fullest one, then three times the mean of the bodies
/// within 1/8, 1/16 and 1/32 of the sides, counted across the faces. Counted from 0, like absolute_place().
DVec3 densest_place(const Bodies& bodies, const DVec3& sides);

/// True if an edge of the box cuts the densest place: of the bodies within 1/8 of the sides around it, 20 or
/// more, one in twenty or more lies at the opposite face.
bool cuts_densest_place(const Bodies& bodies, const DVec3& sides);

/// True if no body is more than two sides away from 0, so that its position makes sense in the box.
bool is_about_box(const Bodies& bodies, const DVec3& sides);

/// Moves bodies by whole sides of Scene::box so that `middle`, in sides (none: the densest place), is the
/// origin and all lie within half a side of it; sets Scene::box_middle and says so in the notes.
void recentre_in_box(Scene& scene, const std::optional<DVec3>& middle = {});

}  // namespace orrery::sim
