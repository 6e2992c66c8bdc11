#include <array>

#include "sim/physics/integrators/integrator.h"

namespace orrery::sim {

namespace {
// Forest & Ruth (1990), Physica D 43, 105: three leapfrog steps of theta, 1 - 2 theta (which goes back) and
// theta, drifts first, with theta = 1 / (2 - 2^(1/3)), so that the errors of third order cancel (also Yoshida
// 1990, Physics Letters A 150, 262).
constexpr double theta = 1.3512071919596577;
constexpr double outer = theta / 2, inner = (1 - theta) / 2;
constexpr std::array stages{Stage::drift(outer), Stage::force(), Stage::kick(theta),
                            Stage::drift(inner), Stage::force(), Stage::kick(1 - 2 * theta),
                            Stage::drift(inner), Stage::force(), Stage::kick(theta),
                            Stage::drift(outer)};
static_assert(well_formed(stages));
}  // namespace

extern const Integrator forest_ruth;
constinit const Integrator forest_ruth{
    .name = "forest-ruth",
    .meaning =
        "four drifts around three kicks, three force evaluations per step: fourth order, symplectic, "
        "time-reversible; single precision limits energy errors to some 1e-5",
    .order = 4,
    .stages = stages,
};

}  // namespace orrery::sim
