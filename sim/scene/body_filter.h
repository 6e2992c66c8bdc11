#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/bodies/components.h"
#include "sim/core/vec3.h"

namespace orrery::sim {

struct Scene;

/// The finite numbers of "1,2.5,-3e2". Throws UsageError "<what> needs ..., not 'text'" for anything else.
/// `form` says what is needed: "numbers like 0,0,10".
std::vector<double> parse_numbers(std::string_view text, std::string_view what, std::string_view form);

/// Selects bodies of a dataset by their positions. All conditions apply, in the order of the members. The
/// default takes all.
struct BodyFilter {
  /// Two opposite corners x, y, z, x, y, z; bodies on the faces are inside.
  std::optional<std::array<double, 6>> box;
  /// Radius of a sphere; bodies on it are inside.
  std::optional<double> radius;
  std::uint64_t nearest = 0;    ///< number of bodies nearest to the centre; 0: all
  std::optional<DVec3> centre;  ///< centre of the sphere and of `nearest`; default: the median position
  std::uint64_t every_nth = 1;  ///< every n-th body of each galaxy and component, heavier

  bool takes_all() const { return *this == BodyFilter{}; }
  friend bool operator==(const BodyFilter&, const BodyFilter&) = default;
};

/// Set the member from "x,y,z,x,y,z"; "r" or "x,y,z,r"; "n" or "n,x,y,z". Throw UsageError.
void set_box(BodyFilter& filter, std::string_view text);
void set_sphere(BodyFilter& filter, std::string_view text);
void set_nearest(BodyFilter& filter, std::string_view text);

/// The median of each coordinate, counted from 0: few far bodies do not move it.
DVec3 median_place(const Bodies& bodies);

/// Takes away what `filter` leaves out, and says so in the notes. Order and ids of the rest stay. Of every
/// n-th body masses rise so that every component of a galaxy keeps its mass, and charges by n. Throws Error
/// if nothing is left.
void apply_filter(Scene& scene, const BodyFilter& filter);

/// Takes bodies of other components away and says so in the notes; galaxies are numbered from 0 without gaps.
void keep_components(Scene& scene, const ComponentSet& wanted);

}  // namespace orrery::sim
