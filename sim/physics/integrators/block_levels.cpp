#include "sim/physics/integrators/block_levels.h"

#include <cmath>
#include <numeric>

namespace orrery::sim {

int block_level(double dt, double tau) {
  int level = 0;
  // Written so that a tau that is no number has the shortest steps.
  while (level < BlockLevels::deepest && !(std::abs(dt) <= tau * static_cast<double>(1U << level))) ++level;
  return level;
}

void BlockLevels::begin(std::size_t bodies) {
  now_ = 0;
  level_.assign(bodies, 0);
  bodies_of_level_ = {};
  bodies_of_level_[0] = bodies;
  active_.resize(bodies);
  std::iota(active_.begin(), active_.end(), 0U);
}

void BlockLevels::set(std::size_t body, int wanted) {
  int level = wanted;
  while (now_ % (whole >> level) != 0) ++level;
  --bodies_of_level_[level_[body]];
  level_[body] = static_cast<std::uint8_t>(level);
  ++bodies_of_level_[static_cast<std::size_t>(level)];
}

double BlockLevels::go_on() {
  int level = deepest;
  while (level > 0 && bodies_of_level_[static_cast<std::size_t>(level)] == 0) --level;
  now_ += whole >> level;
  active_.clear();
  for (std::size_t i = 0; i < level_.size(); ++i)
    if (now_ % (whole >> level_[i]) == 0) active_.push_back(static_cast<std::uint32_t>(i));
  return 1.0 / static_cast<double>(1U << level);
}

}  // namespace orrery::sim
