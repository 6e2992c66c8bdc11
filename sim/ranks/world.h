#pragma once

#include <string>

#include "sim/ranks/communicator.h"

namespace orrery::sim {

/// The processes that this one works with: itself alone, unless join_world was called.
Communicator& world();
/// Why processes that were started together cannot work together; empty if they can.
std::string world_unavailable();
/// Why mpirun could not start several here, without trying to: what is missing; empty if nothing is.
std::string mpi_problem();
/// Joins the processes that were started together (launch.h); nothing happens for a single one. Every one of
/// them calls it once. Throws Error if this program was built without MPI, or if it cannot be opened here.
void join_world();

}  // namespace orrery::sim
