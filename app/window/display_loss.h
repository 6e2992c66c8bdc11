#pragma once

#include <functional>

namespace orrery::app {

/// Handles the loss of the X server while an object lives: the program ends with one line and the status of a
/// failure, after `keep` has saved what it can without a display. Xlib would end it with a text of its own.
/// Create it when a window is open.
class DisplayLoss {
 public:
  explicit DisplayLoss(std::function<void()> keep);
  DisplayLoss(const DisplayLoss&) = delete;
  DisplayLoss& operator=(const DisplayLoss&) = delete;
  ~DisplayLoss();
};

}  // namespace orrery::app
