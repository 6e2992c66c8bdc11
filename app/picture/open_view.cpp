#include "app/picture/open_view.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "app/picture/framing.h"

namespace orrery::app {

namespace {

/// The number of square cells of that side that have a position in them, seen from far away.
std::size_t cells_covered(const std::vector<glm::dvec3>& places, const render::Camera& camera, double side) {
  std::vector<std::pair<double, double>> cells;
  cells.reserve(places.size());
  for (const auto& place : places)
    cells.emplace_back(std::floor(glm::dot(place, camera.right()) / side),
                       std::floor(glm::dot(place, camera.up()) / side));
  std::ranges::sort(cells);
  return static_cast<std::size_t>(std::unique(cells.begin(), cells.end()) - cells.begin());
}

/// Evenly spread, about as many as tell disks from lines, without those that are no numbers any more.
std::vector<glm::dvec3> some_of(const std::vector<glm::dvec3>& places, glm::dvec3 center) {
  constexpr std::size_t enough = 2000;
  const std::size_t stride = std::max<std::size_t>(1, places.size() / enough);
  std::vector<glm::dvec3> some;
  for (std::size_t k = 0; k < places.size(); k += stride) {
    const auto place = places[k] - center;
    if (std::isfinite(place.x + place.y + place.z)) some.push_back(place);
  }
  return some;
}

}  // namespace

double open_turn(const std::vector<glm::dvec3>& places, glm::dvec3 center, glm::dvec3 spin, double radius) {
  constexpr double clearly = 1.5;
  constexpr int turns = 12;
  if (!(radius > 0.0)) return 0.0;
  const auto some = some_of(places, center);
  const auto covered = [&](double turn) {
    return static_cast<double>(cells_covered(some, towards(View::fit, spin, turn), 0.1 * radius));
  };
  double best = 0.0, most = clearly * covered(0.0);
  for (int k = 1; k < turns; ++k) {
    const double turn = 360.0 / turns * k, here = covered(turn);
    if (here > most) {
      best = turn;
      most = here;
    }
  }
  return best;
}

}  // namespace orrery::app
