#pragma once

#include <chrono>
#include <deque>
#include <string>

#include "app/gui/gui_input.h"
#include "app/window/window.h"

namespace orrery::app::serve {

class ServedGuiInput;

/// The window that Dear ImGui's input belongs to.
class GuiInputHost {
 public:
  virtual ~GuiInputHost() = default;
  /// `input` gets the window's events from now on; nullptr: none does.
  virtual void attach(ServedGuiInput* input) = 0;
  virtual const char* clipboard_text() const = 0;
  virtual void set_clipboard(const std::string& text) = 0;
  /// Tells the browser which shape the pointer has (ImGuiMouseCursor), and whether letters are typed.
  virtual void show_cursor(int shape, bool typing) = 0;
};

/// Feeds Dear ImGui with events of a served window. A press and a release of the same key between two frames
/// reach it in two frames, as it would not see them otherwise.
class ServedGuiInput : public GuiInput {
 public:
  /// `window` must outlive this.
  explicit ServedGuiInput(GuiInputHost& window);
  ~ServedGuiInput() override;
  void begin_frame() override;

  void put(const InputEvent& event) { events_.push_back(event); }
  /// True if Dear ImGui has not seen all events yet.
  bool is_behind() const { return !events_.empty(); }
  /// Releases all keys and buttons.
  void release_all();

 private:
  bool apply(const InputEvent& event);

  GuiInputHost& window_;
  std::deque<InputEvent> events_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace orrery::app::serve
