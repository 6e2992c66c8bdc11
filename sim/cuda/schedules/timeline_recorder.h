#pragma once

#include "sim/cuda/driver/cuda_abi.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "sim/cuda/driver/device.h"
#include "sim/engines/timeline.h"

namespace orrery::sim::cuda {

/// Puts events around the work of one device's streams while it is switched on, and makes spans of them.
/// Costs nothing while it is off. Events are kept and used again.
class TimelineRecorder {
 public:
  /// A span that was begun.
  using Mark = std::size_t;

  /// Starts over; time 0 is when the device reaches this point of `main`.
  void start(int device, CUstream main);
  bool on() const { return on_; }
  /// Set while streams are being captured into a graph, whose runs record the events.
  void set_capturing(bool capturing) { capturing_ = capturing; }
  Mark begin(TimelineKind activity, int stream, int galaxy, int step, CUstream native);
  void end(Mark mark, CUstream native);
  /// Forgets what was begun.
  void cancel() { on_ = waiting_ = capturing_ = false; }
  /// Ends recording; `main` must have joined the other streams.
  void stop(CUstream main);
  /// The spans once the device has done all of them; empty before.
  std::optional<std::vector<TimelineSpan>> take();

 private:
  struct Recorded {
    TimelineSpan span;
    std::unique_ptr<Event> begin, end;
  };
  std::unique_ptr<Event> event();
  void record(Event& event, CUstream stream) const;

  bool on_ = false;
  bool capturing_ = false;
  bool waiting_ = false;  ///< stopped, not taken yet
  int device_ = 0;
  std::unique_ptr<Event> zero_, last_;
  std::vector<Recorded> recorded_;
  std::vector<std::unique_ptr<Event>> spare_;
};

}  // namespace orrery::sim::cuda
