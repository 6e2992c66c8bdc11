#include "sim/scene/periodic_box.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "sim/bodies/origin.h"

namespace orrery::sim {

namespace {

constexpr std::size_t cells_along = 32;

/// x / side; 0 along an axis without a side.
double share(double x, double side) { return side > 0.0 ? x / side : 0.0; }

DVec3 shares(const DVec3& x, const DVec3& sides) {
  return {share(x.x, sides.x), share(x.y, sides.y), share(x.z, sides.z)};
}

/// By whole numbers to [-1/2, 1/2).
double wrapped(double part) { return part - std::floor(part + 0.5); }
DVec3 wrapped(const DVec3& part) { return {wrapped(part.x), wrapped(part.y), wrapped(part.z)}; }

/// From `centre` to body `i` on the shortest way, in sides.
DVec3 way_to(const Bodies& bodies, std::size_t i, const DVec3& centre, const DVec3& sides) {
  return wrapped(shares(absolute_place(bodies, i) - centre, sides));
}

/// The middle of the fullest cell, in sides; of several the first.
DVec3 fullest_cell(const Bodies& bodies, const DVec3& sides) {
  std::vector<std::uint32_t> counts(cells_along * cells_along * cells_along);
  const auto cell_of = [](double part) {
    const double cell = (wrapped(part) + 0.5) * cells_along;
    return std::min(static_cast<std::size_t>(cell), cells_along - 1);
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto part = shares(absolute_place(bodies, i), sides);
    ++counts[(cell_of(part.x) * cells_along + cell_of(part.y)) * cells_along + cell_of(part.z)];
  }
  const auto at = static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
  const auto middle = [](std::size_t cell) {
    return (static_cast<double>(cell) + 0.5) / static_cast<double>(cells_along) - 0.5;
  };
  return {middle(at / (cells_along * cells_along)), middle(at / cells_along % cells_along),
          middle(at % cells_along)};
}

DVec3 product(const DVec3& a, const DVec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

DVec3 moved_to_mean(const Bodies& bodies, const DVec3& centre, const DVec3& sides, double radius) {
  DVec3 sum;
  std::size_t count = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto way = way_to(bodies, i, centre, sides);
    if (norm(way) > radius) continue;
    sum += way;
    ++count;
  }
  return count == 0 ? centre : centre + product(sum * (1.0 / static_cast<double>(count)), sides);
}

/// True if the place, in sides, is between these; one that is no number is not.
bool is_between(const DVec3& place, const DVec3& sides, double low, double high) {
  const auto inside = [&](double part) { return part >= low && part <= high; };
  const auto part = shares(place, sides);
  return inside(part.x) && inside(part.y) && inside(part.z);
}

bool all_between(const Bodies& bodies, const DVec3& sides, double low, double high) {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!is_between(absolute_place(bodies, i), sides, low, high)) return false;
  return true;
}

/// Some bodies lie slightly outside of their box.
constexpr double box_begin = -1e-3, box_end = 1.001;

}  // namespace

bool lies_in_box(const Bodies& bodies, const DVec3& sides) {
  return all_between(bodies, sides, box_begin, box_end);
}

bool lies_in_box(std::span<const double> numbers, const DVec3& sides) {
  for (std::size_t k = 0; k + 2 < numbers.size(); k += 3)
    if (!is_between({numbers[k], numbers[k + 1], numbers[k + 2]}, sides, box_begin, box_end)) return false;
  return true;
}

bool is_about_box(const Bodies& bodies, const DVec3& sides) { return all_between(bodies, sides, -2.0, 2.0); }

DVec3 densest_place(const Bodies& bodies, const DVec3& sides) {
  auto centre = product(fullest_cell(bodies, sides), sides);
  for (const double radius : {1.0 / 8.0, 1.0 / 16.0, 1.0 / 32.0})
    centre = moved_to_mean(bodies, centre, sides, radius);
  return centre;
}

bool cuts_densest_place(const Bodies& bodies, const DVec3& sides) {
  constexpr double near = 1.0 / 8.0;
  constexpr std::size_t fewest = 20, one_in = 20;
  const auto centre = densest_place(bodies, sides);
  std::size_t count = 0;
  std::array<std::map<double, std::size_t>, 3> on_side;  // along each axis, of the image that they belong to
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (norm(way_to(bodies, i, centre, sides)) > near) continue;
    const auto part = shares(absolute_place(bodies, i) - centre, sides);
    ++count;
    ++on_side[0][std::round(part.x)];
    ++on_side[1][std::round(part.y)];
    ++on_side[2][std::round(part.z)];
  }
  const auto is_cut = [&](const std::map<double, std::size_t>& images) {
    std::size_t most = 0;
    for (const auto& [image, bodies_there] : images) most = std::max(most, bodies_there);
    return (count - most) * one_in >= count;
  };
  return count >= fewest && std::ranges::any_of(on_side, is_cut);
}

void recentre_in_box(Scene& scene, const std::optional<DVec3>& middle) {
  auto& bodies = scene.bodies;
  const auto& sides = scene.box;
  const auto centre = middle ? product(*middle, sides) : densest_place(bodies, sides);
  const auto place = [&](double part, double side, double from_centre) {
    return side > 0.0 ? part * side : from_centre;
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto from_centre = absolute_place(bodies, i) - centre;
    const auto part = wrapped(shares(from_centre, sides));
    bodies.position[i] =
        static_cast<Vec3>(DVec3{place(part.x, sides.x, from_centre.x), place(part.y, sides.y, from_centre.y),
                                place(part.z, sides.z, from_centre.z)});
  }
  bodies.origin = {};
  scene.box_middle = shares(centre, sides);
  scene.notes.emplace_back(
      "recentred: the densest place of the periodic box is the origin now, and what the edges had cut is "
      "whole");
}

}  // namespace orrery::sim
