#pragma once

#include "sim/cuda/driver/cuda_abi.h"

#include <string_view>

#include "sim/activity/activity_map.h"
#include "sim/bodies/partition.h"
#include "sim/cuda/device/shared.h"
#include "sim/cuda/launch/module.h"
#include "sim/cuda/memory/device_state.h"

namespace orrery::sim::cuda {

/// The map's description for device code, for a number of bodies.
MapCells map_cells(const MapSpec& spec, std::size_t bodies);

/// The kernel that counts.
enum class MapCount { update, kernel, shared };
/// The value of the option map-count of that name.
MapCount map_count_named(std::string_view name);

/// Launches the kernels of map.cuh. The map's constants, where the module has them in constant memory, must
/// be set before.
struct MapKernels {
  const Module& module;
  const MapCells& cells;
  CUstream stream;

  /// Copies the map's constants to constant memory, if the module has them there.
  void set_constants() const;
  /// Clears the counts.
  void clear(CUdeviceptr counts) const;
  /// Adds some bodies of a state, by a kernel of its own or in shared memory.
  void count(const DeviceState& state, BodyRange bodies, MapCount how, CUdeviceptr counts) const;
  /// Adds the counts of other bodies.
  void add(CUdeviceptr from, CUdeviceptr counts) const;
  /// The values of the cells after their header, `map_header` floats.
  void normalise(CUdeviceptr counts, CUdeviceptr target) const;
  /// Adds the map's constants, where they are arguments.
  void add_constants(Arguments& arguments) const;

 private:
  std::size_t count_of_cells() const { return static_cast<std::size_t>(cells.size) * cells.size; }
  unsigned blocks_of_cells() const;
  void start(const char* kernel, unsigned blocks, std::size_t shared_bytes, Arguments& arguments) const;
};

}  // namespace orrery::sim::cuda
