#pragma once

#include "sim/cuda/multi_gpu/gpu_worker.h"

namespace orrery::sim::cuda {

/// Queues a copy between the memories of two GPUs, or within that of one; where the hardware has no way
/// between the two, the driver takes the one through the host's page-locked memory. `stream` may be of
/// either. Throws Error: `what` failed.
void copy_between(const GpuWorker& to, CUdeviceptr there, const GpuWorker& from, CUdeviceptr here,
                  std::size_t bytes, CUstream stream, const char* what);

}  // namespace orrery::sim::cuda
