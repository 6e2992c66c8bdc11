#include "sim/cuda/families/tree_domain_shapes.h"
#include "sim/cuda/multi_gpu/gpu_worker.h"

// A GPU's part of a galaxy that is cut into domains (tree_exchange.h).
namespace orrery::sim::cuda {

void GpuWorker::put_back_vertices(CUdeviceptr packed, CUdeviceptr place, std::size_t count,
                                  CUdeviceptr position, CUdeviceptr velocity) {
  make_current();
  Arguments arguments;
  arguments.add(packed).add(packed + 4 * sizeof(float) * count).add(place).add(position).add(velocity);
  add_index(arguments, count);
  launch(module_->function("domain_vertices"),
         {.grid_x = blocks_for(count, tree::domain_threads), .block_x = tree::domain_threads}, arguments,
         streams_.main());
}

}  // namespace orrery::sim::cuda
