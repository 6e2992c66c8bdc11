#pragma once

#include <chrono>
#include <functional>

#include "app/live/demo.h"
#include "render/picture/camera.h"

namespace orrery::app {

class Session;

/// Moves the camera of a demonstration: flies to where a step looks, turns, and keeps the bodies in the
/// picture while they move. Whoever takes the camera in hand has it until the next step.
class DemoCameraman {
 public:
  using Clock = std::chrono::steady_clock;

  /// A step begins. `fit` shows the whole dataset in the session's camera; `jumps`: it begins where it looks.
  void aim(Session& session, const DemoStep& step, const std::function<void()>& fit, double aspect,
           bool jumps, Clock::time_point now);
  /// Once a frame.
  void move(Session& session, const std::function<void()>& fit, double aspect, Clock::time_point now);

 private:
  render::Camera framed(Session& session, const std::function<void()>& fit, double aspect) const;
  void show(Session& session);
  void follow(Session& session, const std::function<void()>& fit, double aspect, Clock::time_point now,
              double passed);

  DemoCamera wanted_;
  bool moving_ = false, flying_ = false;
  /// What is shown is `base_`, raised above the caption; `last_` is that as it was set.
  render::Camera from_, to_, base_, last_;
  Clock::time_point since_{}, moved_{}, looked_{};
  std::uint64_t step_ = 0;  ///< at which was looked last where the bodies are
};

}  // namespace orrery::app
