#include <array>

#include "sim/physics/integrators/integrator.h"

namespace orrery::sim {

namespace {
// Makino & Aarseth (1992), Publications of the Astronomical Society of Japan 44, 141: accelerations and jerks
// of both ends of a step give their polynomial of third degree. P(EC)^2: the second correction makes it
// nearly symmetric in time, so that energy hardly drifts (Kokubo, Yoshinaga & Makino 1998, MNRAS 297, 1067).
// The last forces are of the place where the step ends: positions and velocities alone decide what follows.
constexpr std::array stages{Stage::predict(), Stage::force(),   Stage::correct(),
                            Stage::force(),   Stage::correct(), Stage::force()};
static_assert(well_formed(stages));
}  // namespace

extern const Integrator hermite;
constinit const Integrator hermite{
    .name = "hermite",
    .meaning =
        "Makino and Aarseth's method: a prediction and two corrections with forces and their rates of change "
        "(jerks) at both ends, three evaluations per step: fourth order",
    .order = 4,
    .stages = stages,
};

}  // namespace orrery::sim
