#pragma once

#include <cuda.h>

#include <cstddef>
#include <span>
#include <vector>

#include "sim/bodies.h"
#include "sim/cuda/device_state.h"
#include "sim/cuda/module.h"
#include "sim/cuda/source_split.h"
#include "sim/cuda/work_table.h"
#include "sim/physics/force_law.h"

namespace orrery::sim::cuda {

/// Bytes of scratch memory that a force evaluation of the largest of these slices needs besides state and
/// accelerations: N^2 for the matrix families, N^2 / span for tiled-2d.
std::size_t scratch_bytes(const KernelConfiguration& configuration, std::span<const ForceSlice> slices);

/// Launches force kernels into one stream.
struct ForceLauncher {
  const Module& module;
  const DeviceState& state;
  CUdeviceptr accelerations;  ///< 3 reals a body
  CUdeviceptr scratch;
  CUdeviceptr galaxy_starts;  ///< first body of each galaxy and the end, 32-bit
  ForceConstants constants;
  CUstream stream;

  /// Copies the constants to constant memory, if the module has them there. Once before a force evaluation.
  void set_constants() const;
  void forces(const ForceSlice& slice) const;
  /// Batched kernels: `blocks` blocks, whose entries of the table begin at `items`.
  void batched(CUdeviceptr items, std::size_t blocks) const;
  /// Batched tiled-2d: adds the partial sums of all galaxies.
  void batched_sums(CUdeviceptr items, std::size_t blocks) const;
  /// galaxy-block only: galaxies [first, last) in one launch.
  void whole_galaxies(std::size_t first, std::size_t last) const;
  /// Forces and update of a slice into `next` (fused).
  void fused(const ForceSlice& slice, const DeviceState& next, double dt, bool old_velocity) const;
  /// The same for blocks of the table.
  void batched_fused(CUdeviceptr items, std::size_t blocks, const DeviceState& next, double dt,
                     bool old_velocity) const;

 private:
  void add_constants(Arguments& arguments) const;
  void add_slice(Arguments& arguments, const ForceSlice& slice) const;
  void add_update(Arguments& arguments, double dt, bool old_velocity) const;
  void tiled_2d(const ForceSlice& slice) const;
  void add_partials(const ForceSlice& slice, std::size_t rows) const;
  void pairs_atomic(const ForceSlice& slice) const;
  void matrix(const ForceSlice& slice) const;
  void register_split(const ForceSlice& slice) const;
  void tensor(const ForceSlice& slice) const;
  void tensor_pairs(const ForceSlice& slice) const;
  /// What precedes the products: frame and packed numbers of the galaxy.
  void pack_for_tensor_cores(const ForceSlice& slice, const TensorScratch& layout) const;
  /// What follows them: accelerations of so many targets.
  void finish_on_tensor_cores(Arguments& arguments, std::size_t targets) const;
};

/// Grid and block of a launch.
struct LaunchShape {
  unsigned grid_x = 1, grid_y = 1, block_x = 1, block_y = 1;
  /// Launched before the kernel before it in the stream has ended. Only for kernels that begin with
  /// after_previous() (kernels/common.cuh), on devices that know it: Module::launches_early.
  bool early = false;
};
/// True if device and driver know LaunchShape::early.
bool can_launch_early(const DeviceInfo& device);
void launch(CUfunction function, const LaunchShape& shape, Arguments& arguments, CUstream stream);

/// A real argument of the module's precision.
void add_real(Arguments& arguments, int precision, double value);

/// ceil(a / b) as a grid dimension.
unsigned blocks_for(std::size_t items, int block);

}  // namespace orrery::sim::cuda
