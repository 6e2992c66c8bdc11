#pragma once

#include "sim/cuda/driver/cuda_abi.h"

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/cuda/families/family.h"
#include "sim/cuda/launch/module.h"
#include "sim/cuda/memory/device_state.h"
#include "sim/physics/laws/force_law.h"

namespace orrery::sim::cuda {

/// Bytes of scratch memory that a force evaluation of the largest of these slices needs besides state and
/// accelerations.
std::size_t scratch_bytes(const KernelConfiguration& configuration, std::span<const ForceSlice> slices);

/// Arguments of families that also update the bodies.
struct FusedUpdate {
  const DeviceState* next = nullptr;  ///< is written; the caller keeps it
  double finish = 0.0;  ///< the kick that ends a step, times dt; with it `state` holds that step's end
  double kick = 0.0;    ///< factor of dt; kick and drift are written to `next`
  double drift = 0.0;
  bool old_velocity = false;  ///< positions drift with the velocity before the kick
  /// Address of body 0 for the complete state, 4 floats per body; 0: not written.
  CUdeviceptr vertex_position = 0;
  CUdeviceptr vertex_velocity = 0;
  unsigned steps = 1;  ///< steps per launch (Family::many_steps)
};

/// Receives the kernels of a force evaluation as they are queued, for timelines.
class LaunchWatch {
 public:
  virtual ~LaunchWatch() = default;
  /// `sums`: it follows the kernel that computes the forces.
  virtual void before(bool sums, CUstream stream) = 0;
  virtual void after(CUstream stream) = 0;
};

/// The buffers that a force evaluation of one device reads and writes. References to objects of the caller.
struct ForceBuffers {
  const Module& module;
  const DeviceState& state;
  CUdeviceptr accelerations;
  CUdeviceptr jerks;  ///< 0: none are summed
  CUdeviceptr scratch;
  CUdeviceptr galaxy_starts;
  ForceConstants constants;
  TreeSettings tree = {};        ///< settings of families with a tree
  CUdeviceptr force_counts = 0;  ///< ForceQueue::force_counts
  ActiveBodies active = {};      ///< ForceQueue::active
  bool keeps_cells = false;      ///< ForceQueue::keeps_cells
  FusedUpdate update;            ///< update step of families that update too
  LaunchWatch* watch = nullptr;  ///< is told of every kernel; may be null
};

/// Launches force kernels into one stream.
class ForceLauncher final : public ForceQueue {
 public:
  ForceLauncher(const ForceBuffers& buffers, CUstream stream) : buffers_(buffers), stream_(stream) {}

  /// Copies the constants to constant memory, if the module has them there. Once before a force evaluation.
  void set_constants() const;
  /// The forces on a slice's targets, as the family does it, and their jerks, if there are.
  void forces(const ForceSlice& slice);
  /// Families that compute whole galaxies: galaxies [first, last).
  void galaxies(std::size_t first, std::size_t last) { family().galaxies(*this, first, last); }
  /// Batched kernels: `blocks` blocks, whose entries of the table begin at `items`.
  void batched(CUdeviceptr items, std::size_t blocks);
  /// Launches the kernel that adds partial sums of all galaxies: `blocks` blocks, whose table begins at
  /// `items`.
  void batched_sums(CUdeviceptr items, std::size_t blocks);

  const KernelConfiguration& kernel() const override { return buffers_.module.configuration(); }
  int block() const override { return buffers_.module.facts().block; }
  std::size_t multiprocessors() const override;
  bool early() const override { return buffers_.module.launches_early(); }
  unsigned steps() const override { return buffers_.update.steps; }
  DeviceAddress accelerations() const override { return buffers_.accelerations; }
  DeviceAddress jerks() const override { return buffers_.jerks; }
  DeviceAddress scratch() const override { return buffers_.scratch; }
  DeviceAddress galaxy_starts() const override { return buffers_.galaxy_starts; }
  TreeSettings tree() const override { return buffers_.tree; }
  ActiveBodies active() const override { return buffers_.active; }
  bool keeps_cells() const override { return buffers_.keeps_cells; }
  DeviceAddress force_counts() const override { return buffers_.force_counts; }
  void add_constants(Arguments& arguments) const override;
  void add_bodies(Arguments& arguments) const override;
  void add_next(Arguments& arguments) const override;
  void set_range(const ForceSlice& slice) override;
  void add_update(Arguments& arguments) const override;
  void launch(const char* kernel, const LaunchShape& shape, Arguments& arguments) override;
  void clear(DeviceAddress begin, std::size_t bytes) override;
  void sum_rows(std::size_t rows, std::size_t columns, DeviceAddress sums) override;

 private:
  const Family& family() const { return *kernel().family; }
  template <typename Call>
  void watched(bool sums, const Call& call);

  ForceBuffers buffers_;
  CUstream stream_;
  bool launched_forces_ = false;
};

/// Kernels and graphs that this thread has launched so far.
std::uint64_t launches_of_this_thread();
/// Counts a graph as one launch.
void count_launch();
/// Launches a kernel. Throws Error.
void launch(CUfunction function, const LaunchShape& shape, Arguments& arguments, CUstream stream);

/// A real argument of the module's precision.
void add_real(Arguments& arguments, int precision, double value);

}  // namespace orrery::sim::cuda
