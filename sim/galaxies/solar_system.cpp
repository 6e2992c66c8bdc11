#include <array>
#include <cmath>
#include <numbers>

#include "sim/galaxies/model.h"
#include "sim/galaxies/solar_bodies.h"

namespace orrery::sim {

namespace {

constexpr double radians(double degrees) { return degrees * std::numbers::pi / 180.0; }

// Mean Keplerian elements at J2000, ecliptic and equinox of J2000, in AU and degrees.
struct Planet {
  double sun_to_planet;  // mass ratio
  double a, e, inclination, mean_longitude, perihelion_longitude, node;
};

// Elements: E. M. Standish, "Keplerian Elements for Approximate Positions of the Major Planets" (JPL Solar
// System Dynamics), the table for 1800-2050. Mass ratios: IAU 2009 system of constants (Luzum et al. 2011).
// The third is the Earth-Moon barycentre with the mass of both.
constexpr std::array<Planet, 9> planets{{
    {6'023'600.0, 0.38709927, 0.20563593, 7.00497902, 252.25032350, 77.45779628, 48.33076593},
    {408'523.719, 0.72333566, 0.00677672, 3.39467605, 181.97909950, 131.60246718, 76.67984255},
    {328'900.56, 1.00000261, 0.01671123, -0.00001531, 100.46457166, 102.93768193, 0.0},
    {3'098'703.59, 1.52371034, 0.09339410, 1.84969142, -4.55343205, -23.94362959, 49.55953891},
    {1'047.348644, 5.20288700, 0.04838624, 1.30439695, 34.39644051, 14.72847983, 100.47390909},
    {3'497.9018, 9.53667594, 0.05386179, 2.48599187, 49.95424423, 92.59887831, 113.66242448},
    {22'902.98, 19.18916464, 0.04725744, 0.77263783, 313.23810451, 170.95427630, 74.01692503},
    {19'412.26, 30.06992276, 0.00859048, 1.77004347, -55.12002969, 44.96476227, 131.78422574},
    {136'566'000.0, 39.48211675, 0.24882730, 17.14001206, 238.92903833, 224.06891629, 110.30393684},
}};

// Kepler's equation M = E - e sin E, by Newton's iteration.
double eccentric_anomaly(double mean_anomaly, double e) {
  double anomaly = mean_anomaly + e * std::sin(mean_anomaly);
  for (int k = 0; k < 20; ++k) {
    anomaly -= (anomaly - e * std::sin(anomaly) - mean_anomaly) / (1.0 - e * std::cos(anomaly));
  }
  return anomaly;
}

// Heliocentric state from the elements (Murray & Dermott 1999, section 2.8), with mu = 1 + 1/ratio.
void add_planet(Particles& particles, const Planet& planet) {
  const double mass = 1.0 / planet.sun_to_planet;
  const double e = planet.e;
  const double anomaly = eccentric_anomaly(radians(planet.mean_longitude - planet.perihelion_longitude), e);
  const double c = std::cos(anomaly), s = std::sin(anomaly), root = std::sqrt(1.0 - e * e);
  const double speed = std::sqrt((1.0 + mass) / planet.a) / (1.0 - e * c);
  Particles one;
  one.add({planet.a * (c - e), planet.a * root * s, 0.0}, {-speed * s, speed * root * c, 0.0}, mass,
          Component::other);
  one.turn(0.0, radians(planet.perihelion_longitude - planet.node));
  one.turn(radians(planet.inclination), radians(planet.node));
  particles.append(one);
}

Scene make_solar_system(const ModelRequest& /*request*/) {
  Particles particles;
  particles.add({}, {}, 1.0, Component::star);
  for (const Planet& planet : planets) add_planet(particles, planet);
  auto scene = named_scene(std::move(particles), std::array{sun, mercury, venus, earth, mars, jupiter, saturn,
                                                            uranus, neptune, pluto});
  scene.physics.time_step = 0.005;  // 300 steps for an orbit of Mercury
  scene.speed = 1.0;                // a year in six seconds
  scene.notes.emplace_back("Sun, Mercury to Neptune and Pluto at J2000 from Standish's approximate elements");
  return scene;
}

}  // namespace

extern const GalaxyModel solar_system_model;
constinit const GalaxyModel solar_system_model{
    .name = "solar-system",
    .meaning = "the Sun, the eight planets and Pluto on 1 January 2000",
    .default_bodies = 10,
    .minimum_bodies = 10,
    .maximum_bodies = 10,
    .make = make_solar_system,
};

}  // namespace orrery::sim
