#pragma once

#include <memory>
#include <span>

#include "sim/cuda/device/shared.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/families/force_queue.h"
#include "sim/cuda/launch/state_kernels.h"
#include "sim/cuda/memory/device_state.h"

// A GPU's work for steps that are divided: in parts of all bodies together, or for each body by itself.
namespace orrery::sim::cuda {

/// One GPU's work for an adaptive step (sim/physics/integrators/step_rule.h) besides forces and updates:
/// keeps the bodies where a part begins, with their forces, and finds the largest acceleration. Four bytes
/// come back to the host, which decides.
class PartOfStep {
 public:
  /// Device addresses of the present state: positions, velocities, low-order parts (may be empty), forces.
  struct Now {
    DeviceState& state;
    DeviceMemory& low;
    DeviceMemory& accelerations;
  };
  /// Copies the present state. Throws Error: out of memory.
  void keep(const StateForm& form, std::size_t bodies, const Now& now, CUstream stream);
  /// Gives the memory of the copy back.
  void release();
  /// Restores the state that keep() copied.
  void restore(const Now& now, CUstream stream) const;
  /// Queues the search for the largest acceleration.
  void measure(const StateKernels& kernels, CUdeviceptr accelerations);
  /// True when the result of measure() is there.
  bool is_measured() const { return done_ == nullptr || done_->passed(); }
  void wait() const {
    if (done_ != nullptr) done_->wait();
  }
  double largest_acceleration() const;
  std::size_t bytes() const { return kept_.bytes() + accelerations_.size() + largest_.size(); }

 private:
  KeptBodies kept_;
  DeviceMemory accelerations_;
  DeviceMemory largest_;  ///< a float
  HostMemory on_host_;    ///< copy of largest_
  std::unique_ptr<Event> done_;
};

/// One GPU's work for block time steps (sim/physics/integrators/block_levels.h) besides the forces: levels of
/// bodies, their kicks and drifts, and the list of those that are active. A few bytes come back to the host,
/// which then knows the next block time.
class BlockSteps {
 public:
  /// Room for the bodies of that many galaxies; with `targets` also for copies of those that are active.
  /// Throws Error: out of memory.
  void allocate(const StateForm& form, std::size_t bodies, std::size_t galaxies, bool targets);
  /// Gives the device memory back: steps are one for all again.
  void release();
  /// Queues the kicks of this block time, and where steps begin the drift of all bodies to the next one.
  /// `galaxy_starts`: ForceQueue::galaxy_starts.
  void advance(const StateKernels& kernels, const StepMoment& moment, CUdeviceptr accelerations,
               CUdeviceptr galaxy_starts);
  /// True when it is known which bodies are active at the next block time.
  bool is_known() const { return done_ == nullptr || done_->passed(); }
  void wait() const {
    if (done_ != nullptr) done_->wait();
  }
  /// Makes the next block time the present one, where `active` bodies are. Units of the shortest step.
  index_t next_block_time();
  /// The begin of each galaxy in the list of active bodies, and the end of the last one.
  std::span<const index_t> starts() const { return {notes() + 1, galaxies_ + 1}; }
  std::size_t active() const { return starts().back(); }
  /// The active bodies by level, for families that skip the others themselves.
  ActiveBodies active_bodies() const;

  /// Queues copies of all bodies of a state, then the active ones.
  void gather(const StateKernels& kernels);
  const DeviceState& gathered() const { return gathered_; }
  /// The destination of accelerations of the bodies of gathered(), addressed by its first; there is room for
  /// the copies only.
  CUdeviceptr found() const { return found_.pointer() - found_.size(); }
  /// Queues copying the accelerations found for gathered() to the places of its bodies in `accelerations`.
  void scatter(const StateKernels& kernels, CUdeviceptr accelerations) const;

  /// Device memory in use.
  std::size_t bytes() const;

 private:
  void list_active(const StateKernels& kernels, index_t now, CUdeviceptr galaxy_starts);
  const index_t* notes() const { return static_cast<const index_t*>(on_host_.data()); }

  std::size_t bodies_ = 0, galaxies_ = 0;
  index_t now_ = 0;
  DeviceMemory levels_;   ///< a byte per body
  DeviceMemory deepest_;  ///< level that was chosen
  DeviceMemory counts_;   ///< active bodies of the blocks before each, then of all
  DeviceMemory list_;     ///< the active bodies, ascending
  DeviceMemory notes_;    ///< the deepest level, then starts()
  HostMemory on_host_;    ///< copy of notes_
  std::unique_ptr<Event> done_;
  DeviceState gathered_;
  DeviceMemory found_;  ///< 3 reals per body
};

}  // namespace orrery::sim::cuda
