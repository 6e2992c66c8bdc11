#include "sim/galaxies/solar_bodies.h"

#include <string>

namespace orrery::sim {

const EphemerisState earth_at_j2000{{-1.771350992727098e-01, 9.672416867665306e-01, -4.085281582511366e-06},
                                    {-1.720762506872895e-02, -3.158782144324866e-03, 1.049888594613343e-07}};
const EphemerisState moon_at_j2000{{-1.949281649686695e-03, -1.838126040073046e-03, 2.424579738820632e-04},
                                   {3.716704773167968e-04, -4.221785765308054e-04, -6.645539463989926e-06}};

void add_from(Particles& particles, std::size_t origin, const EphemerisState& state, double mass,
              Component component) {
  particles.add(particles.position[origin] + state.position,
                particles.velocity[origin] + days_of_time_unit * state.velocity, mass, component);
}

Scene named_scene(Particles particles, std::span<const NamedBody> bodies) {
  center(particles);
  Scene scene;
  scene.bodies = to_bodies(particles);
  for (const NamedBody& body : bodies) {
    scene.names.emplace_back(body.name);
    scene.radii.push_back(body.radius_km / km_of_au);
    scene.bodies.color.push_back(body.color);
  }
  scene.physics.softening = 1e-4;
  scene.units = {.length = meters_of_au, .time = days_of_time_unit * 86400.0, .mass = kilograms_of_sun};
  scene.notes.emplace_back(
      "lengths in AU, masses in solar masses, time in years / 2 pi = 58.13 days, so that G = 1");
  return scene;
}

}  // namespace orrery::sim
