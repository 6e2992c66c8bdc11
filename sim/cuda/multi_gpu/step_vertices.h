#pragma once

#include <string_view>
#include <utility>

#include "sim/engines/engine.h"

namespace orrery::sim::cuda {

/// The vertex buffer that is offered to steps, which may write their end there on the way; whether the last
/// complete step did; and which kernel wrote what was drawn last. Owns no memory.
class StepVertices {
 public:
  void offer(const VertexTarget& target) { offered_ = target; }
  /// The target is drawn now: no other step may write there.
  void take_back() {
    offered_ = {};
    forget();
  }
  /// Forgets which targets were written, because the bodies changed.
  void forget() { of_step_ = of_last_ = nullptr; }
  /// Begins a force evaluation. Returns the offered target if the step may write that many bodies there, or
  /// nullptr.
  const VertexTarget* begin(bool may_write, std::size_t bodies) {
    forget();
    const bool fits = offered_.space == VertexTarget::Space::device && offered_.bodies >= bodies;
    if (may_write && fits) of_step_ = offered_.position;
    return of_step_ == nullptr ? nullptr : &offered_;
  }
  void end_step() { of_last_ = std::exchange(of_step_, nullptr); }
  /// True if the last complete step has written its end there.
  bool are_in(const VertexTarget& target) const { return of_last_ != nullptr && of_last_ == target.position; }

  void note_writer(std::string_view kernel) { writer_ = kernel; }
  std::string_view writer() const { return writer_; }

 private:
  VertexTarget offered_;
  const float* of_step_ = nullptr;  ///< positions of the target that the step under way writes
  const float* of_last_ = nullptr;  ///< positions of the target that the last complete step wrote
  std::string_view writer_;
};

}  // namespace orrery::sim::cuda
