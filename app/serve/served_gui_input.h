#pragma once

#include <chrono>
#include <deque>

#include "app/gui/gui_input.h"
#include "app/window/window.h"

namespace orrery::app::serve {

class ServedWindow;

/// Feeds Dear ImGui with events of a served window. A press and a release of the same key between two frames
/// reach it in two frames, as it would not see them otherwise.
class ServedGuiInput : public GuiInput {
 public:
  /// `window` must outlive this.
  explicit ServedGuiInput(ServedWindow& window);
  ~ServedGuiInput() override;
  void begin_frame() override;

  void put(const InputEvent& event) { events_.push_back(event); }
  /// True if Dear ImGui has not seen all events yet.
  bool is_behind() const { return !events_.empty(); }
  /// Releases all keys and buttons.
  void release_all();

 private:
  bool apply(const InputEvent& event);

  ServedWindow& window_;
  std::deque<InputEvent> events_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace orrery::app::serve
