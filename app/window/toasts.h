#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "app/gui/widget_map.h"

namespace orrery::app {

/// Short messages at the bottom of the picture, the newest below, each for some seconds: what a key has
/// changed, the file of a picture, an error.
class Toasts {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Kind { note, done, problem };

  /// A note replaces the note before it; the same text again only stays longer. Nothing if it is empty.
  void add(Kind kind, std::string text, Clock::time_point now = Clock::now());
  /// Takes away what has had its time.
  void expire(Clock::time_point now);
  /// Within a frame of Dear ImGui, beside the panel, which covers the window up to `left` (window units).
  /// `scale` is the interface's.
  void draw(float left, float scale, WidgetMap& widgets) const;

  /// The texts, oldest first.
  std::vector<std::string> texts() const;

 private:
  struct Toast {
    Kind kind;
    std::string text;
    Clock::time_point end;
  };
  std::vector<Toast> toasts_;
};

}  // namespace orrery::app
