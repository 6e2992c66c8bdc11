#include "sim/galaxies/encounter.h"

namespace orrery::sim {

namespace {

// A small galaxy falls along the axis through the middle of a disk, which answers with rings that run
// outwards, as the Cartwheel (Lynds & Toomre 1976, ApJ 209, 382).
constexpr Encounter plunge{.mass_ratio = 0.35,
                           .pericentre = 0.02,
                           .eccentricity = 1.0,
                           .separation = 8.0,
                           .first = {.inclination = 90.0, .node = 90.0},
                           .second = {.inclination = 0.0, .node = 0.0}};

Scene make_head_on(const ModelRequest& request) { return make_encounter(plunge, request); }

}  // namespace

extern const GalaxyModel head_on_model;
constinit const GalaxyModel head_on_model{
    .name = "head-on",
    .meaning = "a small galaxy falls through the middle of a disk: rings run outwards, as in the Cartwheel",
    .default_bodies = 5120,
    .minimum_bodies = 1024,
    .maximum_bodies = 100'000'000,
    .most_shown = 150'000,
    .make = make_head_on,
};

}  // namespace orrery::sim
