#include <array>
#include <cmath>
#include <numbers>

#include "sim/galaxies/model.h"
#include "sim/galaxies/solar_bodies.h"

namespace orrery::sim {

namespace {

// Alpha Centauri: orbit, parallax, masses and radii from Akeson et al. 2021 (Astron. J. 162, 14).
constexpr double a = 17.4930 / 0.75081;  // AU: arc seconds, and the parallax in arc seconds
constexpr double e = 0.51947;
constexpr double mass_a = 1.0788, mass_b = 0.9092;
constexpr NamedBody alpha_centauri_a{"Alpha Centauri A", 1.2175 * sun_radius_km, 0xfff3dc};
constexpr NamedBody alpha_centauri_b{"Alpha Centauri B", 0.8591 * sun_radius_km, 0xffd7a4};

// In the plane of the orbit, from apocentre.
Scene make_double_star(const ModelRequest& /*request*/) {
  constexpr double mass = mass_a + mass_b;
  const double speed = std::sqrt(mass / a * (1.0 - e) / (1.0 + e));
  Particles particles;
  particles.add({}, {}, mass_a, Component::star);
  particles.add({a * (1.0 + e), 0.0, 0.0}, {0.0, speed, 0.0}, mass_b, Component::star);
  auto scene = named_scene(std::move(particles), std::array{alpha_centauri_a, alpha_centauri_b});
  const double period = 2.0 * std::numbers::pi * std::sqrt(a * a * a / mass);
  scene.period = period;
  scene.physics.time_step = period / 2000.0;
  scene.speed = period / 10.0;
  scene.notes.emplace_back("Alpha Centauri A and B (Akeson et al. 2021), period 79.8 years, from apocentre");
  return scene;
}

}  // namespace

extern const GalaxyModel double_star_model;
constinit const GalaxyModel double_star_model{
    .name = "double-star",
    .meaning = "the two bright stars of Alpha Centauri around their centre of mass",
    .default_bodies = 2,
    .minimum_bodies = 2,
    .maximum_bodies = 2,
    .make = make_double_star,
};

}  // namespace orrery::sim
