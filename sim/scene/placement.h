#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/core/vec3.h"
#include "sim/scene/scene.h"

// Several datasets in one scene.
namespace orrery::sim {

/// The placement of a dataset in a scene of several, in the units of the scene. It is rotated about its
/// centre of mass, positions and velocities alike; then the offsets are added to positions and velocities.
struct Placement {
  DVec3 position;
  DVec3 velocity;
  DVec3 axis;            ///< rotation axis, of any length; 0: no rotation
  double degrees = 0.0;  ///< right-handed about the axis
  /// Throws the galaxy on a parabolic orbit with those before it (throw_at); the offsets are relative to
  /// that.
  bool thrown = false;

  friend bool operator==(const Placement&, const Placement&) = default;
};

/// Reads "x,y,z[:vx,vy,vz[:ax,ay,az,degrees]]"; "auto" in place of x,y,z means `thrown`. Throws UsageError.
Placement parse_placement(std::string_view text);
/// The text that parse_placement reads.
std::string to_string(const Placement& placement);

/// Turns and moves the bodies. Throws Error if a number leaves single precision.
void place(Scene& scene, const Placement& placement);

/// The offsets that put `next` on a parabolic orbit of two points with `first`, both as they are: r90 of both
/// apart along x times three, approaching, with a pericentre of a quarter of that sum in the plane x-y.
/// Speeds of two point masses: v^2 = 2 G M / r, and the angular momentum of the pericentre q,
/// L^2 = 2 G M q (Binney & Tremaine 2008, section 3.1). Both are taken to be at the position and velocity of
/// their centres.
Placement thrown_at(const Scene& first, const Scene& next);

/// Brings scenes whose readers scaled some of them (Scene::scale) to one scale, so that their lengths can be
/// compared. Throws Error if no scale fits all of them.
void share_scale(std::span<Scene> scenes);

/// Converts `next` to the units of `scene` where both say what their units are; where both only know G, the
/// masses of `next` are converted, so that its own motion stays.
void match_units(const Scene& scene, Scene& next);

/// Puts the bodies of `next` after those of `scene`, as one galaxy: all attract each other. Both have one
/// scale; units are matched (match_units). Ids of `next` that `scene` has are counted on. Throws Error if
/// they obey different force laws.
void join(Scene& scene, Scene next);

}  // namespace orrery::sim
