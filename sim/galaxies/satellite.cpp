#include "sim/galaxies/encounter.h"

namespace orrery::sim {

namespace {

// A tenth of the mass on a narrow ellipse in the halo: dynamical friction (Chandrasekhar 1943, ApJ 97, 255)
// takes it down, tides take it apart.
constexpr Encounter infall{.mass_ratio = 0.1,
                           .pericentre = 3.0,
                           .eccentricity = 0.3,
                           .separation = 5.5,
                           .first = {.inclination = 30.0, .node = 0.0},
                           .second = {.inclination = 70.0, .node = 90.0}};

Scene make_satellite(const ModelRequest& request) { return make_encounter(infall, request); }

}  // namespace

extern const GalaxyModel satellite_model;
constinit const GalaxyModel satellite_model{
    .name = "satellite",
    .meaning = "a dwarf galaxy sinks into a large one and is torn apart",
    .default_bodies = 5632,
    .minimum_bodies = 2816,
    .maximum_bodies = 100'000'000,
    .most_shown = 150'000,
    .make = make_satellite,
};

}  // namespace orrery::sim
