#include "sim/diagnostics/structure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "sim/core/random.h"

namespace orrery::sim {
namespace {

constexpr double pi = std::numbers::pi;

struct Cloud {
  std::vector<Vec3> position, velocity;
  std::vector<float> mass;
  std::vector<Component> component;

  void add(const DVec3& x, const DVec3& v, double m, Component what = Component::star) {
    position.emplace_back(x);
    velocity.emplace_back(v);
    mass.push_back(static_cast<float>(m));
    component.push_back(what);
  }
  CenteredState centered(const CenteringRequest& request = {.most = 1'000'000}) const {
    const std::vector<GalaxyRange> galaxies{{0, mass.size()}};
    return center_state({position, velocity, mass, galaxies}, component, request);
  }
};

// Plummer's sphere of mass 1 and scale 2: M(r) = (1 + 4 / r^2)^(-3/2).
Cloud plummer(std::size_t count, const DVec3& center) {
  Random random(3);
  Cloud cloud;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    const double r = 2.0 / std::sqrt(std::pow(share, -2.0 / 3.0) - 1.0);
    cloud.add(center + r * random.direction(), {7.0, 0.0, -1.0}, 1.0 / static_cast<double>(count));
  }
  return cloud;
}

double exponential_radius(double share) {
  double low = 0.0, high = 60.0;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (1.0 - (1.0 + middle) * std::exp(-middle) < share ? low : high) = middle;
  }
  return low;
}

struct Tilt {
  double c = 1.0, s = 0.0;
  DVec3 operator()(const DVec3& x) const { return {x.x, c * x.y - s * x.z, s * x.y + c * x.z}; }
};

// An exponential disk of mass 3 and scale length 1 that turns with speed 2, with spreads 0.3, 0.2, 0.1.
Cloud disk(std::size_t count, double tilt, double rotation = 2.0) {
  Random random(5);
  const Tilt turn{std::cos(tilt), std::sin(tilt)};
  Cloud cloud;
  for (std::size_t i = 0; i < count; ++i) {
    const double r = exponential_radius((static_cast<double>(i) + 0.5) / static_cast<double>(count));
    const double phi = 2.0 * pi * 0.6180339887498949 * static_cast<double>(i);
    const DVec3 out{std::cos(phi), std::sin(phi), 0.0}, around{-std::sin(phi), std::cos(phi), 0.0};
    const double v_r = 0.3 * random.normal(), v_phi = rotation + 0.2 * random.normal();
    const DVec3 v = out * v_r + around * v_phi + DVec3{0.0, 0.0, 0.1 * random.normal()};
    cloud.add(turn(r * out), turn(v), 3.0 / static_cast<double>(count), Component::disk);
  }
  return cloud;
}

TEST(CenteredState, FindsCentreAndItsVelocity) {
  const auto state = plummer(4000, {50.0, -20.0, 10.0}).centered();
  EXPECT_LT(norm(state.center - DVec3{50.0, -20.0, 10.0}), 0.15);
  EXPECT_LT(norm(state.center_velocity - DVec3{7.0, 0.0, -1.0}), 1e-5);
  EXPECT_EQ(state.axis, (DVec3{0.0, 0.0, 1.0}));  // it does not rotate
}

TEST(CenteredState, DisksStandUpright) {
  for (const double tilt : {0.0, 1.0, 2.5, pi}) {
    const auto state = disk(4000, tilt).centered();
    const DVec3 axis{0.0, -std::sin(tilt), std::cos(tilt)};
    EXPECT_LT(norm(state.axis - axis), 0.02) << tilt;
    double height = 0.0;
    for (const auto& x : state.position) height = std::max(height, std::abs(x.z) / (1.0 + norm(x)));
    EXPECT_LT(height, 0.1) << tilt;
  }
}

TEST(CenteredState, SamplesStandForAllAndAreSeeded) {
  const auto cloud = disk(20'000, 0.4);
  const auto state = cloud.centered({.most = 2'000, .seed = 4});
  ASSERT_EQ(state.size(), 2'000U);
  EXPECT_LT(state.size(), state.bodies);
  EXPECT_EQ(state.bodies, 20'000U);
  EXPECT_NEAR(std::accumulate(state.mass.begin(), state.mass.end(), 0.0), 3.0, 1e-4);
  EXPECT_EQ(state.position, cloud.centered({.most = 2'000, .seed = 4}).position);
  EXPECT_NE(state.position, cloud.centered({.most = 2'000, .seed = 5}).position);
}

TEST(CenteredState, LeavesOutWhatHasNoMassOrPlace) {
  auto cloud = plummer(100, {});
  cloud.mass[3] = 0.0F;
  cloud.position[9].y = std::nanf("");
  EXPECT_EQ(cloud.centered().size(), 98U);
  EXPECT_EQ(cloud.centered({.galaxy = 1}).size(), 0U);
}

TEST(LagrangeRadii, AreThoseOfPlummersSphere) {
  const auto state = plummer(20'000, {1.0, 2.0, 3.0}).centered();
  const std::vector<double> fractions{0.1, 0.5, 0.9};
  const auto radii = lagrange_radii(state, fractions);
  for (std::size_t k = 0; k < fractions.size(); ++k)
    EXPECT_NEAR(radii[k] * std::sqrt(std::pow(fractions[k], -2.0 / 3.0) - 1.0) / 2.0, 1.0, 0.01)
        << fractions[k];
  EXPECT_EQ(lagrange_radii({}, fractions), (std::vector<double>(3, 0.0)));
}

TEST(Rings, AnExponentialDiskHasItsDensityRotationAndSpreads) {
  const auto rings = rings_of(disk(60'000, 0.7).centered(), 12);
  ASSERT_EQ(rings.size(), 12U);
  for (const auto& ring : rings) {
    const double within = [](double a, double b) {
      return (1.0 + a) * std::exp(-a) - (1.0 + b) * std::exp(-b);
    }(ring.inner, ring.outer);
    const double area = pi * (ring.outer * ring.outer - ring.inner * ring.inner);
    EXPECT_NEAR(ring.surface_density() / (3.0 * within / area), 1.0, 0.03) << ring.radius();
    // The law itself, at the middle of the ring.
    if (ring.inner > 0.0) {
      EXPECT_NEAR(ring.surface_density() / (1.5 / pi * std::exp(-ring.radius())), 1.0, 0.06);
    }
    EXPECT_NEAR(ring.rotation, 2.0, 0.04);
    EXPECT_NEAR(ring.sigma_r, 0.3, 0.02) << ring.radius();
    EXPECT_NEAR(ring.sigma_phi, 0.2, 0.02);
    EXPECT_NEAR(ring.sigma_z, 0.1, 0.01);
  }
}

TEST(Rings, AColdDiskHasNoSpread) {
  Cloud cloud;
  for (int i = 0; i < 400; ++i) {
    const int ring = i / 100;
    const double phi = 2.0 * pi * i / 100.0, r = 1.0 + ring;
    cloud.add({r * std::cos(phi), r * std::sin(phi), 0.0}, {-std::sin(phi), std::cos(phi), 0.0}, 0.01);
  }
  for (const auto& ring : rings_of(cloud.centered(), 3)) {
    if (ring.bodies == 0) continue;
    EXPECT_NEAR(ring.rotation, 1.0, 1e-5);
    EXPECT_NEAR(ring.sigma_r, 0.0, 1e-3);
    EXPECT_NEAR(ring.sigma_phi, 0.0, 1e-3);
  }
}

TEST(Rings, TheHaloDoesNotCount) {
  auto cloud = disk(5'000, 0.0);
  for (int i = 0; i < 500; ++i) cloud.add({0.5 + i * 1e-3, 0.3, 0.2}, {}, 1.0, Component::halo);
  double mass = 0.0;
  for (const auto& ring : rings_of(cloud.centered())) mass += ring.mass;
  EXPECT_LT(mass, 3.0);
}

TEST(CircularSpeed, IsKeplersAboutAPoint) {
  Cloud cloud;
  cloud.add({}, {}, 4.0);
  const Physics physics{.gravitational_constant = 2.0, .softening = 0.0};
  const std::vector<double> radii{1.0, 2.0, 3.0, 4.0};
  const auto speeds = circular_speeds(cloud.centered(), radii, physics);
  for (std::size_t k = 0; k < radii.size(); ++k) EXPECT_NEAR(speeds[k], std::sqrt(8.0 / radii[k]), 1e-6);
}

// v_c of Plummer's sphere: sqrt(G M r^2 / (r^2 + a^2)^(3/2)).
TEST(CircularSpeed, IsThatOfPlummersSphere) {
  const std::vector<double> radii{1.0, 2.0, 4.0};
  const auto speeds = circular_speeds(plummer(20'000, {}).centered(), radii, {.softening = 0.05});
  for (std::size_t k = 0; k < radii.size(); ++k) {
    const double r = radii[k];
    EXPECT_NEAR(speeds[k] / std::sqrt(r * r / std::pow(r * r + 4.0, 1.5)), 1.0, 0.03) << r;
  }
}

TEST(EpicyclicFrequency, OfKnownRotationCurves) {
  std::vector<double> radii, kepler, flat, solid;
  for (int k = 0; k < 200; ++k) {
    radii.push_back(1.0 + 0.01 * k);
    kepler.push_back(1.0 / std::sqrt(radii.back()));
    flat.push_back(1.0);
    solid.push_back(0.7 * radii.back());
  }
  const auto of_kepler = epicyclic_frequencies(radii, kepler), of_flat = epicyclic_frequencies(radii, flat),
             of_solid = epicyclic_frequencies(radii, solid);
  for (std::size_t k = 3; k + 3 < radii.size(); ++k) {
    EXPECT_NEAR(of_kepler[k], std::pow(radii[k], -1.5), 1e-3);
    EXPECT_NEAR(of_flat[k], std::numbers::sqrt2 / radii[k], 1e-9);
    EXPECT_NEAR(of_solid[k], 1.4, 1e-9);
  }
}

TEST(ToomreQ, FollowsItsFormula) {
  EXPECT_NEAR(toomre_q(0.5, 1.2, 2.0, 0.25), 0.35714285714, 1e-9);
  EXPECT_TRUE(std::isinf(toomre_q(0.5, 1.2, 2.0, 0.0)));
}

TEST(BarStrength, OfABarARoundDiskAndAHarmonic) {
  Cloud bar, round, wave;
  for (int k = 0; k < 360; ++k) {
    const double phi = 2.0 * pi * k / 360.0, x = (k - 179.5) / 180.0;
    bar.add({x * std::cos(0.7), x * std::sin(0.7), 0.0}, {}, 1.0);
    round.add({std::cos(phi), std::sin(phi), 0.0}, {}, 1.0);
    wave.add({std::cos(phi), std::sin(phi), 0.0}, {}, 1.0 + 0.6 * std::cos(2.0 * (phi - 0.4)));
  }
  // No centre of weighted medians: the definition itself.
  const auto strength = [](const Cloud& cloud, double radius) {
    CenteredState state;
    for (std::size_t i = 0; i < cloud.mass.size(); ++i) {
      state.position.emplace_back(cloud.position[i]);
      state.mass.push_back(cloud.mass[i]);
      state.in_profile.push_back(true);
    }
    return bar_strength(state, radius);
  };
  EXPECT_NEAR(strength(bar, 2.0), 1.0, 1e-6);
  EXPECT_NEAR(strength(round, 2.0), 0.0, 1e-6);
  EXPECT_NEAR(strength(wave, 2.0), 0.3, 1e-5);
  EXPECT_EQ(strength(wave, 0.5), 0.0);
}

// Around a heavy body at rest: what is slower than sqrt(2 G M / r) is bound.
TEST(BoundFraction, CountsWhatIsSlowerThanEscape) {
  Cloud cloud;
  cloud.add({}, {}, 1000.0);
  for (int k = 0; k < 100; ++k) {
    const double phi = 2.0 * pi * k / 100.0, speed = std::sqrt(2.0 * 1000.0 / 2.0) * (k < 30 ? 1.02 : 0.98);
    cloud.add({2.0 * std::cos(phi), 2.0 * std::sin(phi), 0.0}, {0.0, 0.0, speed * (k % 2 == 0 ? 1.0 : -1.0)},
              1e-3);
  }
  auto state = cloud.centered();
  for (auto& v : state.velocity) v += state.center_velocity;
  EXPECT_NEAR(bound_fraction(state, {.softening = 0.0}), 1.0 - 0.03 / 1000.1, 1e-6);
  state.mass[0] = 0.0;  // nothing holds them
  EXPECT_LT(bound_fraction(state, {.softening = 0.0}), 0.01);
}

TEST(Structure, HoldsAllOfIt) {
  const auto cloud = disk(6'000, 0.3);
  const std::vector<GalaxyRange> galaxies{{0, cloud.mass.size()}};
  const auto found = structure_of({cloud.position, cloud.velocity, cloud.mass, galaxies}, cloud.component, {},
                                  {.most = 3'000});
  EXPECT_EQ(found.sample, 3'000U);
  EXPECT_EQ(found.of, 6'000U);
  ASSERT_GE(found.profile.size(), 4U);
  const auto& at = found.profile[found.profile.size() / 2];
  EXPECT_NEAR(at.toomre_q, at.ring.sigma_r * at.kappa / (3.36 * at.ring.surface_density()), 1e-9);
  EXPECT_GT(found.phase.size(), 500U);
  EXPECT_LT(found.a2, 0.1);
  EXPECT_GT(found.lagrange[4], found.lagrange[0]);
}

TEST(Structure, OfFewBodiesAndNoneIsThere) {
  EXPECT_EQ(structure_of({}, {}, {}).of, 0U);
  Cloud two;
  two.add({1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, 1.0);
  two.add({-1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, 1.0);
  const std::vector<GalaxyRange> galaxies{{0, 2}};
  EXPECT_EQ(structure_of({two.position, two.velocity, two.mass, galaxies}, {}, {}).of, 2U);
}

}  // namespace
}  // namespace orrery::sim
