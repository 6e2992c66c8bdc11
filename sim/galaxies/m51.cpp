#include "sim/galaxies/encounter.h"

namespace orrery::sim {

namespace {

// The whirlpool and NGC 5195 as Toomre & Toomre (1972, ApJ 178, 623, section VI) place them: a companion of a
// third of the mass, e = 0.8, the disk inclined by -70 degrees, pericentre 15 degrees before the node.
constexpr Encounter whirlpool{.mass_ratio = 1.0 / 3.0,
                              .pericentre = 3.5,
                              .eccentricity = 0.8,
                              .separation = 9.0,
                              .first = {.inclination = -70.0, .node = 15.0},
                              .second = {.inclination = 30.0, .node = 200.0}};

Scene make_m51(const ModelRequest& request) { return make_encounter(whirlpool, request); }

}  // namespace

extern const GalaxyModel m51_model;
constinit const GalaxyModel m51_model{
    .name = "m51",
    .meaning = "the whirlpool (M51): a companion of a third of the mass passes a disk and draws out two arms",
    .default_bodies = 5120,
    .minimum_bodies = 1024,
    .maximum_bodies = 100'000'000,
    .most_shown = 150'000,
    .make = make_m51,
};

}  // namespace orrery::sim
