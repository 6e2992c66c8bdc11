#include "sim/physics/kepler.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "sim/galaxies/model.h"

namespace orrery::sim {
namespace {

constexpr double pi = std::numbers::pi;

/// Four floats a body.
struct Packed {
  std::vector<float> position, velocity;
  explicit Packed(const Bodies& bodies) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Vec3 x = bodies.position[i], v = bodies.velocity[i];
      position.insert(position.end(), {x.x, x.y, x.z, bodies.mass[i]});
      velocity.insert(velocity.end(), {v.x, v.y, v.z, 0.0F});
    }
  }
  BodyStates states() const { return {position, velocity}; }
};

// At apocentre of a = 2, e = 0.5 around mu = 3: r = 3, v^2 = mu (2/r - 1/a). Tilted by 90 degrees: in x and
// z.
TEST(OsculatingEllipse, OfAKnownOrbit) {
  const double speed = std::sqrt(3.0 * (2.0 / 3.0 - 0.5));
  const auto ellipse = osculating_ellipse({-3, 0, 0}, {0, 0, -speed}, 3.0);
  ASSERT_TRUE(ellipse);
  EXPECT_NEAR(ellipse->semi_major_axis, 2.0, 1e-12);
  EXPECT_NEAR(ellipse->eccentricity, 0.5, 1e-12);
  EXPECT_NEAR(ellipse->period(3.0), 2.0 * pi * std::sqrt(8.0 / 3.0), 1e-12);
  EXPECT_LT(norm(ellipse->at(0.0) - DVec3{1, 0, 0}), 1e-12) << "pericentre";
  EXPECT_LT(norm(ellipse->at(pi) - DVec3{-3, 0, 0}), 1e-12) << "apocentre";
  EXPECT_LT(norm(ellipse->at(0.5 * pi) - DVec3{-1, 0, std::sqrt(3.0)}), 1e-12)
      << "end of the minor axis, ahead";
  for (const double anomaly : {0.3, 1.9, -2.4})
    EXPECT_NEAR(ellipse->anomaly_of(ellipse->at(anomaly)), anomaly, 1e-12);
}

TEST(OsculatingEllipse, ThereIsNoneOfTheUnboundAndTheFalling) {
  EXPECT_FALSE(osculating_ellipse({1, 0, 0}, {0, 1.5, 0}, 1.0)) << "above escape speed";
  EXPECT_FALSE(osculating_ellipse({1, 0, 0}, {0.5, 0, 0}, 1.0)) << "straight line";
  EXPECT_TRUE(osculating_ellipse({1, 0, 0}, {0, 1, 0}, 1.0)) << "a circle";
}

// Along a Kepler orbit, whatever the place on it, the ellipse is the same and goes through the body.
TEST(OsculatingEllipse, StaysAlongItsOrbit) {
  const auto start = *osculating_ellipse({1, 0.2, 0.1}, {-0.1, 0.9, 0.3}, 1.0);
  for (int k = 0; k < 9; ++k) {
    const double anomaly = 0.1 + 0.7 * k;
    const DVec3 place = start.at(anomaly);
    // dr/dt = dr/dE dE/dt, dE/dt = sqrt(mu / a) / r.
    const double rate = std::sqrt(1.0 / start.semi_major_axis) / norm(place);
    const DVec3 velocity = (start.at(anomaly + 1e-6) - start.at(anomaly - 1e-6)) * (rate / 2e-6);
    const auto again = osculating_ellipse(place, velocity, 1.0);
    ASSERT_TRUE(again);
    EXPECT_NEAR(again->semi_major_axis, start.semi_major_axis, 1e-7);
    EXPECT_LT(norm(again->to_pericentre - start.to_pericentre), 1e-6);
    EXPECT_LT(norm(again->ahead - start.ahead), 1e-6);
    EXPECT_LT(norm(again->at(again->anomaly_of(place)) - place), 1e-7);
  }
}

// Mean elements (Standish): those of the moment differ little for Mercury and the Earth. Jupiter moves the
// Sun, and so what Neptune and Pluto seem to go round.
TEST(BoundPairs, PlanetsHaveTheirElements) {
  const Scene scene = make_galaxy("solar-system", {});
  const auto pairs = bound_pairs(Packed(scene.bodies).states(), 1.0);
  ASSERT_EQ(pairs.size(), 9U);
  for (const auto& pair : pairs) EXPECT_EQ(pair.heavy, 0U);
  EXPECT_NEAR(pairs[0].ellipse.semi_major_axis, 0.38709927, 1e-5);
  EXPECT_NEAR(pairs[0].ellipse.eccentricity, 0.20563593, 1e-5);
  EXPECT_NEAR(pairs[2].ellipse.semi_major_axis, 1.00000261, 1e-5);
  EXPECT_NEAR(pairs[7].ellipse.semi_major_axis, 30.06992276, 0.1);
  EXPECT_NEAR(pairs[8].ellipse.eccentricity, 0.24882730, 0.01);
}

TEST(BoundPairs, TheMoonIsBoundToTheEarth) {
  const Scene scene = make_galaxy("sun-earth-moon", {});
  const auto pairs = bound_pairs(Packed(scene.bodies).states(), 1.0);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].heavy, 0U) << "the Earth to the Sun";
  EXPECT_EQ(pairs[1].heavy, 1U) << "the Moon to the Earth";
  EXPECT_NEAR(pairs[1].ellipse.semi_major_axis * 149'597'870.7, 385'000.0, 8'000.0);
  EXPECT_TRUE(bound_pairs(Packed(make_galaxy("double-star", {}).bodies).states(), 1.0).empty())
      << "no heavy one";
}

}  // namespace
}  // namespace orrery::sim
