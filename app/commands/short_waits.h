#pragma once

namespace orrery::app {

/// Call before anything else. Makes the OpenMP threads of this program give up their cores soon while
/// they wait for each other, on machines of few cores, unless the environment says how they wait
/// (OMP_WAIT_POLICY, GOMP_SPINCOUNT). GCC's OpenMP reads that before main, so the program starts itself
/// again: same process, same arguments. Returns where this was not needed or not possible.
void shorten_waits(char** arguments);

}  // namespace orrery::app
