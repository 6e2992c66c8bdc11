#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "tests/sim/galaxies/model_testing.h"
#include "tests/sim/physics/direct_forces.h"
#include "tests/sim/physics/physics_assertions.h"

namespace orrery::sim {
namespace {

TEST(TwoBody, IsTheKeplerOrbitOfItsNote) {
  const Diagnostics d = diagnose_scene(make_galaxy("two-body", {}));
  EXPECT_NEAR(d.energy(), -0.125, 1e-6);                                // -G m1 m2 / 2a
  EXPECT_NEAR(d.angular_momentum.z, 0.25 * std::sqrt(1 - 0.25), 1e-6);  // mu sqrt(G M a (1 - e^2))
}

TEST(FigureEight, HasItsKnownEnergyAndMoment) {
  const Scene scene = make_galaxy("figure-eight", {});
  const Diagnostics d = diagnose_scene(scene);
  EXPECT_NEAR(d.energy(), -1.28714199177, 1e-6);
  EXPECT_NEAR(d.potential, -2.5, 1e-6);
  EXPECT_LT(norm(d.angular_momentum), 1e-6);
  double moment = 0.0;
  for (const Vec3& x : scene.bodies.position) moment += dot(DVec3(x), DVec3(x));
  EXPECT_NEAR(moment, 2.0, 1e-6);
}

struct KnownPlanet {
  int body;
  double perihelion, aphelion;  // AU
  double year;                  // Julian years
};

TEST(SolarSystem, PlanetsHaveTheirDistancesAndYears) {
  const Scene scene = make_galaxy("solar-system", {});
  const Bodies& b = scene.bodies;
  for (const KnownPlanet& known :
       {KnownPlanet{1, 0.3075, 0.4667, 0.2408}, KnownPlanet{3, 0.9833, 1.0167, 1.0000},
        KnownPlanet{5, 4.950, 5.456, 11.862}, KnownPlanet{8, 29.81, 30.33, 164.8}}) {
    const DVec3 x = DVec3(b.position[known.body]) - DVec3(b.position[0]);
    const DVec3 v = DVec3(b.velocity[known.body]) - DVec3(b.velocity[0]);
    const double mu = 1.0 + b.mass[known.body];
    const double a = 1.0 / (2.0 / norm(x) - dot(v, v) / mu);
    EXPECT_GT(norm(x), known.perihelion - 0.01 * a);
    EXPECT_LT(norm(x), known.aphelion + 0.01 * a);
    EXPECT_NEAR(std::sqrt(a * a * a / mu) / known.year, 1.0, 3e-3) << known.body;
    EXPECT_GT(cross(x, v).z, 0.0);
  }
}

// On 1 January 2000 the Earth is a day or two before perihelion, at heliocentric longitude 100.4 degrees.
TEST(SolarSystem, EarthIsWhereItWas) {
  const Scene scene = make_galaxy("solar-system", {});
  const Vec3 x = scene.bodies.position[3] - scene.bodies.position[0];
  EXPECT_NEAR(std::atan2(x.y, x.x) * 180.0 / std::numbers::pi, 100.4, 0.1);
  EXPECT_NEAR(norm(x), 0.9833, 1e-3);
  const Vec3 jupiter = scene.bodies.position[5] - scene.bodies.position[0];
  EXPECT_NEAR(norm(jupiter), 4.9653, 5e-3);
}

// Positions from the Sun in AU, by JPL's ephemeris DE421, of Mercury to Pluto (the third is the Earth-Moon
// barycentre) 3652.5 and 18262.5 days after the start.
struct Ephemeris {
  double days;
  std::array<DVec3, 9> position;
};
const std::array<Ephemeris, 2> de421{{
    {3652.5,
     {{
         {0.050905460, 0.302674989, 0.020058289},
         {0.053345681, -0.725167465, -0.013009241},
         {-0.176024400, 0.967448930, -0.000021517},
         {-0.729671278, 1.454285822, 0.048389877},
         {4.509064412, -2.166481501, -0.091909427},
         {-9.464258504, 0.258684990, 0.372210370},
         {20.036619960, -1.532727197, -0.265231665},
         {24.817156616, -16.897581299, -0.223938320},
         {1.627767444, -31.587479738, 2.909967811},
     }}},
    {18262.5,
     {{
         {-0.179514044, 0.267811768, 0.038348317},
         {0.141782224, -0.713384216, -0.018025667},
         {-0.171582963, 0.968268288, -0.000108149},
         {-1.543231692, -0.503589511, 0.027201931},
         {-2.391046340, 4.664074059, 0.033965394},
         {4.766225408, -8.773719941, -0.037876730},
         {-17.823238177, 4.071457383, 0.245850214},
         {17.398227480, 24.197780537, -0.899241694},
         {37.454949305, -15.132888764, -9.214729586},
     }}},
}};

// The bodies of a scene in double precision, without softening, by Forest and Ruth's integrator.
struct Precise {
  std::vector<DVec3> x, v;
  std::vector<double> m;

  explicit Precise(const Bodies& bodies)
      : x(bodies.position.begin(), bodies.position.end()),
        v(bodies.velocity.begin(), bodies.velocity.end()),
        m(bodies.mass.begin(), bodies.mass.end()) {}
  void drift(double dt) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += dt * v[i];
  }
  void kick(double dt) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const DVec3 apart = x[j] - x[i];
        const double factor = dt / (dot(apart, apart) * norm(apart));
        v[i] += factor * m[j] * apart;
        v[j] -= factor * m[i] * apart;
      }
    }
  }
  void step(double dt) {
    const double theta = 1.0 / (2.0 - std::cbrt(2.0));
    for (const double part : {theta, 1.0 - 2.0 * theta, theta}) {
      drift(0.5 * part * dt);
      kick(part * dt);
      drift(0.5 * part * dt);
    }
  }
};

// Single precision of the start is 0.01"; relativity turns Mercury's ellipse by 0.43" a year, the asteroids
// pull at Mars. Mean elements were 9' off at the start and 35' after ten years.
TEST(SolarSystem, PlanetsAreWhereTheEphemerisHasThem) {
  Precise planets(make_galaxy("solar-system", {}).bodies);
  double passed = 0.0;
  for (const auto& known : de421) {
    const int steps = static_cast<int>((known.days - passed) / 0.25);
    for (int k = 0; k < steps; ++k) planets.step(0.25 * 0.01720209895);
    passed = known.days;
    for (std::size_t k = 0; k < known.position.size(); ++k) {
      const DVec3 x = planets.x[k + 1] - planets.x[0];
      const double seconds = norm(x - known.position[k]) / norm(known.position[k]) * 206'264.8;
      EXPECT_LT(seconds, 1.0 + 0.4 * known.days / 365.25) << known.days << " days, planet " << k + 1;
    }
  }
}

// What two bodies would do alone: semi-major axis and period, from their state and G.
struct Kepler {
  double a, period, distance;
};
Kepler kepler_of(const Scene& scene, std::size_t one, std::size_t other) {
  const DVec3 x = DVec3(scene.bodies.position[other]) - DVec3(scene.bodies.position[one]);
  const DVec3 v = DVec3(scene.bodies.velocity[other]) - DVec3(scene.bodies.velocity[one]);
  const double mu = scene.bodies.mass[one] + scene.bodies.mass[other];
  const double a = 1.0 / (2.0 / norm(x) - dot(v, v) / mu);
  return {a, 2.0 * std::numbers::pi * std::sqrt(a * a * a / mu), norm(x)};
}
constexpr double year = 2.0 * std::numbers::pi;  // a Gaussian year is 365.2568983 days
constexpr double day = year / 365.2568983;

/// The scene after a time, by its own steps.
Scene after(Scene scene, double time) {
  DirectStepper stepper(*scene.physics.integrator, scene.bodies.position, scene.bodies.velocity,
                        scene.bodies.mass, static_cast<float>(scene.physics.softening));
  const int steps = static_cast<int>(std::round(time / scene.physics.time_step));
  stepper.advance(steps, static_cast<float>(scene.physics.time_step));
  scene.bodies.position = stepper.position();
  scene.bodies.velocity = stepper.velocity();
  return scene;
}

// The Earth of that moment moves with the Moon too: the month's part of its speed, 12 m/s, changes the year
// of its ellipse by more than a day. Perihelion was on 3 January.
TEST(SunEarth, HasTheYearOfItsState) {
  const Scene scene = make_galaxy("sun-earth", {});
  const Kepler orbit = kepler_of(scene, 0, 1);
  EXPECT_NEAR(orbit.distance, 0.983322, 1e-5);
  EXPECT_NEAR(orbit.period / day, 365.25, 2.0);
  const Scene later = after(scene, orbit.period);
  EXPECT_LT(norm(DVec3(later.bodies.position[1] - scene.bodies.position[1])), 6e-3)
      << "closes its orbit, but for half a step";
  EXPECT_NEAR(norm(DVec3(after(scene, orbit.period / 2).bodies.position[1])), 1.0167, 3e-3) << "aphelion";
  EXPECT_NEAR(diagnose_scene(later).energy() / diagnose_scene(scene).energy(), 1.0, 1e-5);
}

// Seen from Earth the Moon was 402 449 km away; its month is 27.3 days, and it must never get away.
TEST(SunEarthMoon, TheMoonStaysBoundForAYear) {
  Scene scene = make_galaxy("sun-earth-moon", {});
  const Kepler orbit = kepler_of(scene, 1, 2);
  EXPECT_NEAR(orbit.distance * 149'597'870.7, 402'449.0, 10.0);
  EXPECT_NEAR(orbit.period / day, 27.3, 0.7);
  double nearest = orbit.distance, farthest = orbit.distance, turned = 0.0;
  DVec3 before = DVec3(scene.bodies.position[2] - scene.bodies.position[1]);
  const double energy = diagnose_scene(scene).energy();
  const double apart = 5.0 * scene.physics.time_step;
  const int looks = static_cast<int>(std::ceil(365.0 * day / apart));
  for (int look = 0; look < looks; ++look) {
    scene = after(scene, apart);
    const DVec3 now = DVec3(scene.bodies.position[2] - scene.bodies.position[1]);
    turned += std::acos(dot(before, now) / norm(before) / norm(now));
    nearest = std::min(nearest, norm(now)), farthest = std::max(farthest, norm(now));
    before = now;
  }
  EXPECT_NEAR(turned / year, 365.0 / 27.3217, 0.1) << "sidereal months in a year";
  EXPECT_GT(nearest * 149'597'870.7, 350'000.0);
  EXPECT_LT(farthest * 149'597'870.7, 410'000.0);
  EXPECT_NEAR(diagnose_scene(scene).energy() / energy, 1.0, 1e-5);
}

// Published: a period of 79.762 years, between 11.2 and 35.4 AU.
TEST(DoubleStar, IsThePublishedOrbit) {
  const Scene scene = make_galaxy("double-star", {});
  const Kepler orbit = kepler_of(scene, 0, 1);
  EXPECT_NEAR(orbit.period / year, 79.762, 0.1);
  EXPECT_NEAR(orbit.distance, 35.40, 0.02);
  const auto apart = [](const Scene& each) {
    return norm(DVec3(each.bodies.position[1] - each.bodies.position[0]));
  };
  EXPECT_NEAR(apart(after(scene, orbit.period / 2)), 11.20, 0.02);
  const Scene later = after(scene, orbit.period);
  EXPECT_NEAR(apart(later), 35.40, 0.02);
  EXPECT_NEAR(diagnose_scene(later).energy() / diagnose_scene(scene).energy(), 1.0, 1e-5);
}

// Energy -769/60, no angular momentum. Szebehely & Peters 1967: the first close encounter is that of masses 4
// and 5 (1e-2 apart) at t = 1.879.
TEST(Pythagorean, MeetsAsPublished) {
  Scene scene = make_galaxy("pythagorean", {});
  const Diagnostics d = diagnose_scene(scene);
  EXPECT_NEAR(d.energy(), -769.0 / 60.0, 1e-4);
  EXPECT_LT(norm(d.angular_momentum), 1e-6);
  scene = after(scene, 1.8);
  double nearest = 10.0, when = 0.0;
  for (int look = 0; look < 200; ++look, scene = after(scene, 1e-3)) {
    const double distance = norm(DVec3(scene.bodies.position[1] - scene.bodies.position[2]));
    if (distance < nearest) nearest = distance, when = 1.8 + 1e-3 * look;
  }
  EXPECT_NEAR(when, 1.879, 2e-3);
  EXPECT_LT(nearest, 0.02);
  // Where long double and steps that adapt find them, unsoftened.
  const Scene later = after(scene, 8.0);
  EXPECT_LT(lab::pythagorean_error(later.bodies.position), 0.15);
  EXPECT_NEAR(diagnose_scene(later).energy() / d.energy(), 1.0, 2e-2);
}

}  // namespace
}  // namespace orrery::sim
