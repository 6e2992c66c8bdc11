#include <array>

#include "integrators.h"

// The integrators: coefficients with their source, the stages of a step, and what they are for people.
namespace orrery::sim {

namespace {

// Kick-drift-kick (velocity Verlet): second order, time-reversible and symplectic, so the energy error stays
// bounded (Hairer, Lubich & Wanner 2003, "Geometric numerical integration illustrated by the Stoermer-Verlet
// method").
constexpr std::array leapfrog_stages{Stage::kick(0.5), Stage::drift(1.0), Stage::force(), Stage::kick(0.5)};
static_assert(well_formed(leapfrog_stages));

// The update of the CUDA sample and of the reports. First order but symplectic. With velocities taken to lie
// half a step back it is leapfrog; initial conditions do not.
constexpr std::array symplectic_euler_stages{Stage::force(), Stage::kick(1.0), Stage::drift(1.0)};
static_assert(well_formed(symplectic_euler_stages));

// The update of the 2-D report: the drift is with the old velocity. Gains energy on every orbit.
constexpr std::array explicit_euler_stages{Stage::force(), Stage::drift(1.0), Stage::kick(1.0)};
static_assert(well_formed(explicit_euler_stages));

// Forest & Ruth (1990), Physica D 43, 105: three leapfrog steps of theta, 1 - 2 theta (which goes back) and
// theta, drifts first, with theta = 1 / (2 - 2^(1/3)), so that the errors of third order cancel (also Yoshida
// 1990, Physics Letters A 150, 262).
constexpr double theta = 1.3512071919596577;
constexpr double outer = theta / 2, inner = (1 - theta) / 2;
constexpr std::array forest_ruth_stages{Stage::drift(outer), Stage::force(), Stage::kick(theta),
                                        Stage::drift(inner), Stage::force(), Stage::kick(1 - 2 * theta),
                                        Stage::drift(inner), Stage::force(), Stage::kick(theta),
                                        Stage::drift(outer)};
static_assert(well_formed(forest_ruth_stages));

// Yoshida (1990), Physics Letters A 150, 262: three leapfrog steps (kick-drift-kick) of w1, w0 and w1 with
// w1 = 1 / (2 - 2^(1/3)) and w0 = 1 - 2 w1, which goes back. Forest & Ruth's method begins with the drift.
constexpr double w1 = 1.3512071919596577, w0 = 1 - 2 * w1;
constexpr std::array yoshida_stages{Stage::kick(w1 / 2),        Stage::drift(w1), Stage::force(),
                                    Stage::kick((w1 + w0) / 2), Stage::drift(w0), Stage::force(),
                                    Stage::kick((w0 + w1) / 2), Stage::drift(w1), Stage::force(),
                                    Stage::kick(w1 / 2)};
static_assert(well_formed(yoshida_stages));

// Omelyan, Mryglod & Folk (2002), Computer Physics Communications 146, 188, eq. 20 (position extended
// Forest-Ruth like): four evaluations a step, with the error of fourth order made as small as it gets.
constexpr double xi = 0.1786178958448091, lambda = -0.2123418310626054, chi = -0.06626458266981849;
constexpr double outer_kick = (1 - 2 * lambda) / 2, middle = 1 - 2 * (chi + xi);
constexpr std::array pefrl_stages{Stage::drift(xi),     Stage::force(), Stage::kick(outer_kick),
                                  Stage::drift(chi),    Stage::force(), Stage::kick(lambda),
                                  Stage::drift(middle), Stage::force(), Stage::kick(lambda),
                                  Stage::drift(chi),    Stage::force(), Stage::kick(outer_kick),
                                  Stage::drift(xi)};
static_assert(well_formed(pefrl_stages));

// Velocity Verlet (Swope, Andersen, Berens & Wilson 1982, J. Chem. Phys. 76, 637), as the report of ECE1782
// writes it:
//   x' = x + v dt + a dt^2 / 2,  a' = a(x'),  v' = v + (a + a') dt / 2.
// With u = v + a dt / 2 that is x' = x + u dt and v' = u + a' dt / 2: leapfrog's stages.
constexpr std::array velocity_verlet_stages{Stage::kick(0.5), Stage::drift(1.0), Stage::force(),
                                            Stage::kick(0.5)};
static_assert(well_formed(velocity_verlet_stages));

// The classical method (Kutta 1901, Zeitschrift fuer Mathematik und Physik 46, 435) of the state (x, v),
// whose slope is (v, a): two probes to the middle of the step, one to its end, slopes weighted by 1, 2, 2 and
// 1 of 6.
constexpr std::array rk4_stages{Stage::force(), Stage::slope(1.0 / 6), Stage::probe(0.5),
                                Stage::force(), Stage::slope(1.0 / 3), Stage::probe(0.5),
                                Stage::force(), Stage::slope(1.0 / 3), Stage::probe(1.0),
                                Stage::force(), Stage::slope(1.0 / 6), Stage::finish()};
static_assert(well_formed(rk4_stages));

// Makino & Aarseth (1992), Publications of the Astronomical Society of Japan 44, 141: accelerations and jerks
// of both ends of a step give their polynomial of third degree. P(EC)^2: the second correction makes it
// nearly symmetric in time, so that energy hardly drifts (Kokubo, Yoshinaga & Makino 1998, MNRAS 297, 1067).
// The last forces are of the place where the step ends: positions and velocities alone decide what follows.
constexpr std::array hermite_stages{Stage::predict(), Stage::force(),   Stage::correct(),
                                    Stage::force(),   Stage::correct(), Stage::force()};
static_assert(well_formed(hermite_stages));

}  // namespace

constinit const Integrator leapfrog{
    .name = "leapfrog",
    .meaning =
        "kick-drift-kick: v += a dt/2, x += v dt, new a, v += a dt/2. Second order, symplectic, "
        "time-reversible: energy errors stay bounded",
    .order = 2,
    .stages = leapfrog_stages,
};

constinit const Integrator symplectic_euler{
    .name = "symplectic-euler",
    .meaning =
        "v += a dt, then x += v dt, as in the CUDA sample and the reports: first order, symplectic, so "
        "energy errors stay bounded",
    .order = 1,
    .stages = symplectic_euler_stages,
};

constinit const Integrator explicit_euler{
    .name = "explicit-euler",
    .meaning =
        "x += v dt with the old v, then v += a dt, as in the 2-D report: first order, orbits spiral outwards",
    .order = 1,
    .stages = explicit_euler_stages,
};

constinit const Integrator forest_ruth{
    .name = "forest-ruth",
    .meaning =
        "four drifts around three kicks, three force evaluations per step: fourth order, symplectic, "
        "time-reversible; single precision limits energy errors to some 1e-5",
    .order = 4,
    .stages = forest_ruth_stages,
};

constinit const Integrator yoshida{
    .name = "yoshida",
    .meaning =
        "three leapfrog steps, one of them backwards, three force evaluations per step: fourth order, "
        "symplectic, time-reversible",
    .order = 4,
    .stages = yoshida_stages,
};

constinit const Integrator pefrl{
    .name = "pefrl",
    .meaning =
        "five drifts around four kicks, four force evaluations per step: fourth order, symplectic, "
        "time-reversible; energy errors some ten times smaller than forest-ruth's with the same step",
    .order = 4,
    .stages = pefrl_stages,
};

constinit const Integrator velocity_verlet{
    .name = "velocity-verlet",
    .meaning = "x += v dt + a dt^2/2, v += (a + a') dt/2 (ECE1782): the same as leapfrog, bit for bit",
    .order = 2,
    .stages = velocity_verlet_stages,
};

constinit const Integrator rk4{
    .name = "rk4",
    .meaning =
        "Runge and Kutta's method, four slopes (v, a) per step (at the beginning, twice in the middle, at "
        "the end): fourth order; for comparison, energy drifts",
    .order = 4,
    .stages = rk4_stages,
};

constinit const Integrator hermite{
    .name = "hermite",
    .meaning =
        "Makino and Aarseth's method: a prediction and two corrections with forces and their rates of change "
        "(jerks) at both ends, three evaluations per step: fourth order",
    .order = 4,
    .stages = hermite_stages,
};

}  // namespace orrery::sim
