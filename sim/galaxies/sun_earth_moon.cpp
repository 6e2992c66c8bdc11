#include <array>

#include "sim/galaxies/model.h"
#include "sim/galaxies/solar_bodies.h"

namespace orrery::sim {

namespace {

Scene make_sun_earth_moon(const ModelRequest& /*request*/) {
  Particles particles;
  particles.add({}, {}, 1.0, Component::star);
  add_from(particles, 0, earth_at_j2000, earth_mass, Component::other);
  add_from(particles, 1, moon_at_j2000, moon_mass, Component::other);
  auto scene = named_scene(std::move(particles), std::array{sun, earth, moon});
  scene.physics.softening = 1e-6;   // 150 km: the Moon is 400 000 km away
  scene.physics.time_step = 0.002;  // 235 steps a month
  scene.speed = 0.5;                // a month in a second
  scene.notes.emplace_back("Earth and Moon on 1 January 2000, 12:00 TDB, from JPL Horizons");
  return scene;
}

}  // namespace

extern const GalaxyModel sun_earth_moon_model;
constinit const GalaxyModel sun_earth_moon_model{
    .name = "sun-earth-moon",
    .meaning = "the Sun, the Earth and the Moon on 1 January 2000",
    .default_bodies = 3,
    .minimum_bodies = 3,
    .maximum_bodies = 3,
    .make = make_sun_earth_moon,
};

}  // namespace orrery::sim
