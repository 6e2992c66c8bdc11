#include "sim/galaxies/encounter.h"

namespace orrery::sim {

namespace {

// NGC 4038/39 as Toomre & Toomre (1972, ApJ 178, 623, section VI) place them: e = 0.5, both disks inclined by
// 60 degrees, pericentre 30 degrees before the nodes.
constexpr Encounter antennae_orbit{.pericentre = 2.5,
                                   .eccentricity = 0.5,
                                   .separation = 7.0,
                                   .first = {.inclination = 60.0, .node = 30.0},
                                   .second = {.inclination = 60.0, .node = 210.0}};

Scene make_antennae(const ModelRequest& request) { return make_encounter(antennae_orbit, request); }

}  // namespace

extern const GalaxyModel antennae_model;
constinit const GalaxyModel antennae_model{
    .name = "antennae",
    .meaning = "the Antennae (NGC 4038/39) after Toomre and Toomre: two equal disks on an ellipse",
    .default_bodies = 5120,
    .minimum_bodies = 512,
    .maximum_bodies = 100'000'000,
    .most_shown = 150'000,
    .make = make_antennae,
};

}  // namespace orrery::sim
