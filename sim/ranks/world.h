#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "sim/ranks/communicator.h"

namespace orrery::sim {

/// The processes that this one works with: itself alone, unless join_world was called.
Communicator& world();
/// Why processes that were started together cannot work together; empty if they can.
std::string world_unavailable();
/// The module that opens MPI, whether it is installed or not; empty if this program was built without MPI.
std::filesystem::path mpi_module();
/// Why mpirun could not start several here, without trying to: what is missing; empty if nothing is.
std::string mpi_problem();
/// Joins the processes that were started together (launch.h); nothing happens for a single one. Every one of
/// them calls it once. Throws Error if this program was built without MPI, or if it cannot be opened here.
/// Ends the program with a message if the others have not come within `patience`: MPI would wait for ever.
void join_world(std::chrono::seconds patience = std::chrono::minutes(5));

}  // namespace orrery::sim
