#include <array>

#include "sim/physics/integrators/integrator.h"

namespace orrery::sim {

namespace {
// The update of the 2-D report: the drift is with the old velocity. Gains energy on every orbit.
constexpr std::array stages{Stage::force(), Stage::drift(1.0), Stage::kick(1.0)};
static_assert(well_formed(stages));
}  // namespace

extern const Integrator explicit_euler;
constinit const Integrator explicit_euler{
    .name = "explicit-euler",
    .meaning =
        "x += v dt with the old v, then v += a dt, as in the 2-D report: first order, orbits spiral outwards",
    .order = 1,
    .stages = stages,
};

}  // namespace orrery::sim
