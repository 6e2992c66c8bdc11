#include <array>

#include "sim/physics/integrators/integrator.h"

namespace orrery::sim {

namespace {
// Kick-drift-kick (velocity Verlet): second order, time-reversible and symplectic, so the energy error stays
// bounded (Hairer, Lubich & Wanner 2003, "Geometric numerical integration illustrated by the Stoermer-Verlet
// method").
constexpr std::array stages{Stage::kick(0.5), Stage::drift(1.0), Stage::force(), Stage::kick(0.5)};
static_assert(well_formed(stages));
}  // namespace

constinit const Integrator leapfrog{
    .name = "leapfrog",
    .meaning =
        "kick-drift-kick: v += a dt/2, x += v dt, new a, v += a dt/2. Second order, symplectic, "
        "time-reversible: energy errors stay bounded",
    .order = 2,
    .stages = stages,
};

}  // namespace orrery::sim
