#pragma once

#include <chrono>
#include <deque>
#include <glm/glm.hpp>
#include <string>

#include "app/gui/gui.h"
#include "app/window/window.h"

namespace orrery::app::serve {

/// A finger that came down on the panel, or another window of Dear ImGui. As on phones it presses when it
/// leaves without having moved, slides sideways, and scrolls up and down; so its press is held back until it
/// is known which. Needs the context of Dear ImGui current, between two frames.
class PanelFinger {
 public:
  enum class Act {
    none,    ///< still to be known
    slide,   ///< press at `start`: all else of the finger is a drag of the mouse
    scroll,  ///< the panel moved
    wheel    ///< `notches` of the wheel, for a list that scrolls by those only
  };

  /// True if the finger came down on a window of Dear ImGui; false if on the picture.
  bool begin(glm::dvec2 at);
  /// The finger moved. `slop`: the distance that a resting finger may seem to move, in window units.
  Act move(glm::dvec2 at, double slop);
  /// The finger was lifted at `at` (outside the window if a second finger cancelled it). Returns true for a
  /// tap.
  bool end(glm::dvec2 at, double slop);
  bool is_down() const { return state_ != State::away; }
  glm::dvec2 start() const { return start_; }
  int notches() const { return notches_; }

 private:
  enum class State { away, waits, scrolls, turns };
  Act decide(glm::dvec2 way);
  Act scroll(glm::dvec2 at);
  Act turn(glm::dvec2 at);

  State state_ = State::away;
  glm::dvec2 start_{0}, last_{0};
  unsigned window_ = 0;           ///< ImGuiID of what scrolls
  float scroll_at_start_ = 0.0F;  ///< scroll position when the finger came down
  int notches_ = 0;
};

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
