#pragma once

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <random>

#include "lab/setup/dataset.h"

namespace orrery::app {

inline sim::Bodies model(const char* name, std::size_t bodies = 3000) {
  return lab::load_dataset({.source = name, .bodies = bodies}).bodies;
}

inline glm::dquat any_turn(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return glm::normalize(glm::dquat(normal(random), normal(random), normal(random), normal(random)));
}

}  // namespace orrery::app
