#include "sim/cuda/multi_gpu/peer_copy.h"

#include "sim/cuda/driver/api.h"

namespace orrery::sim::cuda {

void copy_between(const GpuWorker& to, CUdeviceptr there, const GpuWorker& from, CUdeviceptr here,
                  std::size_t bytes, CUstream stream, const char* what) {
  if (bytes == 0) return;
  if (to.context() == from.context())
    check(driver()->cuMemcpyDtoDAsync(there, here, bytes, stream), what);
  else
    check(driver()->cuMemcpyPeerAsync(there, to.context(), here, from.context(), bytes, stream), what);
}

}  // namespace orrery::sim::cuda
