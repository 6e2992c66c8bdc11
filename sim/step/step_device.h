#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/core/error.h"
#include "sim/engines/engine.h"
#include "sim/physics/integrators/integrator.h"

namespace orrery::sim {

/// One force evaluation, and the motion that comes before it.
struct Pass {
  MotionUpdate before;           ///< moves the bodies first; empty: they stay
  bool first_of_run = false;     ///< forces on the bodies as they were loaded, before any step
  std::size_t evaluation = 0;    ///< index among the evaluations of its part
  bool ends_part = true;         ///< the last of them
  double part = 1.0;             ///< length of the part, as a share of the step
  bool ends_step = true;         ///< the part is the last one of the step
  std::uint32_t block_time = 0;  ///< block time steps: index of the block time within the step
};

/// A block time of step=block, in units of the shortest step (2^-BlockLevels::deepest of a step).
struct BlockTime {
  std::uint32_t now = 0;
  std::size_t active = 0;  ///< bodies whose steps end now
};

/// A device that can take back a part of a step and measures how short the next one must be: for
/// step=adaptive and step=even.
class PartDevice {
 public:
  virtual ~PartDevice() = default;

  /// Saves the bodies at the begin of a part of the step. Throws Error: out of memory.
  virtual void keep_part() = 0;
  /// Restores the bodies to the state saved by keep_part().
  virtual void restore_part() = 0;
  /// Asks for the largest acceleration of a body.
  virtual void measure_acceleration() = 0;
  /// The largest acceleration of a body, once the device knows it. `wait`: waits for it.
  virtual std::optional<double> largest_acceleration(bool wait) = 0;
};

/// A device whose bodies have steps of their own: for step=block (sim/physics/integrators/block_levels.h).
class BlockDevice {
 public:
  virtual ~BlockDevice() = default;

  /// Begins steps of their own for all bodies.
  virtual void begin_block_steps() = 0;
  /// At this block time: where steps `end` their last kick; where some `begin` their levels, their first
  /// kick, and the drift of all bodies to the next block time.
  virtual void advance_block_steps(std::uint32_t now, bool ends, bool begins) = 0;
  /// Returns the next block time once the device knows it. Later forces act only on that block's active
  /// bodies.
  virtual std::optional<BlockTime> next_block_time(bool wait) = 0;
  /// The forces on the active bodies are there, or queued.
  virtual void end_block_time(bool ends_step) = 0;
};

/// A device that holds the bodies and carries out passes over them for a Stepper. How it does that (at once
/// or queued, fused, as a graph, on streams) is its own business; a device that only queues returns
/// `pending`, or no number yet, and is asked again. The non-pure functions are optional: a device without
/// them finishes every step that it starts and supports only step=fixed.
class StepDevice {
 public:
  enum class Outcome {
    done,       ///< the forces are there, or queued
    part_done,  ///< done, and the whole part of the step with its last motion
    pending,    ///< some of them are; the call is to be repeated
    abandoned   ///< interrupted: the step is to be given up
  };

  virtual ~StepDevice() = default;

  /// True if the device takes more work; with `wait` it makes room.
  virtual bool has_room(bool /*wait*/) { return true; }
  /// True if the step under way may be left for a while, or given up, between two calls.
  virtual bool may_leave_step() const { return false; }

  /// A step is about to begin, perhaps after the first forces of a run. `wait`: the step may take as long as
  /// it likes.
  virtual void prepare_step(bool /*wait*/) {}
  /// Keeps what is needed to begin the step again. `with_forces`: the forces are those of the bodies.
  virtual void begin_step(bool /*with_forces*/) {}
  /// Moves the bodies, and begins a force evaluation. Throws Error: out of memory.
  virtual void begin_pass(const Pass& pass) = 0;
  /// Computes some of the forces of the evaluation under way, or all.
  virtual Outcome compute_forces(const WorkBudget& budget) = 0;
  /// The forces of a part's last pass are there: the motion that ends the part, which may wait until somebody
  /// looks where it also ends the step.
  virtual void end_part(const MotionUpdate& last, const Pass& pass) = 0;
  /// The step is complete.
  virtual void end_step() {}
  /// Called when time and number of steps are those after the step.
  virtual void after_step() {}
  /// The bodies are where the step began. True if the forces are again those of that place.
  virtual bool give_up_step() { refuse("way back to the begin of a step"); }

  /// This device as one that cuts steps into parts, or that gives each body steps of its own. Throws Error
  /// where it does not.
  virtual PartDevice& parts() { refuse("parts of steps; use step=fixed"); }
  virtual BlockDevice& blocks() { refuse("block times; use step=fixed"); }

 private:
  [[noreturn]] static void refuse(const char* what) {
    throw Error(std::string("the device that makes the steps knows no ") + what);
  }
};

}  // namespace orrery::sim
