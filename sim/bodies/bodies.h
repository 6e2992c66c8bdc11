#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/vec3.h"

namespace orrery::sim {

/// Leaves the marked values, in their order. Values that not every body has (another length) stay.
template <typename T>
void keep(std::vector<T>& values, const std::vector<bool>& kept) {
  if (values.size() != kept.size()) return;
  std::size_t next = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!kept[i]) continue;
    if (next != i) values[next] = std::move(values[i]);
    ++next;
  }
  values.resize(next);
}

/// Puts values in this order: the k-th is the one that was order[k]. Values that not every body has stay.
template <typename T>
void reorder(std::vector<T>& values, const std::vector<std::size_t>& order) {
  if (values.size() != order.size()) return;
  std::vector<T> ordered;
  ordered.reserve(values.size());
  for (const auto i : order) ordered.push_back(std::move(values[i]));
  values = std::move(ordered);
}

/// The values, `copies` times one after the other.
template <typename T>
void repeat(std::vector<T>& values, std::uint32_t copies) {
  const std::vector<T> once = values;
  for (std::uint32_t k = 1; k < copies; ++k) values.insert(values.end(), once.begin(), once.end());
}

/// The component of a body. It decides the colour, never the physics.
enum class Component : std::uint8_t { gas, halo, disk, bulge, star, other };
inline constexpr std::size_t component_count = 6;

/// "gas", "halo", "disk", "bulge", "star" or "other".
std::string_view component_name(Component component);
/// The inverse of component_name; empty for an unknown name.
std::optional<Component> component_from_name(std::string_view name);

/// A colour in sRGB, 8 bits each: 65536 red + 256 green + blue.
using Color = std::uint32_t;
/// Marks a body without a colour in a file where other bodies have one.
inline constexpr Color no_color = 0xffffffffU;

/// Bodies [first, last) of one galaxy.
struct GalaxyRange {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t size() const { return last - first; }
  bool empty() const { return first == last; }
  friend bool operator==(const GalaxyRange&, const GalaxyRange&) = default;
};

/// The host state of N bodies: one array per quantity, all of the same length; of colours there may be none.
///
/// `galaxy` numbers independent systems (the reports' num_systems): bodies of different galaxies exert no
/// force on each other. It starts at 0 and never decreases along the array, so a galaxy is a contiguous
/// range.
struct Bodies {
  std::vector<Vec3> position;  ///< counted from `origin`
  std::vector<Vec3> velocity;
  std::vector<float> mass;
  std::vector<float> charge;  ///< 0 unless the dataset has charges
  std::vector<std::uint64_t> id;
  std::vector<Component> component;
  std::vector<std::uint32_t> galaxy;
  std::vector<Color> color = {};  ///< as the file has them, for pictures only; empty: it has none
  DVec3 origin = {};  ///< 0, or a place in the middle of bodies that are far from 0 (sim/bodies/origin.h)

  std::size_t size() const { return position.size(); }
  bool empty() const { return position.empty(); }
  /// New bodies: at rest at the origin, massless, uncharged, id = index, component other, galaxy 0,
  /// without a colour.
  void resize(std::size_t count);
  /// Appends all bodies of `other`, with `galaxy_offset` added to their galaxy numbers. Ids are kept. The
  /// first ones that come decide the origin.
  void append(const Bodies& other, std::uint32_t galaxy_offset = 0);
  /// True if some body carries a charge.
  bool has_charges() const;
  /// True if some body has a colour of its own.
  bool has_colors() const;
  /// The number of bodies of each component, indexed by Component.
  std::array<std::size_t, component_count> component_counts() const;
  /// One range per galaxy, in order. Throws Error if `galaxy` decreases somewhere.
  std::vector<GalaxyRange> galaxies() const;
};

/// `copies` independent galaxies made of the same bodies; ids are made unique by continuing the count.
Bodies repeat_galaxies(const Bodies& one, std::uint32_t copies);

/// The number of ordered pairs i<-j of one force evaluation, self included (GPU Gems 3 and the reports count
/// so): sum over galaxies of n_k^2.
double interactions_per_evaluation(const std::vector<GalaxyRange>& galaxies);

/// Calls visit(array) for each of the arrays that bodies have; that of the colours may be empty.
template <typename Visit>
void for_each_array(Bodies& bodies, const Visit& visit) {
  visit(bodies.position);
  visit(bodies.velocity);
  visit(bodies.mass);
  visit(bodies.charge);
  visit(bodies.id);
  visit(bodies.component);
  visit(bodies.galaxy);
  visit(bodies.color);
}

/// The bodies of a galaxy, of Bodies::galaxy. Empty, at the place where they would be, if there are none.
GalaxyRange bodies_of_galaxy(std::span<const std::uint32_t> galaxy, std::uint32_t number);

/// "the velocity of body 17", where a number of body `i` (counted from 0) is not finite; else empty. In the
/// text bodies count from 1. Masses and charges may be left out of `bodies`.
std::string not_finite(const Bodies& bodies, std::size_t i);
/// The text of not_finite for the first body that has such a number; empty if none has.
std::string first_not_finite(const Bodies& bodies);

}  // namespace orrery::sim

// Instantiated in bodies.cpp, which is always optimized. Otherwise the linker may choose the instantiation of
// a file that is not, for the whole program, and copies of bodies would take several times as long.
extern template class std::vector<orrery::sim::Vec3>;
