#pragma once

#include "sim/simulation/frame_slots.h"

namespace orrery::sim {

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
