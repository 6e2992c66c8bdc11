#include "app/picture/stellar_populations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/glm.hpp>

#include "app/picture/wide_pair.h"
#include "render/bodies/lot.h"
#include "sim/core/percentile.h"

namespace orrery::app {

namespace {

constexpr std::size_t fewest_with_ages = 1000;
constexpr std::size_t most_looked_at = 100'000;
constexpr auto disk_place = static_cast<std::size_t>(sim::Component::disk);

/// The local density of bodies: counts in a grid, blurred so widely that spiral arms do not show.
class WideDensity {
 public:
  explicit WideDensity(const std::vector<glm::vec3>& places) : cells_(side * side * side) {
    find_box(places);
    for (const auto& place : places)
      if (const auto cell = cell_of(place); inside(cell)) cells_[index(cell)] += 1.0F;
    for (int round = 0; round < rounds; ++round)
      for (const std::ptrdiff_t stride : {1, side, side * side}) blur(stride);
  }

  /// Linear between the middles of cells; 0 outside.
  float at(const glm::vec3& place) const {
    const glm::vec3 middle = (place - corner_) * scale_ - 0.5F;
    // So also for what is no number, which no integer can be.
    if (!(glm::all(glm::greaterThanEqual(middle, glm::vec3(0.0F))) &&
          glm::all(glm::lessThan(middle, glm::vec3(side - 1)))))
      return 0.0F;
    const glm::vec3 low = glm::floor(middle), part = middle - low;
    const glm::ivec3 cell(low);
    float sum = 0.0F;
    for (int k = 0; k < 8; ++k) {
      const glm::ivec3 step(k & 1, (k >> 1) & 1, k >> 2);
      const glm::vec3 share = glm::mix(1.0F - part, part, glm::vec3(step));
      sum += share.x * share.y * share.z * cells_[index(cell + step)];
    }
    return sum;
  }

 private:
  static constexpr int side = 32;
  /// The blur is a Gaussian of 1.4 cells then, an eleventh of the box's half width.
  static constexpr int rounds = 4;

  void find_box(const std::vector<glm::vec3>& places) {
    std::vector<float> values(places.size());
    glm::vec3 middle(0.0F);
    for (glm::length_t axis = 0; axis < 3; ++axis) {
      std::ranges::transform(places, values.begin(), [axis](const auto& place) { return place[axis]; });
      middle[axis] = sim::median(values);
    }
    std::ranges::transform(places, values.begin(), [&](const auto& place) {
      const glm::vec3 away = glm::abs(place - middle);
      return std::max({away.x, away.y, away.z});
    });
    const float half = std::max(1.1F * sim::percentile(values, 0.95), 1e-30F);
    corner_ = middle - half;
    scale_ = 0.5F * static_cast<float>(side) / half;
  }

  glm::ivec3 cell_of(const glm::vec3& place) const {
    const glm::vec3 at = glm::clamp((place - corner_) * scale_, -1.0F, static_cast<float>(side));
    return glm::ivec3(glm::floor(at));
  }

  static bool inside(const glm::ivec3& cell) {
    return glm::all(glm::greaterThanEqual(cell, glm::ivec3(0))) &&
           glm::all(glm::lessThan(cell, glm::ivec3(side)));
  }

  static std::size_t index(const glm::ivec3& cell) {
    const auto x = static_cast<std::size_t>(cell.x), y = static_cast<std::size_t>(cell.y),
               z = static_cast<std::size_t>(cell.z);
    return (z * side + y) * side + x;
  }

  /// By 1, 2, 1 along an axis; what lies beyond the box counts as empty.
  void blur(std::ptrdiff_t stride) {
    const auto all = static_cast<std::ptrdiff_t>(cells_.size());
    for (std::ptrdiff_t start = 0; start < all; ++start) {
      if (start / stride % side != 0) continue;
      float before = 0.0F;
      for (std::ptrdiff_t k = 0; k < side; ++k) {
        float& here = cells_[static_cast<std::size_t>(start + k * stride)];
        const float after = k + 1 < side ? cells_[static_cast<std::size_t>(start + (k + 1) * stride)] : 0.0F;
        const float present = here;
        here = 0.25F * before + 0.5F * present + 0.25F * after;
        before = present;
      }
    }
  }

  std::vector<float> cells_;
  glm::vec3 corner_{0.0F};
  float scale_ = 1.0F;
};

glm::vec3 place_of(const sim::Bodies& bodies, std::size_t i) {
  const auto& x = bodies.position[i];
  return {x.x, x.y, x.z};
}

/// Not of a square: places in metres have none.
bool is_finite(const glm::vec3& place) {
  return std::isfinite(place.x) && std::isfinite(place.y) && std::isfinite(place.z);
}

/// Some bodies of the disk, evenly spread over the arrays.
std::vector<glm::vec3> places_in_disk(const sim::Bodies& bodies, std::size_t count) {
  const std::size_t stride = count / most_looked_at + 1;
  std::vector<glm::vec3> places;
  std::size_t number = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.component[i] != sim::Component::disk || number++ % stride != 0) continue;
    const auto place = place_of(bodies, i);
    if (is_finite(place)) places.push_back(place);
  }
  return places;
}

/// A number of its own for each body, even in 0..1 (other numbers than the star's light).
float own_lot(std::uint32_t body) {
  return static_cast<float>(render::lot(body ^ 0x9e3779b9U) >> 8U) * 0x1p-24F;
}

/// Densities that parts of these places, one in that many more, do not reach.
std::vector<float> ranks_of(const WideDensity& density, const std::vector<glm::vec3>& places) {
  constexpr std::size_t parts = 512;
  std::vector<float> sorted(places.size());
  std::ranges::transform(places, sorted.begin(), [&](const auto& place) { return density.at(place); });
  std::ranges::sort(sorted);
  std::vector<float> ranks;
  for (std::size_t k = 0; k < parts; ++k) ranks.push_back(sorted[k * sorted.size() / parts]);
  return ranks;
}

/// A disk: where it is, and what is wide and dense in it.
struct AgedDisk {
  explicit AgedDisk(const std::vector<glm::vec3>& places, glm::vec3 middle = {})
      : center(middle), density(places), ranks(ranks_of(density, places)) {}
  /// The part of the disk that lies in thinner surroundings than this place.
  float thinner(const glm::vec3& place) const {
    const auto below = std::ranges::lower_bound(ranks, density.at(place)) - ranks.begin();
    return static_cast<float>(below) / static_cast<float>(ranks.size());
  }

  glm::vec3 center;
  WideDensity density;
  std::vector<float> ranks;
};

/// One disk; two where galaxies are so far apart that the cells of a common grid would not tell their middles
/// from their edges.
std::vector<AgedDisk> disks_in(const std::vector<glm::vec3>& places) {
  const auto pair = wide_pair({places.begin(), places.end()});
  if (!pair) return {AgedDisk(places)};
  const glm::vec3 first(pair->first.center), second(pair->second.center);
  std::array<std::vector<glm::vec3>, 2> parts;
  for (const auto& place : places)
    parts.at(glm::distance(place, second) < glm::distance(place, first) ? 1 : 0).push_back(place);
  return {AgedDisk(parts[0], first), AgedDisk(parts[1], second)};
}

const AgedDisk& nearest(const std::vector<AgedDisk>& disks, const glm::vec3& place) {
  const auto away = [&](const AgedDisk& disk) { return glm::distance(place, disk.center); };
  return disks.size() > 1 && away(disks[1]) < away(disks[0]) ? disks[1] : disks[0];
}

/// The part of old stars where so large a part of the disk lies in thinner surroundings.
float part_of_old(float thinner) { return thinner * thinner; }

}  // namespace

std::vector<std::uint8_t> drawn_components(const sim::Bodies& bodies) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(bodies.component.data());
  std::vector<std::uint8_t> drawn(first, first + bodies.size());
  const auto places = places_in_disk(bodies, bodies.component_counts()[disk_place]);
  if (places.size() < fewest_with_ages) return drawn;
  const auto disks = disks_in(places);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (bodies.component[i] != sim::Component::disk) continue;
    const auto place = place_of(bodies, i);
    const float thinner = nearest(disks, place).thinner(place);
    if (own_lot(static_cast<std::uint32_t>(i)) < part_of_old(thinner)) drawn[i] = old_disk;
  }
  return drawn;
}

}  // namespace orrery::app
