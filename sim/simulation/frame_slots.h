#pragma once

#include <array>
#include <vector>

#include "sim/core/triple_buffer.h"
#include "sim/simulation/frame_info.h"

namespace orrery::sim {

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

}  // namespace orrery::sim
