#include "sim/cuda/multi_gpu/team_map.h"

#include <algorithm>
#include <thread>

namespace orrery::sim::cuda {

void TeamMap::use(std::span<const std::unique_ptr<GpuWorker>> parts, std::size_t bodies) {
  counted_ = {};
  is_current_ = false;
  const auto& spec = chosen_.spec();
  for (const auto& part : parts) part->use_map(spec, bodies);
  sum_.use(*parts.front(), parts.size() > 1 ? spec.size * spec.size : 0);
  counted_ = spec;
}

std::vector<float> TeamMap::of_host(std::span<const Vec3> position) const {
  const auto& spec = chosen_.spec();
  const MapGrid grid(spec);
  const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::uint32_t> counts(grid.cells());
  std::vector<std::uint32_t> scratch;
  count_bodies(position, grid, threads, scratch, counts);
  std::vector<float> values(map_header + grid.cells());
  values[0] = map_values(counts, spec.values, spec.size, position.size(), threads,
                         std::span(values).subspan(map_header));
  return values;
}

void TeamMap::write(std::span<GpuWorker* const> active, GpuWorker& home, CUdeviceptr target) {
  // Others than the device that draws have counted.
  if (active.size() > 1 || active.front() != &home)
    sum_.write(active, home, target != 0 ? target : home.map().values());
  else if (target != 0)
    home.map().write_values(target, home.streams().main());
}

}  // namespace orrery::sim::cuda
