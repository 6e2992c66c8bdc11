#include "sim/galaxies/encounter.h"

namespace orrery::sim {

namespace {

// One disk nearly in the plane of the orbit, the other steep against it, on an ellipse: one straight tail and
// one curved, as those of the Mice (NGC 4676; angles and e = 0.6 after Toomre & Toomre 1972, section VI).
constexpr Encounter passage{.pericentre = 2.0,
                            .eccentricity = 0.6,
                            .separation = 7.0,
                            .first = {.inclination = 15.0, .node = 90.0},
                            .second = {.inclination = 60.0, .node = 270.0}};

Scene make_mice(const ModelRequest& request) { return make_encounter(passage, request); }

}  // namespace

extern const GalaxyModel mice_model;
constinit const GalaxyModel mice_model{
    .name = "mice",
    .meaning = "two disk galaxies on an ellipse, one steep against it: a straight and a curved tail",
    .default_bodies = 5120,
    .minimum_bodies = 512,
    .maximum_bodies = 100'000'000,
    .most_shown = 150'000,
    .make = make_mice,
};

}  // namespace orrery::sim
