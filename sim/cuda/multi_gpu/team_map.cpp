#include "sim/cuda/multi_gpu/team_map.h"

namespace orrery::sim::cuda {

void TeamMap::use(std::span<const std::unique_ptr<GpuWorker>> parts, std::size_t bodies) {
  counted_ = {};
  is_current_ = false;
  for (const auto& part : parts) part->use_map(spec(), bodies);
  sum_.use(*parts.front(), parts.size() > 1 ? spec().size * spec().size : 0);
  counted_ = spec();
}

void TeamMap::write(std::span<GpuWorker* const> active, GpuWorker& home, CUdeviceptr target) {
  // Others than the device that draws have counted.
  if (active.size() > 1 || active.front() != &home)
    sum_.write(active, home, target != 0 ? target : home.map().values());
  else if (target != 0)
    home.map().normalise(home.streams().main(), target);
}

}  // namespace orrery::sim::cuda
