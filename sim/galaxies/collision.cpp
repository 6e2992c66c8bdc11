#include "sim/galaxies/encounter.h"

namespace orrery::sim {

namespace {

// Both disks turn as they pass each other, so that each throws out a long tail, as those of the Antennae
// (NGC 4038/39; Toomre & Toomre 1972, section VI).
constexpr Encounter antennae{.pericentre = 2.5,
                             .eccentricity = 1.0,
                             .separation = 10.0,
                             .first = {.inclination = 25.0, .node = 30.0},
                             .second = {.inclination = 40.0, .node = 210.0}};

Scene make_collision(const ModelRequest& request) { return make_encounter(antennae, request); }

}  // namespace

extern const GalaxyModel collision_model;
constinit const GalaxyModel collision_model{
    .name = "collision",
    .meaning = "two disk galaxies that meet on a parabola and throw out long tidal tails, as the Antennae",
    .default_bodies = 5120,
    .minimum_bodies = 512,
    .maximum_bodies = 100'000'000,
    .most_shown = 150'000,
    .make = make_collision,
};

}  // namespace orrery::sim
