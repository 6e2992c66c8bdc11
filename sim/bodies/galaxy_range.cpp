#include "sim/bodies/galaxy_range.h"

#include <algorithm>

namespace orrery::sim {

GalaxyRange bodies_of_galaxy(std::span<const std::uint32_t> galaxy, std::uint32_t number) {
  const auto [first, last] = std::equal_range(galaxy.begin(), galaxy.end(), number);
  return {static_cast<std::size_t>(first - galaxy.begin()), static_cast<std::size_t>(last - galaxy.begin())};
}

}  // namespace orrery::sim
