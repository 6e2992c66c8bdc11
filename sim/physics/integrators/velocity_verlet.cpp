#include <array>

#include "sim/physics/integrators/integrator.h"

namespace orrery::sim {

namespace {
// Velocity Verlet (Swope, Andersen, Berens & Wilson 1982, J. Chem. Phys. 76, 637), as the report of ECE1782
// writes it:
//   x' = x + v dt + a dt^2 / 2,  a' = a(x'),  v' = v + (a + a') dt / 2.
// With u = v + a dt / 2 that is x' = x + u dt and v' = u + a' dt / 2: leapfrog's stages.
constexpr std::array stages{Stage::kick(0.5), Stage::drift(1.0), Stage::force(), Stage::kick(0.5)};
static_assert(well_formed(stages));
}  // namespace

extern const Integrator velocity_verlet;
constinit const Integrator velocity_verlet{
    .name = "velocity-verlet",
    .meaning = "x += v dt + a dt^2/2, v += (a + a') dt/2 (ECE1782): the same as leapfrog, bit for bit",
    .order = 2,
    .stages = stages,
};

}  // namespace orrery::sim
