#include "sim/galaxies/model.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "sim/core/error.h"
#include "sim/galaxies/encounter.h"
#include "sim/galaxies/spheroid.h"
#include "tests/sim/galaxies/model_testing.h"
#include "tests/sim/physics/direct_forces.h"
#include "tests/sim/physics/physics_assertions.h"

namespace orrery::sim {
namespace {

bool same_bits(const Bodies& a, const Bodies& b) {
  return a.position == b.position && a.velocity == b.velocity && a.mass == b.mass && a.charge == b.charge &&
         a.id == b.id && a.component == b.component && a.galaxy == b.galaxy;
}

class EveryModel : public testing::TestWithParam<std::string> {};

TEST_P(EveryModel, IsCentredCompleteAndFinite) {
  const GalaxyModel& model = *find_galaxy_model(GetParam());
  const Scene scene = make_galaxy(GetParam(), {});
  EXPECT_EQ(scene.bodies.size(), model.default_bodies);
  const Diagnostics d = diagnose_scene(scene);
  const double speed = std::sqrt(2.0 * d.kinetic / d.mass);
  EXPECT_LT(norm(d.center_of_mass), 1e-6 * d.r90);
  EXPECT_LE(norm(d.momentum), 1e-6 * d.mass * speed);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    ASSERT_TRUE(is_finite(scene.bodies.position[i]) && is_finite(scene.bodies.velocity[i]));
    ASSERT_GT(scene.bodies.mass[i], 0.0F);
    ASSERT_EQ(scene.bodies.id[i], i);
  }
  EXPECT_GT(scene.physics.softening, 0.0);
  EXPECT_GT(scene.physics.time_step, 0.0);
  EXPECT_GT(scene.speed, 0.0);
  EXPECT_EQ(scene.title, GetParam());
  EXPECT_FALSE(scene.source.empty());
  EXPECT_FALSE(scene.notes.empty());
  EXPECT_TRUE(d.energy() < 0.0 || scene.physics.law != &gravity_law);
}

TEST_P(EveryModel, IsReproducible) {
  const GalaxyModel& model = *find_galaxy_model(GetParam());
  const auto bodies = std::clamp<std::size_t>(1000, model.minimum_bodies, model.maximum_bodies);
  const Scene one = make_galaxy(GetParam(), {bodies, 11});
  EXPECT_TRUE(same_bits(one.bodies, make_galaxy(GetParam(), {bodies, 11}).bodies));
  const bool seeded = model.minimum_bodies != model.maximum_bodies;
  EXPECT_EQ(seeded, !same_bits(one.bodies, make_galaxy(GetParam(), {bodies, 12}).bodies));
}

// Compilers disagree on which operand of a product they evaluate first, and so on which of two numbers is
// drawn first.
TEST(Models, HaveTheBodiesOfTheirSeedWithEveryCompiler) {
  const std::map<std::string, double> expected{{"plummer", 1852.8646},        {"charges", 1280.2345},
                                               {"king", 3682.1698},           {"disk", 3756.0442},
                                               {"uniform-sphere", 1483.5937}, {"expanding-cloud", 1656.3607},
                                               {"shell", 3833.4478},          {"square", 498.3317}};
  for (const auto& [name, value] : expected) {
    const Bodies bodies = make_galaxy(name, {1000, 11}).bodies;
    double sum = 0.0;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      sum +=
          static_cast<double>(1 + i % 3) * (std::abs(bodies.position[i].x) + std::abs(bodies.velocity[i].y));
    EXPECT_NEAR(sum, value, 1e-5 * value) << name;
  }
}

TEST_P(EveryModel, ChecksTheNumberOfBodies) {
  const GalaxyModel& model = *find_galaxy_model(GetParam());
  EXPECT_THROW(make_galaxy(GetParam(), {model.minimum_bodies - 1}), UsageError);
  EXPECT_THROW(make_galaxy(GetParam(), {model.maximum_bodies + 1}), UsageError);
  EXPECT_EQ(make_galaxy(GetParam(), {model.minimum_bodies}).bodies.size(), model.minimum_bodies);
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const GalaxyModel* model : galaxy_models()) names.emplace_back(model->name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(all_names()), [](const auto& each) {
  std::string name = each.param;
  std::erase(name, '-');
  return name;
});

// A uniform square of side 1 has variances 1/12, a uniform disk of that width 1/16.
TEST(Square, IsUniformFlatAndAtRest) {
  const Scene scene = make_galaxy("square", {.bodies = 40'000, .seed = 3});
  double xx = 0.0;
  double yy = 0.0;
  double mass = 0.0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Vec3 x = scene.bodies.position[i];
    xx += double{x.x} * x.x / 40'000.0;
    yy += double{x.y} * x.y / 40'000.0;
    mass += scene.bodies.mass[i];
    ASSERT_EQ(x.z, 0.0F);
    ASSERT_LT(std::max(std::abs(x.x), std::abs(x.y)), 0.52F);
    ASSERT_EQ(scene.bodies.velocity[i], Vec3{});
  }
  EXPECT_NEAR(xx, 1.0 / 12.0, 1e-3);
  EXPECT_NEAR(yy, 1.0 / 12.0, 1e-3);
  EXPECT_NEAR(mass, 1.0, 1e-4);
  EXPECT_EQ(scene.physics.dimensions, 2);
}

TEST(Catalogue, DiskIsFirstAndUnknownNamesAreExplained) {
  EXPECT_EQ(galaxy_models().size(), 35U);
  EXPECT_EQ(galaxy_models().front()->name, "disk");
  EXPECT_EQ(find_galaxy_model("tokamak"), nullptr);
  try {
    make_galaxy("tokamak", {});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("plummer"), std::string::npos);
  }
}

TEST(Catalogue, MakesIndependentGalaxies) {
  const Scene scene = make_galaxies("plummer", {200, 5}, 3);
  EXPECT_EQ(scene.bodies.galaxies(), (std::vector<GalaxyRange>{{0, 200}, {200, 400}, {400, 600}}));
  EXPECT_EQ(std::set<std::uint64_t>(scene.bodies.id.begin(), scene.bodies.id.end()).size(), 600U);
  const Scene second = make_galaxy("plummer", {200, 6});
  for (std::size_t i = 0; i < 200; ++i) ASSERT_EQ(scene.bodies.position[200 + i], second.bodies.position[i]);
  EXPECT_THROW(make_galaxies("plummer", {200, 5}, 0), UsageError);
  EXPECT_EQ(make_galaxies("two-body", {}, 2).bodies.size(), 4U);
}

TEST(Plummer, HasTheValuesOfStandardUnits) {
  const Scene scene = make_galaxy("plummer", {16384, 2});
  EXPECT_TRUE(checks::is_plummer_in_standard_units(diagnose_scene(scene)));
  EXPECT_EQ(scene.bodies.component_counts()[static_cast<std::size_t>(Component::star)], 16384U);
}

// The smallest that has an energy of its own.
TEST(Plummer, TwoBodiesAreInVirialEquilibrium) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Diagnostics d = diagnose_scene(make_galaxy("plummer", {2, seed}));
    EXPECT_NEAR(d.kinetic, 0.25, 1e-5) << seed;
    EXPECT_NEAR(d.potential, -0.5, 2e-3) << seed;
  }
  EXPECT_THROW(make_galaxy("plummer", {1}), UsageError);
}

TEST(Plummer, AMisScaledOneIsCaught) {
  const Scene right = make_galaxy("plummer", {16384, 2});
  Scene large = right, fast = right, heavy = right;
  for (Vec3& x : large.bodies.position) x *= 1.02F;
  for (Vec3& v : fast.bodies.velocity) v *= 1.01F;
  for (float& m : heavy.bodies.mass) m *= 1.01F;
  for (const Scene* wrong : {&large, &fast, &heavy}) {
    EXPECT_FALSE(checks::is_plummer_in_standard_units(diagnose_scene(*wrong)));
  }
}

TEST(Plummer, VelocityDispersionFollowsTheIsotropicModel) {
  const Scene scene = make_galaxy("plummer", {20000, 3});
  const double a = 3.0 * std::numbers::pi / 16.0;
  double radial = 0, transverse = 0, expected = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const DVec3 x(scene.bodies.position[i]), v(scene.bodies.velocity[i]);
    const double vr = dot(x, v) / norm(x);
    radial += vr * vr;
    transverse += 0.5 * (dot(v, v) - vr * vr);
    expected += 1.0 / (6.0 * std::sqrt(dot(x, x) + a * a));
  }
  EXPECT_NEAR(radial / expected, 1.0, 0.03);
  EXPECT_NEAR(transverse / radial, 1.0, 0.03);
}

TEST(Disk, IsInVirialEquilibriumWithItsSoftenedForces) {
  for (const char* model : {"disk", "steady-disk"}) {
    for (const std::size_t bodies : {1500, 4096}) {
      auto scene = make_galaxy(model, {bodies, 1});
      EXPECT_NEAR(checks::clausius_ratio(scene.bodies, scene.physics), 0.5, 0.025) << model << bodies;
      for (Vec3& v : scene.bodies.velocity) v *= 0.9F;
      EXPECT_GT(std::abs(checks::clausius_ratio(scene.bodies, scene.physics) - 0.5), 0.05)
          << "a slow disk must be caught";
    }
  }
}

// Sigma ~ exp(-R) up to the taper; then it falls to 0 without a rim: in no ring by more than half of the
// middle's exponential.
TEST(Disk, FadesOutAtItsEdge) {
  const Scene scene = make_galaxy("disk", {200'000, 1});
  constexpr double width = 0.25;
  std::array<double, 32> density{};
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (scene.bodies.component[i] != Component::disk) continue;
    const Vec3& x = scene.bodies.position[i];
    const double r = std::hypot(x.x, x.y);
    const auto ring = static_cast<std::size_t>(r / width);
    if (ring < density.size()) density.at(ring) += 1.0 / (static_cast<double>(ring) + 0.5);
  }
  const auto relative = [&](std::size_t ring) {
    return density.at(ring) / density.at(4) * std::exp((static_cast<double>(ring) - 4.0) * width);
  };
  for (std::size_t ring = 2; ring < 14; ++ring) EXPECT_NEAR(relative(ring), 1.0, 0.06) << ring;
  for (std::size_t ring = 14; ring < 26; ++ring) {
    EXPECT_LE(relative(ring), relative(ring - 1) + 0.06) << ring;
    EXPECT_GT(relative(ring), relative(ring - 1) - 0.2) << "a rim at ring " << ring;
  }
  EXPECT_LT(relative(25), 0.05);
  EXPECT_EQ(density.at(26), 0.0);
}

// The density of the disk in sectors of a ring, over the mean, less 1.
std::array<double, 12> sectors_of(const Scene& scene) {
  std::array<double, 12> density{};
  double all = 0.0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Vec3& x = scene.bodies.position[i];
    const double r = std::hypot(x.x, x.y);
    if (scene.bodies.component[i] != Component::disk || r < 1.75 || r > 2.25) continue;
    const double turn = std::atan2(x.y, x.x) / (2.0 * std::numbers::pi) + 0.5;
    density.at(std::min<std::size_t>(static_cast<std::size_t>(12.0 * turn), 11)) += 1.0;
    all += 1.0;
  }
  for (double& each : density) each = 12.0 * each / all - 1.0;
  return density;
}

double product(const std::array<double, 12>& a, const std::array<double, 12>& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a.at(k) * b.at(k) / 12.0;
  return sum;
}

// The noise from which arms grow would fall with the number of bodies: 2.4 % in these sectors.
TEST(Disk, BeginsWithTheSameNoiseForAnyLargeNumberOfBodies) {
  const auto some = sectors_of(make_galaxy("disk", {100'000, 5}));
  const auto more = sectors_of(make_galaxy("disk", {300'000, 5}));
  const auto even = sectors_of(make_galaxy("steady-disk", {300'000, 5}));
  EXPECT_GT(std::sqrt(product(more, more)), 0.04);
  EXPECT_LT(std::sqrt(product(more, more)), 0.15);
  EXPECT_LT(std::sqrt(product(even, even)), 0.04);
  EXPECT_GT(product(some, more) / std::sqrt(product(some, some) * product(more, more)), 0.8);
}

// Q = sigma_R kappa / (3.36 Sigma) from the bodies: dispersion and density of a ring, kappa of the forces.
double measured_q(const Scene& scene, double radius) {
  double sum = 0.0, square = 0.0, count = 0.0, mass = 0.0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (scene.bodies.component[i] != Component::disk) continue;
    const DVec3 x(scene.bodies.position[i]), v(scene.bodies.velocity[i]);
    const double r = std::hypot(x.x, x.y);
    if (std::abs(r - radius) > 0.15) continue;
    const double radial = (x.x * v.x + x.y * v.y) / r;
    sum += radial, square += radial * radial, count += 1.0, mass += scene.bodies.mass[i];
  }
  const double dispersion = std::sqrt(square / count - sum * sum / count / count);
  const auto circular_squared = [&](double r) {
    double mean = 0.0;
    for (int k = 0; k < 16; ++k) {
      const double angle = k * std::numbers::pi / 8.0;
      const DVec3 out{std::cos(angle), std::sin(angle), 0.0};
      DVec3 a;
      for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const DVec3 d = DVec3(scene.bodies.position[i]) - r * out;
        const double squared = dot(d, d) + scene.physics.softening * scene.physics.softening;
        a += scene.bodies.mass[i] / (squared * std::sqrt(squared)) * d;
      }
      mean -= dot(a, out) / 16.0;
    }
    return r * mean;
  };
  const double slope = (circular_squared(radius + 0.3) - circular_squared(radius - 0.3)) / 0.6;
  const double kappa = std::sqrt(2.0 * circular_squared(radius) / radius / radius + slope / radius);
  return dispersion * kappa / (3.36 * mass / (2.0 * std::numbers::pi * radius * 0.3));
}

TEST(Disk, HasTheToomreQOfItsNote) {
  EXPECT_NEAR(measured_q(make_galaxy("disk", {20'000, 2}), 2.0), 1.1, 0.12);
  EXPECT_NEAR(measured_q(make_galaxy("steady-disk", {20'000, 2}), 2.0), 1.5, 0.15);
}

TEST(Disk, HasItsComponentsAndSpins) {
  const Scene scene = make_galaxy("disk", {});
  const auto counts = scene.bodies.component_counts();
  for (const Component each : {Component::disk, Component::bulge, Component::halo}) {
    EXPECT_GT(counts[static_cast<std::size_t>(each)], 350U);
  }
  const Diagnostics d = diagnose_scene(scene);
  EXPECT_GT(d.angular_momentum.z, 5.0 * std::hypot(d.angular_momentum.x, d.angular_momentum.y));
  std::set<std::pair<Component, float>> masses;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    masses.emplace(scene.bodies.component[i], scene.bodies.mass[i]);
  }
  EXPECT_EQ(masses.size(), 3U) << "bodies of a component have equal masses";
}

// f(E) of the full Hernquist model is known in closed form (Hernquist 1990, eq. 17), unsoftened.
TEST(Spheroid, EddingtonGivesTheHernquistDistribution) {
  const Spheroid sphere{1.0, 1.0, 2000.0, 0.0, Component::halo};
  const Table mass = enclosed_mass(sphere, sphere.mass, logarithmic_grid(1e-4, 2000.0, 1200));
  EXPECT_NEAR(mass(1.0), 0.25, 0.002);
  const Table psi = softened_potential(mass, 0.0);
  EXPECT_NEAR(psi(1.0), 0.5, 0.004);
  const Table f = eddington(sphere, psi);
  const auto known = [](double energy) {
    const double q2 = energy, q = std::sqrt(q2), root = std::sqrt(1.0 - q2);
    return (3.0 * std::asin(q) + q * root * (1.0 - 2.0 * q2) * (8.0 * q2 * q2 - 8.0 * q2 - 3.0)) /
           std::pow(1.0 - q2, 2.5);
  };
  for (const double energy : {0.1, 0.2, 0.4, 0.6, 0.7}) {
    EXPECT_NEAR(f(energy) / f(0.3), known(energy) / known(0.3), 0.03 * known(energy) / known(0.3)) << energy;
  }
}

TEST(Spheroid, ASoftenedShellAttractsAsItsPoints) {
  // All the mass in a thin shell of radius 1: psi outside is the softened mean over the shell.
  Table mass{{0.999, 1.001, 5.0}, {0.0, 1.0, 1.0}};
  const Table psi = softened_potential(mass, 0.3);
  double mean = 0.0;
  for (int k = 0; k < 2000; ++k) {
    const double c = -1.0 + (2.0 * k + 1.0) / 2000.0;
    const double near = 1.0 / std::sqrt(1.001 * 1.001 + 1.0 - 2.0 * 1.001 * c + 0.09);
    const double far = 1.0 / std::sqrt(26.0 - 10.0 * c + 0.09);
    mean += (near - far) / 2000.0;
  }
  EXPECT_NEAR(psi(1.001), mean, 1e-4);
}

TEST(Collision, IsOnAParabolicOrbit) {
  const Scene scene = make_galaxy("collision", {4000, 3});
  EXPECT_EQ(scene.bodies.galaxies().size(), 1U);
  struct Half {
    DVec3 x, v, spin;
    double mass = 0;
  } halves[2];
  const auto whole = [&](std::size_t i) -> Half& { return halves[i / 2000]; };
  for (std::size_t i = 0; i < 4000; ++i) {
    const double m = scene.bodies.mass[i];
    whole(i).x += m * DVec3(scene.bodies.position[i]), whole(i).v += m * DVec3(scene.bodies.velocity[i]);
    whole(i).mass += m;
  }
  const DVec3 x = halves[1].x * (1 / halves[1].mass) - halves[0].x * (1 / halves[0].mass);
  const DVec3 v = halves[1].v * (1 / halves[1].mass) - halves[0].v * (1 / halves[0].mass);
  const double total = halves[0].mass + halves[1].mass;
  EXPECT_NEAR(norm(x), 10.0, 1e-4);
  EXPECT_NEAR(0.5 * dot(v, v) - total / norm(x), 0.0, 1e-5);
  EXPECT_NEAR(dot(cross(x, v), cross(x, v)) / (2.0 * total), 2.5, 1e-4);  // L^2 / (2 G M) = pericentre
  EXPECT_LT(dot(x, v), 0.0) << "approaching";
}

TEST(Collision, HasTwoDifferentDisksAtTheirInclinations) {
  const Scene scene = make_galaxy("collision", {4000, 3});
  const auto spin = [&](std::size_t first) {
    DVec3 x, v, sum;
    double mass = 0;
    for (std::size_t i = first; i < first + 2000; ++i) {
      if (scene.bodies.component[i] != Component::disk) continue;
      mass += scene.bodies.mass[i];
      x += static_cast<double>(scene.bodies.mass[i]) * DVec3(scene.bodies.position[i]);
      v += static_cast<double>(scene.bodies.mass[i]) * DVec3(scene.bodies.velocity[i]);
    }
    x *= 1 / mass, v *= 1 / mass;
    for (std::size_t i = first; i < first + 2000; ++i) {
      if (scene.bodies.component[i] != Component::disk) continue;
      sum += cross(DVec3(scene.bodies.position[i]) - x, DVec3(scene.bodies.velocity[i]) - v);
    }
    return std::acos(sum.z / norm(sum)) * 180.0 / std::numbers::pi;
  };
  EXPECT_NEAR(spin(0), 25.0, 2.0);
  EXPECT_NEAR(spin(2000), 40.0, 2.0);
}

// e = 0.6, pericentre 2: a = 5 and period 2 pi sqrt(125 / 6); from r = 7 by Kepler's equation.
TEST(Encounter, KeplersEquationGivesTheTimeToPericentre) {
  const Encounter ellipse{.pericentre = 2.0, .eccentricity = 0.6, .separation = 7.0};
  const double anomaly = std::acos((1.0 - 7.0 / 5.0) / 0.6);
  EXPECT_NEAR(ellipse.time_to_pericentre(6.0), (anomaly - 0.6 * std::sin(anomaly)) * std::sqrt(125.0 / 6.0),
              1e-4);
  // Barker's equation on a parabola.
  const Encounter parabola{.pericentre = 2.5, .separation = 10.0};
  const double d = std::sqrt(10.0 / 2.5 - 1.0);
  EXPECT_NEAR(parabola.time_to_pericentre(6.0),
              std::sqrt(2.0 * 2.5 * 2.5 * 2.5 / 6.0) * (d + d * d * d / 3.0), 1e-4);
}

// Bodies of the disks that are thrown out beyond 12 scale lengths, where none was at the start, within the
// simulated time of 20 seconds at the scene's speed.
TEST(Collision, ThrowsOutTailsWithinThirtySeconds) {
  Scene scene = make_galaxy("collision", {2048, 1});
  DirectStepper stepper(*scene.physics.integrator, scene.bodies.position, scene.bodies.velocity,
                        scene.bodies.mass, static_cast<float>(scene.physics.softening));
  const auto far = [&](const std::vector<Vec3>& position) {
    double out = 0.0, disk = 0.0;
    for (std::size_t i = 0; i < position.size(); ++i) {
      if (scene.bodies.component[i] != Component::disk) continue;
      disk += 1.0;
      if (norm(DVec3(position[i])) > 12.0) out += 1.0;
    }
    return out / disk;
  };
  EXPECT_EQ(far(scene.bodies.position), 0.0);
  const double time = 20.0 * scene.speed;
  stepper.advance(static_cast<int>(time / 0.04), 0.04F);
  EXPECT_GT(far(stepper.position()), 0.08);
}

TEST(Names, BelongToTheBodies) {
  const Scene scene = make_galaxy("sun-earth-moon", {});
  EXPECT_EQ(scene.names, (std::vector<std::string>{"Sun", "Earth", "Moon"}));
  ASSERT_EQ(scene.radii.size(), 3U);
  EXPECT_NEAR(scene.radii[0] / scene.radii[1], 109.2, 0.1);
  for (const GalaxyModel* model : galaxy_models()) {
    const Scene each = make_galaxy(model->name, {model->minimum_bodies});
    EXPECT_TRUE(each.names.empty() || each.names.size() == each.bodies.size()) << model->name;
    EXPECT_EQ(each.names.size(), each.radii.size()) << model->name;
  }
  const Scene two = make_galaxies("sun-earth", {}, 2);
  EXPECT_EQ(two.names, (std::vector<std::string>{"Sun", "Earth", "Sun", "Earth"}));
  EXPECT_EQ(two.radii.size(), 4U);
}

/// Sanitizers reserve more than there is.
TEST(Models, SayThatMemoryDoesNotSuffice) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP();
#endif
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  rlimit small = before;
  small.rlim_cur = 1'000'000'000;
  for (const char* model : {"plummer", "disk", "cold-sphere"}) {
    ASSERT_EQ(::setrlimit(RLIMIT_AS, &small), 0);
    std::string problem;
    try {
      make_galaxy(model, {.bodies = 100'000'000});
    } catch (const Error& error) {
      problem = error.what();
    }
    ::setrlimit(RLIMIT_AS, &before);
    EXPECT_NE(problem.find("memory to make 100000000 bodies"), std::string::npos) << model << ": " << problem;
    EXPECT_NE(problem.find("fewer"), std::string::npos);
    EXPECT_LT(problem.size(), 250U);
  }
}

}  // namespace
}  // namespace orrery::sim
