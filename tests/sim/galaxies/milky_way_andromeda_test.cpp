#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "sim/engines/engine.h"
#include "sim/galaxies/model.h"
#include "sim/options/physics_options.h"
#include "sim/simulation/engine_registry.h"
#include "tests/sim/engines/engine_cases.h"
#include "tests/sim/physics/physics_assertions.h"

namespace orrery::sim {
namespace {

constexpr const char* model = "milky-way-andromeda-today";

double in_kpc(const Scene& scene) { return scene.units.length / (1e3 * meters_of_parsec); }
double in_km_s(const Scene& scene) { return scene.units.length / scene.units.time / 1e3; }
double in_suns(const Scene& scene) { return scene.units.mass / kilograms_of_sun; }

/// One of the two by itself, about its own centre of mass.
struct Half {
  Bodies bodies;
  DVec3 position, velocity;  // of its centre of mass in the scene
  double mass = 0.0;

  double mass_of(Component component) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      sum += bodies.component[i] == component ? bodies.mass[i] : 0.0;
    return sum;
  }
};

// Where the halo of the first ends and the disk of the second begins.
std::size_t border_of(const Bodies& bodies) {
  std::size_t border = 1;
  while (!(bodies.component[border] == Component::disk && bodies.component[border - 1] == Component::halo))
    ++border;
  return border;
}

Half half_of(const Bodies& both, std::size_t from, std::size_t to) {
  Half half;
  half.bodies.resize(to - from);
  for (std::size_t i = from; i < to; ++i) {
    const double m = both.mass[i];
    half.mass += m;
    half.position += m * DVec3(both.position[i]);
    half.velocity += m * DVec3(both.velocity[i]);
  }
  half.position *= 1.0 / half.mass;
  half.velocity *= 1.0 / half.mass;
  for (std::size_t i = from; i < to; ++i) {
    half.bodies.position[i - from] = Vec3(DVec3(both.position[i]) - half.position);
    half.bodies.velocity[i - from] = Vec3(DVec3(both.velocity[i]) - half.velocity);
    half.bodies.mass[i - from] = both.mass[i];
    half.bodies.component[i - from] = both.component[i];
  }
  return half;
}

std::array<Half, 2> halves_of(const Scene& scene) {
  const std::size_t border = border_of(scene.bodies);
  return {half_of(scene.bodies, 0, border), half_of(scene.bodies, border, scene.bodies.size())};
}

// McMillan 2011: stars 6.43 +- 0.63, virial mass 126 +- 24 (10^10 suns). Tamm et al. 2012: stars 10 to 15,
// van der Marel et al. 2012: virial mass 154 +- 39.
TEST(MilkyWayAndromeda, HasThePublishedMasses) {
  const Scene scene = make_galaxy(model, {20'000, 1});
  const auto [home, other] = halves_of(scene);
  const double unit = in_suns(scene) / 1e10;
  EXPECT_NEAR(unit, 1.0, 1e-12);
  EXPECT_NEAR(unit * (home.mass_of(Component::disk) + home.mass_of(Component::bulge)), 6.43, 0.1);
  EXPECT_NEAR(unit * home.mass, 126.0, 1.0);
  EXPECT_NEAR(unit * (other.mass_of(Component::disk) + other.mass_of(Component::bulge)), 11.0, 1e-3);
  EXPECT_NEAR(unit * other.mass, 150.0, 1.0);
  // Bodies of a component weigh about the same in both.
  EXPECT_NEAR(static_cast<double>(home.bodies.size()) / home.mass /
                  (static_cast<double>(other.bodies.size()) / other.mass),
              1.0, 1e-3);
}

// van der Marel et al. 2012: (-378.9, 612.7, -283.1) kpc, radial velocity -109.3, transverse 17.0 km/s.
TEST(MilkyWayAndromeda, IsOnThePublishedOrbit) {
  const Scene scene = make_galaxy(model, {4000, 1});
  const auto [home, other] = halves_of(scene);
  const DVec3 x = in_kpc(scene) * (other.position - home.position);
  const DVec3 v = in_km_s(scene) * (other.velocity - home.velocity);
  EXPECT_LT(norm(x - DVec3{-378.9, 612.7, -283.1}), 0.01);
  EXPECT_NEAR(dot(x, v) / norm(x), -109.3, 0.2);
  EXPECT_NEAR(norm(cross(x, v)) / norm(x), 17.0, 0.5);
  // G in these units, which is 1, is that of nature: 4.30092e-6 kpc (km/s)^2 / sun.
  EXPECT_NEAR(in_kpc(scene) * in_km_s(scene) * in_km_s(scene) / in_suns(scene) / 4.30092e-6, 1.0, 1e-3);
}

/// The same galaxies, on the same orbit: with the energy and the angular momentum that they have today, as
/// point masses nearly, and before the passage.
TEST(MilkyWayAndromeda, BeginsBeforeTheFirstPassage) {
  const Scene scene = make_galaxy("milky-way-andromeda", {4000, 1}), now = make_galaxy(model, {4000, 1});
  EXPECT_EQ(scene.time, 754.0);
  EXPECT_EQ(now.time, 0.0);
  const auto [home, other] = halves_of(scene);
  const auto [home_now, other_now] = halves_of(now);
  EXPECT_EQ(home.bodies.size(), home_now.bodies.size());
  EXPECT_NEAR(home.mass, home_now.mass, 1e-3);
  const DVec3 x = in_kpc(scene) * (other.position - home.position);
  const DVec3 v = in_km_s(scene) * (other.velocity - home.velocity);
  EXPECT_NEAR(norm(x), 120.4, 0.5);
  EXPECT_NEAR(dot(x, v) / norm(x), -396.0, 6.0);
  // Kept but for what the halos' orbits take up while they overlap.
  const DVec3 x_now = in_kpc(now) * (other_now.position - home_now.position);
  const DVec3 v_now = in_km_s(now) * (other_now.velocity - home_now.velocity);
  EXPECT_NEAR(norm(cross(x, v)) / norm(cross(x_now, v_now)), 1.0, 0.25);
  EXPECT_GT(dot(cross(x, v), cross(x_now, v_now)) / (norm(cross(x, v)) * norm(cross(x_now, v_now))), 0.8);
}

// In the x-y plane.
double circular_speed(const Half& half, double radius, double softening) {
  constexpr int directions = 32;
  double mean = 0.0;
  for (int k = 0; k < directions; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / directions;
    const DVec3 out{std::cos(angle), std::sin(angle), 0.0};
    for (std::size_t i = 0; i < half.bodies.size(); ++i) {
      const DVec3 d = DVec3(half.bodies.position[i]) - radius * out;
      const double squared = dot(d, d) + softening * softening;
      mean -= half.bodies.mass[i] * dot(d, out) / (squared * std::sqrt(squared)) / directions;
    }
  }
  return std::sqrt(radius * mean);
}

DVec3 spin_of(const Half& half) {
  DVec3 sum;
  for (std::size_t i = 0; i < half.bodies.size(); ++i) {
    if (half.bodies.component[i] == Component::disk)
      sum += cross(DVec3(half.bodies.position[i]), DVec3(half.bodies.velocity[i]));
  }
  return sum * (1.0 / norm(sum));
}

// Turned so that the disk lies in the x-y plane.
Half upright(Half half) {
  const DVec3 axis = spin_of(half);
  DVec3 side = cross(axis, DVec3{0.3, 0.2, 0.7});
  side *= 1.0 / norm(side);
  const DVec3 third = cross(axis, side);
  for (auto* vectors : {&half.bodies.position, &half.bodies.velocity}) {
    for (Vec3& each : *vectors) {
      const DVec3 a(each);
      each = Vec3(DVec3{dot(a, side), dot(a, third), dot(a, axis)});
    }
  }
  return half;
}

// McMillan 2011: 239 +- 5 km/s at the Sun. Corbelli et al. 2010: about 250 km/s at 15 kpc.
TEST(MilkyWayAndromeda, TurnsAsFastAsObserved) {
  const Scene scene = make_galaxy(model, {30'000, 1});
  const auto [home, other] = halves_of(scene);
  const double softening = scene.physics.softening, unit = in_km_s(scene);
  EXPECT_NEAR(unit * circular_speed(upright(home), 8.29, softening), 239.0, 6.0);
  EXPECT_NEAR(unit * circular_speed(upright(other), 15.0, softening), 250.0, 6.0);
}

// Andromeda is seen at right ascension 10.68, declination 41.27; the receding half of its major axis points
// to position angle 37.7, the disk is inclined by 77.5 degrees and the south-east is the far side (de
// Vaucouleurs 1958; the north-east recedes: Rubin & Ford 1970). Rotation to galactic axes: Hipparcos (ESA
// SP-1200, 1.5.3).
DVec3 observed_spin() {
  constexpr double degree = std::numbers::pi / 180.0;
  const double ra = 10.6847 * degree, dec = 41.2688 * degree, pa = 37.7 * degree, tilt = 77.5 * degree;
  const DVec3 sight{std::cos(dec) * std::cos(ra), std::cos(dec) * std::sin(ra), std::sin(dec)};
  const DVec3 east{-std::sin(ra), std::cos(ra), 0.0}, north = cross(sight, east);
  const DVec3 major = std::cos(pa) * north + std::sin(pa) * east;
  const DVec3 minor = std::cos(tilt) * (std::cos(pa) * east - std::sin(pa) * north) + std::sin(tilt) * sight;
  const DVec3 spin = cross(major, minor);
  return {dot(spin, DVec3{-0.0548755604, -0.8734370902, -0.4838350155}),
          dot(spin, DVec3{0.4941094279, -0.4448296300, 0.7469822445}),
          dot(spin, DVec3{-0.8676661490, -0.1980763734, 0.4559837762})};
}

TEST(MilkyWayAndromeda, HasItsDisksAsTheyAreSeen) {
  const auto [home, other] = halves_of(make_galaxy(model, {8000, 1}));
  EXPECT_GT(dot(spin_of(home), DVec3{0.0, 0.0, -1.0}), 0.999) << "clockwise from the galactic north";
  EXPECT_GT(dot(spin_of(other), observed_spin()), 0.999);
}

TEST(MilkyWayAndromeda, IsInVirialEquilibriumEach) {
  const Scene scene = make_galaxy(model, {8000, 1});
  for (Half half : halves_of(scene)) {
    EXPECT_NEAR(checks::clausius_ratio(half.bodies, scene.physics), 0.5, 0.025);
    for (Vec3& v : half.bodies.velocity) v *= 0.9F;
    EXPECT_GT(std::abs(checks::clausius_ratio(half.bodies, scene.physics) - 0.5), 0.05)
        << "a slow one must be caught";
  }
}

TEST(MilkyWayAndromeda, HasTheSameBitsForAnyNumberOfThreads) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const Bodies alone = make_galaxy(model, {140'001, 3}).bodies;
  omp_set_num_threads(5);
  const Bodies together = make_galaxy(model, {140'001, 3}).bodies;
  omp_set_num_threads(before);
  EXPECT_TRUE(alone.position == together.position && alone.velocity == together.velocity);
}

// Radii in the disk of 20, 50 and 80 % of its bodies, its median height, and the radius of half of the halo.
struct Shape {
  std::array<double, 3> disk{};
  double height = 0.0, halo = 0.0;
};

Shape shape_of(const Half& half, const std::vector<Vec3>& position) {
  DVec3 middle;
  for (std::size_t i = 0; i < position.size(); ++i)
    middle += half.bodies.mass[i] / half.mass * DVec3(position[i]);
  const DVec3 axis = spin_of(half);
  std::vector<double> disk, height, halo;
  for (std::size_t i = 0; i < position.size(); ++i) {
    const DVec3 x = DVec3(position[i]) - middle;
    if (half.bodies.component[i] == Component::halo) halo.push_back(norm(x));
    if (half.bodies.component[i] != Component::disk) continue;
    disk.push_back(norm(x - dot(x, axis) * axis));
    height.push_back(std::abs(dot(x, axis)));
  }
  for (auto* values : {&disk, &height, &halo}) std::ranges::sort(*values);
  return {{disk[disk.size() / 5], disk[disk.size() / 2], disk[disk.size() * 4 / 5]},
          height[height.size() / 2],
          halo[halo.size() / 2]};
}

// The largest relative change of a radius and the height at the end, in disk radii, after so many rotations
// at the half-mass radius of the disk.
struct Change {
  double radius = 0.0, height = 0.0;
};

std::unique_ptr<Engine> engine_of(const Bodies& bodies, const Scene& scene) {
  Configuration configuration = checks::simulation_options().defaults();
  configuration.set("engine", std::string("cpu"));
  configuration.set("kernel", std::string("simd"));
  set_physics(configuration, scene.physics);
  auto engine = make_engine(checks::simulation_options(), configuration);
  engine->load(bodies, 0.0);
  return engine;
}

Change change_after(Half half, double slower, double rotations, const Scene& scene) {
  for (Vec3& v : half.bodies.velocity) v *= static_cast<float>(slower);
  const auto engine = engine_of(half.bodies, scene);
  const Shape start = shape_of(half, half.bodies.position);
  const double period = 2.0 * std::numbers::pi * start.disk[1] * 207.38 / 230.0;
  Bodies now = half.bodies;
  Change change;
  for (int part = 0; part < 4; ++part) {
    const int steps = static_cast<int>(0.25 * rotations * period / scene.physics.time_step);
    for (int step = 0; step < steps; ++step) engine->advance({});
    engine->read_back(now);
    const Shape shape = shape_of(half, now.position);
    for (std::size_t k = 0; k < 3; ++k)
      change.radius = std::max(change.radius, std::abs(shape.disk.at(k) / start.disk.at(k) - 1.0));
    change.radius = std::max(change.radius, std::abs(shape.halo / start.halo - 1.0));
    change.height = shape.height / shape.disk[1];
  }
  return change;
}

// With so few bodies the heavy ones of the halos thicken the disks: the height is bounded, not kept.
TEST(MilkyWayAndromeda, KeepsTheShapeOfEachForTwoRotations) {
  const Scene scene = make_galaxy(model, {12'000, 1});
  for (const Half& half : halves_of(scene)) {
    const Change change = change_after(half, 1.0, 2.0, scene);
    RecordProperty("radius", std::to_string(change.radius));
    RecordProperty("height", std::to_string(change.height));
    EXPECT_LT(change.radius, 0.22);
    EXPECT_LT(change.height, 0.16);
    EXPECT_GT(change_after(half, 0.8, 0.5, scene).radius, 0.25) << "one that turns too slowly must be caught";
  }
}

}  // namespace
}  // namespace orrery::sim
