#include "sim/cuda/worker/part_map.h"

#include <utility>

namespace orrery::sim::cuda {

void PartMap::use(const MapSpec& spec, MapCount how, std::size_t bodies,
                  std::shared_ptr<const Module> module) {
  spec_ = {};
  module_ = std::move(module);
  how_ = how;
  if (spec.size == 0) timer_ = {};
  const std::size_t cells = spec.size * spec.size;
  // Should there be no memory, there is no map.
  counts_.resize(cells * sizeof(index_t));
  values_.resize(cells > 0 ? (map_header + cells) * sizeof(float) : 0);
  if (cells == 0) return;
  cells_ = map_cells(spec, bodies);
  spec_ = spec;
  if (!timer_.made()) timer_.make();
}

void PartMap::begin(CUstream stream) {
  timer_.begin(stream);
  kernels(stream).set_constants();
  clear(stream);
}

void PartMap::end(CUstream stream) {
  normalise(stream);
  timer_.end(stream);
}

void PartMap::count(const DeviceState& state, BodyRange bodies, CUstream stream) {
  begin(stream);
  add(state, bodies, stream);
  end(stream);
}

void PartMap::add(const DeviceState& state, BodyRange bodies, CUstream stream) const {
  kernels(stream).count(state, bodies, how_, counts_.pointer());
}

void PartMap::normalise(CUstream stream, CUdeviceptr target) const {
  kernels(stream).normalise(counts_.pointer(), target != 0 ? target : values_.pointer());
}

}  // namespace orrery::sim::cuda
