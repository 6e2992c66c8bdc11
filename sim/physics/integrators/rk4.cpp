#include <array>

#include "sim/physics/integrators/integrator.h"

namespace orrery::sim {

namespace {
// The classical method (Kutta 1901, Zeitschrift fuer Mathematik und Physik 46, 435) of the state (x, v),
// whose slope is (v, a): two probes to the middle of the step, one to its end, slopes weighted by 1, 2, 2 and
// 1 of 6.
constexpr std::array stages{Stage::force(), Stage::slope(1.0 / 6), Stage::probe(0.5),
                            Stage::force(), Stage::slope(1.0 / 3), Stage::probe(0.5),
                            Stage::force(), Stage::slope(1.0 / 3), Stage::probe(1.0),
                            Stage::force(), Stage::slope(1.0 / 6), Stage::finish()};
static_assert(well_formed(stages));
}  // namespace

extern const Integrator rk4;
constinit const Integrator rk4{
    .name = "rk4",
    .meaning =
        "Runge and Kutta's method, four slopes (v, a) per step (at the beginning, twice in the middle, at "
        "the end): fourth order; for comparison, energy drifts",
    .order = 4,
    .stages = stages,
};

}  // namespace orrery::sim
