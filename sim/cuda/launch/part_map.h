#pragma once

#include "sim/cuda/driver/cuda_abi.h"

#include <memory>
#include <string_view>

#include "sim/activity/activity_map.h"
#include "sim/bodies/partition.h"
#include "sim/cuda/device/shared.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/launch/module.h"
#include "sim/cuda/memory/device_state.h"

namespace orrery::sim::cuda {

/// The kernel that counts.
enum class MapCount { update, kernel, shared };
/// The value of the option map-count of that name.
MapCount map_count_named(std::string_view name);

/// The activity map of the bodies that one GPU holds, by the kernels of map.cuh: counts and values in its
/// memory. Every function needs the device's context to be current; nothing waits.
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
  /// Adds to a kernel's arguments the map's constants, where they are arguments.
  void add_constants(Arguments& arguments) const;
  CUdeviceptr counts() const { return counts_.pointer(); }

  // The pieces of `count`, not timed, in streams that the caller orders, also while a graph is captured:
  // constants first, then cleared counts, some bodies, the values. Counts and values may be in other memory
  // of the device than this map's.
  /// Copies the map's constants to constant memory, if the module has them there.
  void prepare(CUstream stream) const;
  void clear(CUstream stream) const { clear(counts(), stream); }
  void clear(CUdeviceptr counts, CUstream stream) const;
  void add(const DeviceState& state, BodyRange bodies, CUstream stream) const;
  /// Adds the counts `from` of other bodies.
  void add(CUdeviceptr from, CUdeviceptr counts, CUstream stream) const;
  /// The values of the cells after their header, `map_header` floats.
  void normalise(CUstream stream) const { normalise(counts(), values(), stream); }
  void normalise(CUdeviceptr counts, CUdeviceptr target, CUstream stream) const;

  /// The values with their header.
  CUdeviceptr values() const { return values_.pointer(); }
  std::size_t value_bytes() const { return values_.size(); }

  /// The time of the last count that is known; 0: none. Of a count in the update, clearing and normalising.
  double milliseconds() { return timer_.milliseconds(); }
  std::size_t bytes() const { return counts_.size() + values_.size(); }

 private:
  std::size_t count_of_cells() const { return static_cast<std::size_t>(cells_.size) * cells_.size; }
  unsigned blocks_of_cells() const;
  void start(const char* kernel, unsigned blocks, std::size_t shared_bytes, Arguments& arguments,
             CUstream stream) const;

  MapSpec spec_;
  MapCount how_ = MapCount::kernel;
  MapCells cells_{};
  std::shared_ptr<const Module> module_;
  DeviceMemory counts_, values_;
  EventTimer timer_;
};

}  // namespace orrery::sim::cuda
