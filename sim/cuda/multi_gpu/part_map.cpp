#include "sim/cuda/multi_gpu/part_map.h"

#include <utility>

namespace orrery::sim::cuda {

void PartMap::use(const MapSpec& spec, MapCount how, std::size_t bodies,
                  std::shared_ptr<const Module> module) {
  spec_ = {};
  module_ = std::move(module);
  how_ = how;
  if (!(spec.size > 0)) milliseconds_ = 0.0;
  const std::size_t cells = spec.size * spec.size;
  // Should there be no memory, there is no map.
  counts_.resize(cells * sizeof(index_t));
  values_.resize(cells > 0 ? (map_header + cells) * sizeof(float) : 0);
  if (cells == 0) return;
  cells_ = map_cells(spec, bodies);
  spec_ = spec;
  if (start_ == nullptr) {
    start_ = std::make_unique<Event>();
    end_ = std::make_unique<Event>();
  }
}

void PartMap::begin(CUstream stream) {
  milliseconds();
  timing_ = !measuring_;
  if (timing_) start_->record(stream);
  kernels(stream).set_constants();
  kernels(stream).clear(counts_.pointer());
}

void PartMap::end(CUstream stream) {
  kernels(stream).normalise(counts_.pointer(), values_.pointer());
  if (!timing_) return;
  end_->record(stream);
  measuring_ = true;
}

void PartMap::count(const DeviceState& state, BodyRange bodies, CUstream stream) {
  begin(stream);
  kernels(stream).count(state, bodies, how_, counts_.pointer());
  end(stream);
}

MapKernels PartMap::begin_update(CUstream stream) {
  begin(stream);
  return kernels(stream);
}

void PartMap::add(const DeviceState& state, BodyRange bodies, CUstream stream) const {
  kernels(stream).count(state, bodies, how_, counts_.pointer());
}

void PartMap::normalise(CUstream stream) const {
  kernels(stream).normalise(counts_.pointer(), values_.pointer());
}

void PartMap::end_update(CUstream stream) { end(stream); }

void PartMap::write_values(CUdeviceptr target, CUstream stream) const {
  kernels(stream).normalise(counts_.pointer(), target);
}

double PartMap::milliseconds() {
  if (measuring_ && end_->passed()) {
    milliseconds_ = end_->milliseconds_since(*start_);
    measuring_ = false;
  }
  return milliseconds_;
}

}  // namespace orrery::sim::cuda
