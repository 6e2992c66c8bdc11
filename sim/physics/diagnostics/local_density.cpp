#include "sim/physics/diagnostics/local_density.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace orrery::sim {

namespace {

DVec3 triple(std::span<const float> values, std::size_t body) {
  return {values[4 * body], values[4 * body + 1], values[4 * body + 2]};
}

constexpr std::size_t leaf_size = 8;

struct Neighbour {
  float squared;  // distance
  float mass;
};

float along(const Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

// A balanced k-d tree without nodes: each range of the order has its median in the middle, smaller ones
// before it along `axis_[middle]`, larger ones behind it.
class NeighbourTree {
 public:
  NeighbourTree(std::span<const Vec3> position, std::span<const float> mass,
                std::vector<std::uint32_t> bodies)
      : order_(std::move(bodies)), axis_(order_.size()) {
    split(position, 0, order_.size());
    for (const auto i : order_) position_.push_back(position[i]), mass_.push_back(mass[i]);
  }

  const std::vector<std::uint32_t>& order() const { return order_; }

  // The `count` nearest of the body at `place` of the order, by rising distance; fewer where there are fewer.
  void find(std::size_t place, std::size_t count, std::vector<Neighbour>& nearest) const {
    nearest.clear();
    search(place, 0, order_.size(), count, nearest);
    std::ranges::sort(nearest, {}, &Neighbour::squared);
  }

 private:
  static int widest(std::span<const Vec3> position, std::span<const std::uint32_t> bodies) {
    Vec3 low = position[bodies.front()], high = low;
    for (const auto i : bodies) {
      const Vec3& x = position[i];
      low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
      high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
    }
    const Vec3 size = high - low;
    if (size.x >= size.y && size.x >= size.z) return 0;
    return size.y >= size.z ? 1 : 2;
  }

  void split(std::span<const Vec3> position, std::size_t first, std::size_t last) {
    if (last - first <= leaf_size) return;
    const std::span range(order_.data() + first, last - first);
    const int axis = widest(position, range);
    const auto middle = first + (last - first) / 2;
    std::ranges::nth_element(range, range.begin() + static_cast<std::ptrdiff_t>(middle - first), {},
                             [&](std::uint32_t i) { return along(position[i], axis); });
    axis_[middle] = static_cast<std::uint8_t>(axis);
    split(position, first, middle);
    split(position, middle + 1, last);
  }

  static bool farther(const Neighbour& a, const Neighbour& b) { return a.squared < b.squared; }

  // `nearest` is a heap with the farthest in front.
  void consider(std::size_t place, std::size_t other, std::size_t count,
                std::vector<Neighbour>& nearest) const {
    if (other == place) return;
    const Vec3 d = position_[other] - position_[place];
    const float squared = d.x * d.x + d.y * d.y + d.z * d.z;
    if (nearest.size() == count) {
      if (squared >= nearest.front().squared) return;
      std::ranges::pop_heap(nearest, farther);
      nearest.pop_back();
    }
    nearest.push_back({squared, mass_[other]});
    std::ranges::push_heap(nearest, farther);
  }

  void search(std::size_t place, std::size_t first, std::size_t last, std::size_t count,
              std::vector<Neighbour>& nearest) const {
    if (last - first <= leaf_size) {
      for (std::size_t other = first; other < last; ++other) consider(place, other, count, nearest);
      return;
    }
    const auto middle = first + (last - first) / 2;
    const int axis = axis_[middle];
    const float away = along(position_[place], axis) - along(position_[middle], axis);
    const bool below = away < 0.0F || (away == 0.0F && place < middle);
    below ? search(place, first, middle, count, nearest) : search(place, middle + 1, last, count, nearest);
    consider(place, middle, count, nearest);
    if (nearest.size() == count && away * away >= nearest.front().squared) return;
    below ? search(place, middle + 1, last, count, nearest) : search(place, first, middle, count, nearest);
  }

  std::vector<std::uint32_t> order_;
  std::vector<std::uint8_t> axis_;
  std::vector<Vec3> position_;  // in the order
  std::vector<float> mass_;
};

float density_of(const std::vector<Neighbour>& nearest) {
  if (nearest.size() < 2) return 0.0F;
  double mass = 0.0;
  for (std::size_t k = 0; k + 1 < nearest.size(); ++k) mass += nearest[k].mass;
  const double radius = std::sqrt(double{nearest.back().squared});
  return static_cast<float>(mass / (4.0 / 3.0 * std::numbers::pi * radius * radius * radius));
}

}  // namespace

Surroundings surroundings_of(std::size_t body, GalaxyRange galaxy, std::span<const float> position,
                             const Physics& physics) {
  const DVec3 place = triple(position, body);
  const double softening_squared = physics.softening * physics.softening;
  Surroundings result{.center = place};
  DVec3 moment;
  double mass = 0.0, sum = 0.0;
  for (std::size_t j = galaxy.first; j < galaxy.last; ++j) {
    const double m = position[4 * j + 3];
    const DVec3 x = triple(position, j);
    mass += m;
    moment += x * m;
    const DVec3 apart = x - place;
    const double squared = apart.x * apart.x + apart.y * apart.y + apart.z * apart.z + softening_squared;
    if (j != body && squared > 0.0) sum += m / std::sqrt(squared);
  }
  result.potential = -physics.gravitational_constant * sum;
  if (mass > 0.0) result.center = moment * (1.0 / mass);
  return result;
}

std::vector<float> local_density(std::span<const Vec3> position, std::span<const float> mass,
                                 std::span<const GalaxyRange> galaxies, std::size_t neighbours,
                                 const std::atomic<bool>* stop) {
  std::vector<float> density(position.size(), std::numeric_limits<float>::quiet_NaN());
  std::vector<Neighbour> nearest;
  for (const GalaxyRange& galaxy : galaxies) {
    std::vector<std::uint32_t> bodies;
    for (std::size_t i = galaxy.first; i < galaxy.last; ++i)
      if (is_finite(position[i])) bodies.push_back(static_cast<std::uint32_t>(i));
    const NeighbourTree tree(position, mass, std::move(bodies));
    for (std::size_t place = 0; place < tree.order().size(); ++place) {
      if (place % 1024 == 0 && stop != nullptr && *stop) return {};
      tree.find(place, neighbours, nearest);
      density[tree.order()[place]] = density_of(nearest);
    }
  }
  return density;
}

}  // namespace orrery::sim
