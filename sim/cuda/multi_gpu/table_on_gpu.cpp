#include "sim/cuda/multi_gpu/table_on_gpu.h"

#include "sim/cuda/driver/api.h"

namespace orrery::sim::cuda {

void TableOnGpu::make(const KernelConfiguration& kernel, int block, std::span<const ForceSlice> slices,
                      CUstream stream) {
  if (is_current_) return;
  table_ = work_table(kernel, block, slices);
  auto all = table_.forces;
  all.insert(all.end(), table_.sums.begin(), table_.sums.end());
  items_.resize(all.size() * sizeof(WorkItem));
  check(driver()->cuMemcpyHtoDAsync(items_.pointer(), all.data(), items_.size(), stream),
        "copying the table of blocks");
  check(driver()->cuStreamSynchronize(stream), "copying the table of blocks");
  is_current_ = true;
}

}  // namespace orrery::sim::cuda
