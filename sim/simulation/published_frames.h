#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/triple_buffer.h"
#include "sim/engines/engine.h"

namespace orrery::sim {

/// Three targets, for the thread that steps and the one that draws.
using TargetRing = std::array<VertexTarget, SlotExchange::slots>;

/// The facts about a published step.
struct FrameInfo {
  double time = 0.0;        ///< simulated
  std::uint64_t steps = 0;  ///< since load or reset
  StepTimings timings;
  std::chrono::steady_clock::time_point known_at{};  ///< when `timings` were read
  /// Timings when the controls of `revision` were obeyed first. On a CPU all later evaluations are of these
  /// controls; of a device some that were queued before may follow.
  StepTimings timings_before;
  EngineReport report;   ///< report of the engine that computes
  double step_ms = 0.0;  ///< the whole step with publishing and checks
  std::string problem;   ///< not empty: the engine refused or failed, and why; the state is the last good one
  std::uint64_t resets = 0;  ///< number of resets before this state
  std::uint64_t baseline =
      0;  ///< drifts are counted from this one: Health::baseline reaches it when it is known
  std::uint64_t revision = 0;  ///< revision of the controls that it was computed with
  /// The activity map of the step; size 0: none. It is in the slot of the device ring where `host_map` is
  /// null, else there, in the form of VertexTarget::map, and valid as long as the slot.
  MapSpec map;
  const float* host_map = nullptr;
  bool on_device = false;  ///< the state is in the slot of the device ring, not in that of the host ring
  const TargetRing* device_ring = nullptr;  ///< the one in use since this frame
  /// The newest one while Control::timeline asks for them, at most two a second; null: none yet, or the
  /// engine cannot tell.
  std::shared_ptr<const Timeline> timeline;
};

/// The slots in which published steps travel from the thread that steps to the one that draws: what is known
/// of each step, and the memory of maps that were made for the host.
class FrameSlots {
 public:
  /// `ring`: host targets, whose memory must outlive the slots.
  explicit FrameSlots(const TargetRing& ring) : ring_(ring) {}

  // Of the drawing thread.
  bool has_news() const { return frames_.has_news(); }
  /// Gives back the slot in hand for the newest one, and returns its index.
  int take(FrameInfo& info);

  // Of the stepping thread.
  /// Index of the slot that is written, or may be.
  std::size_t writing() const { return static_cast<std::size_t>(frames_.writing()); }
  FrameInfo& info() { return info_[writing()]; }
  /// The target that the step of `info` is written to, in the device's ring or the host's. `info.map` becomes
  /// what the slot has room for, and `host_map` its memory.
  VertexTarget target(FrameInfo& info);
  /// The slot is complete.
  void offer() { frames_.offer(); }

 private:
  TargetRing ring_;
  SlotExchange frames_;
  std::array<FrameInfo, SlotExchange::slots> info_;
  std::array<std::vector<float>, SlotExchange::slots> host_maps_;
};

/// True if the engine publishes best into memory of its device, which may draw too.
bool prefers_device(const Engine& engine);

/// Writes states of an engine into slots, for the thread that draws. A device has yet to write the slot when
/// `write` returns; until it has, no other state is written, and those in between are skipped.
///
/// Of the stepping thread. The engine of a call is the one that steps then.
class FramePublisher {
 public:
  /// `slots` must outlive it. `device_ring` as in Control.
  FramePublisher(FrameSlots& slots, const TargetRing* device_ring)
      : slots_(slots), device_ring_(device_ring) {}

  /// The facts about the present state. The next frame takes it along.
  FrameInfo& info() { return info_; }
  /// Notes that there is something newer than the frame written last.
  void note_news() { unpublished_ = true; }
  bool is_due() const { return unpublished_ && !in_flight_; }
  /// The device has yet to write the slot in hand.
  bool in_flight() const { return in_flight_; }

  /// Writes the last complete state; `offer` has to follow when it has arrived. Throws what
  /// Engine::write_vertices throws.
  void write(Engine& engine);
  /// The state in the slot is whole: the drawing thread may have it.
  void offer(const Engine& engine);
  /// The state in flight never arrives.
  void give_up() { in_flight_ = false; }
  /// Shows an older state again, with what is known now.
  void repeat();

  /// Sets the ring of device targets; null: none. Nothing may be in flight.
  void use_ring(const TargetRing* device_ring);
  /// The ring, and what is in flight, are lost with their GPU: the host's ring is used until the next
  /// use_ring.
  void lose_ring() { device_ring_lost_ = true, in_flight_ = false; }

  /// Says where the steps to come may write their end: into the slot that nobody reads.
  void offer_slot(Engine& engine) const;
  /// True if the next step of a run that does not wait ends soon and writes its end into the slot by itself.
  bool next_step_publishes(const Engine& engine) const;

 private:
  bool uses_device_ring(const Engine& engine) const;

  FrameSlots& slots_;
  FrameInfo info_;
  const TargetRing* device_ring_;
  bool device_ring_lost_ = false;
  bool unpublished_ = false;
  bool in_flight_ = false;
};

}  // namespace orrery::sim
