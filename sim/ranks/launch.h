#pragma once

namespace orrery::sim {

/// Facts about the launch of this process.
struct Launch {
  int rank = 0;        ///< rank of this process
  int size = 1;        ///< processes started together
  int local_size = 1;  ///< processes on the same machine
};

/// The process numbers that mpirun (Open MPI, MPICH and their kin) puts into the environment; one process
/// without it. Costs nothing and needs no MPI.
const Launch& launch();

}  // namespace orrery::sim
