#include <array>

#include "sim/physics/integrators/integrator.h"

namespace orrery::sim {

namespace {
// Yoshida (1990), Physics Letters A 150, 262: three leapfrog steps (kick-drift-kick) of w1, w0 and w1 with
// w1 = 1 / (2 - 2^(1/3)) and w0 = 1 - 2 w1, which goes back. Forest & Ruth's method begins with the drift.
constexpr double w1 = 1.3512071919596577, w0 = 1 - 2 * w1;
constexpr std::array stages{Stage::kick(w1 / 2),        Stage::drift(w1), Stage::force(),
                            Stage::kick((w1 + w0) / 2), Stage::drift(w0), Stage::force(),
                            Stage::kick((w0 + w1) / 2), Stage::drift(w1), Stage::force(),
                            Stage::kick(w1 / 2)};
static_assert(well_formed(stages));
}  // namespace

extern const Integrator yoshida;
constinit const Integrator yoshida{
    .name = "yoshida",
    .meaning =
        "three leapfrog steps, one of them backwards, three force evaluations per step: fourth order, "
        "symplectic, time-reversible",
    .order = 4,
    .stages = stages,
};

}  // namespace orrery::sim
