#pragma once

#include <map>
#include <memory>
#include <span>

#include "sim/activity/map_options.h"
#include "sim/cuda/driver/cuda_abi.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/worker/gpu_worker.h"

namespace orrery::sim::cuda {

/// The activity map of several GPUs: what each has counted of its own bodies, added up in the memory of one
/// of them. Whole numbers: the sum does not depend on how the bodies are shared out.
class MapSum {
 public:
  /// Makes room for maps of that many cells on `home`; 0: gives it back. Throws Error: out of memory.
  void use(GpuWorker& home, std::size_t cells);
  /// Adds up what the parts have counted and writes the values, with their header, to `target` in the memory
  /// of `home`, whose map has the same spec. Only queued: it follows what the parts have queued, and what
  /// they queue next waits until their counts were read.
  void write(std::span<GpuWorker* const> parts, GpuWorker& home, CUdeviceptr target);
  std::size_t bytes() const { return total_.size() + arriving_.size(); }

 private:
  CUdeviceptr fetch(GpuWorker& part, GpuWorker& home);
  void release(GpuWorker& part, GpuWorker& home);

  DeviceMemory total_;     ///< on the home device
  DeviceMemory arriving_;  ///< on the home device: counts of another device
  /// Per part on another device: its counts are complete.
  std::map<const GpuWorker*, std::unique_ptr<Event>> counted_;
  std::unique_ptr<Event> read_;  ///< the home device has read the arriving counts
};

/// The activity map that GPUs count of the bodies that they move: the one that is asked for, the one that
/// they count, and whether they have counted the last complete step.
class TeamMap : public ChosenMap {
 public:
  const MapSpec& counted() const { return counted_; }
  /// Makes these GPUs count the map that is asked for, of `bodies` bodies in all; none where it does not fit.
  /// Throws Error: out of memory.
  void use(std::span<const std::unique_ptr<GpuWorker>> parts, std::size_t bodies);
  /// Drops the sum, because other GPUs count from now on.
  void drop_sum() { sum_ = MapSum(); }

  /// True if there is a map, and not of the last complete step.
  bool is_stale() const { return counted_.size > 0 && !is_current_; }
  void note_step() { is_current_ = false; }
  void note_count() { is_current_ = true; }

  /// Queues writing what these parts have counted to memory of `home`; 0: to where its own values are.
  void write(std::span<GpuWorker* const> active, GpuWorker& home, CUdeviceptr target);
  std::size_t bytes() const { return sum_.bytes(); }

 private:
  MapSpec counted_;
  bool is_current_ = false;
  MapSum sum_;
};

}  // namespace orrery::sim::cuda
