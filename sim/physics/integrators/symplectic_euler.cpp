#include <array>

#include "sim/physics/integrators/integrator.h"

namespace orrery::sim {

namespace {
// The update of the CUDA sample and of the reports. First order but symplectic. With velocities taken to lie
// half a step back it is leapfrog; initial conditions do not.
constexpr std::array stages{Stage::force(), Stage::kick(1.0), Stage::drift(1.0)};
static_assert(well_formed(stages));
}  // namespace

extern const Integrator symplectic_euler;
constinit const Integrator symplectic_euler{
    .name = "symplectic-euler",
    .meaning =
        "v += a dt, then x += v dt, as in the CUDA sample and the reports: first order, symplectic, so "
        "energy errors stay bounded",
    .order = 1,
    .stages = stages,
};

}  // namespace orrery::sim
