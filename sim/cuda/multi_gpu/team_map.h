#pragma once

#include <memory>
#include <span>

#include "sim/activity/map_options.h"
#include "sim/cuda/multi_gpu/gpu_worker.h"
#include "sim/cuda/multi_gpu/map_sum.h"

namespace orrery::sim::cuda {

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
