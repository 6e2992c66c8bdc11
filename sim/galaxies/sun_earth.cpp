#include <array>

#include "sim/galaxies/model.h"
#include "sim/galaxies/solar_bodies.h"

namespace orrery::sim {

namespace {

Scene make_sun_earth(const ModelRequest& /*request*/) {
  Particles particles;
  particles.add({}, {}, 1.0, Component::star);
  add_from(particles, 0, earth_at_j2000, earth_mass, Component::other);
  auto scene = named_scene(std::move(particles), std::array{sun, earth});
  scene.physics.time_step = 0.01;  // 628 steps a year
  scene.speed = 1.0;               // a year in six seconds
  scene.notes.emplace_back("the Earth on 1 January 2000, 12:00 TDB, from JPL Horizons");
  return scene;
}

}  // namespace

extern const GalaxyModel sun_earth_model;
constinit const GalaxyModel sun_earth_model{
    .name = "sun-earth",
    .meaning = "the Sun and the Earth on 1 January 2000",
    .default_bodies = 2,
    .minimum_bodies = 2,
    .maximum_bodies = 2,
    .make = make_sun_earth,
};

}  // namespace orrery::sim
