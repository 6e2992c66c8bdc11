#pragma once

#include "sim/cuda/driver/cuda_abi.h"

#include <memory>

#include "sim/cuda/driver/device.h"
#include "sim/cuda/launch/map_kernels.h"

namespace orrery::sim::cuda {

/// The activity map of the bodies that one GPU holds: counts and values in its memory. Every function needs
/// the device's context to be current; nothing waits.
class PartMap {
 public:
  /// Sets the map for that many bodies, which `module` counts as `how` says; size 0: no map, and the memory
  /// is freed. Throws Error: out of memory.
  void use(const MapSpec& spec, MapCount how, std::size_t bodies, std::shared_ptr<const Module> module);
  bool wanted() const { return spec_.size > 0; }
  bool in_update() const { return wanted() && module_->configuration().map_in_update; }

  /// Counts the bodies of a state and normalises, in `stream`.
  void count(const DeviceState& state, BodyRange bodies, CUstream stream);
  /// Call begin() and end() around an update that counts, whose arguments get this map, cleared.
  void begin(CUstream stream);
  void end(CUstream stream);
  CUdeviceptr counts() const { return counts_.pointer(); }
  /// The map's kernels; a map must have been requested.
  MapKernels kernels(CUstream stream) const { return {*module_, cells_, stream}; }

  /// The pieces of `count`, not timed, in streams that the caller orders, also while a graph is captured:
  /// constants first, then cleared counts, some bodies, the values.
  void prepare(CUstream stream) const { kernels(stream).set_constants(); }
  void clear(CUstream stream) const { kernels(stream).clear(counts_.pointer()); }
  void add(const DeviceState& state, BodyRange bodies, CUstream stream) const;
  /// The values with their header go to `target`, other memory of the device, or to values().
  void normalise(CUstream stream, CUdeviceptr target = 0) const;

  /// The values with their header.
  CUdeviceptr values() const { return values_.pointer(); }
  std::size_t value_bytes() const { return values_.size(); }

  /// The time of the last count that is known; 0: none. Of a count in the update, clearing and normalising.
  double milliseconds() { return timer_.milliseconds(); }
  std::size_t bytes() const { return counts_.size() + values_.size(); }

 private:
  MapSpec spec_;
  MapCount how_ = MapCount::kernel;
  MapCells cells_{};
  std::shared_ptr<const Module> module_;
  DeviceMemory counts_, values_;
  EventTimer timer_;
};

}  // namespace orrery::sim::cuda
