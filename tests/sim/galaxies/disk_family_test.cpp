#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "sim/galaxies/disk_galaxy.h"
#include "sim/galaxies/model.h"
#include "tests/sim/physics/direct_forces.h"

namespace orrery::sim {
namespace {

// The mean of exp(2 i phi) over the disk's bodies between two radii: its size is half of the strength of two
// arms or of a bar, half of its angle where they are.
std::complex<double> twofold(const Scene& scene, const std::vector<Vec3>& position, double from, double to) {
  std::complex<double> sum;
  double count = 0.0;
  for (std::size_t i = 0; i < position.size(); ++i) {
    const double r = std::hypot(position[i].x, position[i].y);
    if (scene.bodies.component[i] != Component::disk || r < from || r > to) continue;
    sum += std::polar(1.0, 2.0 * std::atan2(double{position[i].y}, double{position[i].x}));
    count += 1.0;
  }
  return sum / count;
}

std::vector<double> disk_radii(const Scene& scene, const std::vector<Vec3>& position) {
  std::vector<double> radii;
  for (std::size_t i = 0; i < position.size(); ++i) {
    if (scene.bodies.component[i] == Component::disk)
      radii.push_back(std::hypot(position[i].x, position[i].y));
  }
  std::ranges::sort(radii);
  return radii;
}

std::vector<Vec3> after_a_rotation(const Scene& scene) {
  DirectStepper stepper(leapfrog, scene.bodies.position, scene.bodies.velocity, scene.bodies.mass,
                        static_cast<float>(scene.physics.softening));
  constexpr float step = 0.06F;
  stepper.advance(static_cast<int>(disk_rotation_period / step), step);
  return stepper.position();
}

TEST(Spiral, BeginsWithTwoTrailingArmsOfItsPitch) {
  const Scene scene = make_galaxy("spiral", {40'000, 2});
  const Scene plain = make_galaxy("disk", {40'000, 2});
  for (const double r : {1.0, 1.8, 2.6, 3.4}) {
    const auto arms = twofold(scene, scene.bodies.position, r - 0.1, r + 0.1);
    EXPECT_GT(std::abs(arms), 0.2) << r;
    EXPECT_LT(std::abs(twofold(plain, plain.bodies.position, r - 0.1, r + 0.1)), 0.1) << r;
    // A logarithmic spiral of 30 degrees, which falls back as it goes outwards.
    const double crest = -std::log(r) / std::tan(std::numbers::pi / 6.0);
    EXPECT_NEAR(std::arg(arms * std::polar(1.0, -2.0 * crest)), 0.0, 0.3) << r;
  }
}

TEST(Barred, HasABarThatLastsForARotation) {
  const Scene scene = make_galaxy("barred", {2000, 1}), round = make_galaxy("steady-disk", {2000, 1});
  EXPECT_GT(twofold(scene, scene.bodies.position, 0.2, 1.5).real(), 0.2) << "along x";
  EXPECT_GT(std::abs(twofold(scene, after_a_rotation(scene), 0.2, 1.5)), 0.25);
  EXPECT_LT(std::abs(twofold(round, after_a_rotation(round), 0.2, 1.5)), 0.15);
}

TEST(Ring, StaysHollowForARotation) {
  const Scene scene = make_galaxy("ring", {2000, 1}), full = make_galaxy("steady-disk", {2000, 1});
  const auto tenth = [](const std::vector<double>& radii) { return radii[radii.size() / 10]; };
  const auto middle = [](const std::vector<double>& radii) { return radii[radii.size() / 2]; };
  const auto start = disk_radii(scene, scene.bodies.position);
  const auto then = disk_radii(scene, after_a_rotation(scene));
  EXPECT_GT(tenth(start), 1.8);
  EXPECT_NEAR(tenth(then) / tenth(start), 1.0, 0.15);
  EXPECT_NEAR(middle(then) / middle(start), 1.0, 0.1);
  EXPECT_LT(tenth(disk_radii(full, full.bodies.position)), 0.8);
}

// The two galaxies of an encounter: the bodies of the second are the last.
struct Galaxy {
  DVec3 position, velocity, spin;
  double mass = 0.0;
};

Galaxy galaxy_of(const Scene& scene, std::size_t first, std::size_t last) {
  Galaxy result;
  for (std::size_t i = first; i < last; ++i) {
    const double m = scene.bodies.mass[i];
    result.mass += m;
    result.position += m * DVec3(scene.bodies.position[i]);
    result.velocity += m * DVec3(scene.bodies.velocity[i]);
  }
  result.position *= 1.0 / result.mass;
  result.velocity *= 1.0 / result.mass;
  for (std::size_t i = first; i < last; ++i) {
    if (scene.bodies.component[i] != Component::disk) continue;
    result.spin += cross(DVec3(scene.bodies.position[i]) - result.position,
                         DVec3(scene.bodies.velocity[i]) - result.velocity);
  }
  result.spin *= 1.0 / norm(result.spin);
  return result;
}

struct KnownEncounter {
  const char* model;
  double mass_ratio, eccentricity, pericentre, separation;
  DVec3 spin;  // of the first disk
};

class EveryEncounter : public testing::TestWithParam<KnownEncounter> {};

TEST_P(EveryEncounter, IsOnTheOrbitOfItsNote) {
  const KnownEncounter& known = GetParam();
  constexpr std::size_t bodies = 6000;
  const Scene scene = make_galaxy(known.model, {bodies, 1});
  const auto border = static_cast<std::size_t>(std::ceil(bodies / (1.0 + known.mass_ratio)));
  const Galaxy one = galaxy_of(scene, 0, border), two = galaxy_of(scene, border, bodies);
  EXPECT_NEAR(two.mass / one.mass, known.mass_ratio, 1e-3);
  const DVec3 x = two.position - one.position, v = two.velocity - one.velocity;
  const double mass = one.mass + two.mass, moment = norm(cross(x, v));
  EXPECT_NEAR(norm(x), known.separation, 1e-3);
  EXPECT_LT(dot(x, v), 0.0) << "approaching";
  // p = L^2 / G M = q (1 + e); e from the energy and p.
  const double parameter = moment * moment / mass, energy = 0.5 * dot(v, v) - mass / norm(x);
  EXPECT_NEAR(parameter / (1.0 + known.eccentricity), known.pericentre, 0.01);
  EXPECT_NEAR(std::sqrt(1.0 + 2.0 * energy * parameter / mass), known.eccentricity, 0.01);
  EXPECT_GT(dot(one.spin, known.spin), 0.99);
  // Bodies of a component have nearly the same mass in both.
  const auto heaviest = [&](std::size_t from, std::size_t to) {
    return *std::max_element(scene.bodies.mass.begin() + static_cast<std::ptrdiff_t>(from),
                             scene.bodies.mass.begin() + static_cast<std::ptrdiff_t>(to));
  };
  EXPECT_NEAR(heaviest(border, bodies) / heaviest(0, border), 1.0, 0.02);
}

// Spins: z, turned by the inclination about x, then by the node about z.
INSTANTIATE_TEST_SUITE_P(
    Models, EveryEncounter,
    testing::Values(KnownEncounter{"antennae", 1.0, 0.5, 2.5, 7.0, {0.4330, -0.75, 0.5}},
                    KnownEncounter{"m51", 1.0 / 3.0, 0.8, 3.5, 9.0, {-0.2432, 0.9077, 0.3420}},
                    KnownEncounter{"head-on", 0.35, 1.0, 0.02, 8.0, {1.0, 0.0, 0.0}},
                    KnownEncounter{"satellite", 0.1, 0.3, 3.0, 5.5, {0.0, -0.5, 0.8660}}),
    [](const auto& each) {
      std::string name = each.param.model;
      std::erase(name, '-');
      return name;
    });

TEST(HeadOn, FallsAlongTheAxisOfTheDisk) {
  const Scene scene = make_galaxy("head-on", {4000, 1});
  const auto border = static_cast<std::size_t>(std::ceil(4000 / 1.35));
  const Galaxy one = galaxy_of(scene, 0, border), two = galaxy_of(scene, border, 4000);
  const DVec3 v = two.velocity - one.velocity;
  EXPECT_GT(std::abs(dot(one.spin, v)) / norm(v), 0.98);
}

// The share of the first disk's bodies whose distance from the middle of its bulge is between two radii.
double share_between(const Scene& scene, const std::vector<Vec3>& position, std::size_t border, double from,
                     double to) {
  DVec3 middle;
  double bulge = 0.0, inside = 0.0, disk = 0.0;
  for (std::size_t i = 0; i < border; ++i) {
    if (scene.bodies.component[i] == Component::bulge) middle += DVec3(position[i]), bulge += 1.0;
  }
  middle *= 1.0 / bulge;
  for (std::size_t i = 0; i < border; ++i) {
    if (scene.bodies.component[i] != Component::disk) continue;
    const double r = norm(DVec3(position[i]) - middle);
    disk += 1.0;
    if (r > from && r < to) inside += 1.0;
  }
  return inside / disk;
}

TEST(HeadOn, SendsARingOutwards) {
  constexpr std::size_t bodies = 2200;
  const Scene scene = make_galaxy("head-on", {bodies, 1});
  const auto border = static_cast<std::size_t>(std::ceil(bodies / 1.35));
  DirectStepper stepper(leapfrog, scene.bodies.position, scene.bodies.velocity, scene.bodies.mass,
                        static_cast<float>(scene.physics.softening));
  const auto share = [&](double from, double to) {
    return share_between(scene, stepper.position(), border, from, to);
  };
  const double near = share(0.75, 1.5), far = share(1.5, 3.0);
  stepper.advance(160, 0.05F);
  EXPECT_GT(share(0.75, 1.5), 1.25 * near) << "the ring begins inside";
  EXPECT_LT(share(1.5, 3.0), far);
  stepper.advance(60, 0.05F);
  EXPECT_LT(share(0.75, 1.5), 0.8 * near) << "and has left it";
  EXPECT_GT(share(1.5, 3.0), 1.4 * far);
}

}  // namespace
}  // namespace orrery::sim
