#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/galaxies/model.h"
#include "tests/sim/physics/direct_forces.h"

namespace orrery::sim {
namespace {

struct KnownOrbit {
  const char* model;
  double period;
};

// How far the bodies are from their places after a period, at the model's own step.
double missed(const Scene& scene, const std::vector<Vec3>& velocity, double period) {
  DirectStepper stepper(*scene.physics.integrator, scene.bodies.position, velocity, scene.bodies.mass,
                        static_cast<float>(scene.physics.softening));
  const auto steps = static_cast<int>(std::lround(period / scene.physics.time_step));
  stepper.advance(steps, static_cast<float>(period / steps));
  double distance = 0.0;
  for (std::size_t i = 0; i < 3; ++i)
    distance = std::max(distance, norm(DVec3(stepper.position()[i]) - DVec3(scene.bodies.position[i])));
  return distance;
}

class PeriodicOrbit : public testing::TestWithParam<KnownOrbit> {};

// Periods of Suvakov & Dmitrasinovic 2013, table I.
TEST_P(PeriodicOrbit, ReturnsAfterItsPeriod) {
  const Scene scene = make_galaxy(GetParam().model, {});
  EXPECT_LT(missed(scene, scene.bodies.velocity, GetParam().period), 0.05);
  auto other = scene.bodies.velocity;
  for (Vec3& v : other) v *= 1.1F;
  EXPECT_GT(missed(scene, other, GetParam().period), 0.2) << "other speeds do not return";
}

INSTANTIATE_TEST_SUITE_P(Models, PeriodicOrbit,
                         testing::Values(KnownOrbit{"butterfly", 6.2356}, KnownOrbit{"moth", 14.8939},
                                         KnownOrbit{"goggles", 10.4668}, KnownOrbit{"dragonfly", 21.2710},
                                         KnownOrbit{"yin-yang", 17.3284}),
                         [](const auto& each) {
                           std::string name = each.param.model;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace orrery::sim
