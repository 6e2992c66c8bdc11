#pragma once

namespace orrery::sim {

/// Bytes that this process can still take without swapping: what Linux calls available or, if that is less,
/// what the memory limits of its control groups leave, as in a container or in a job of Slurm. Infinite where
/// nothing is said.
double free_memory();

}  // namespace orrery::sim
