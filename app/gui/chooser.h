#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/named_widgets.h"

namespace orrery::app {

class Chooser;

/// The name of Dear ImGui's window that it is. It scrolls by the wheel only.
inline constexpr const char* chooser_window = "##chooser";

/// One line of a list to choose from.
struct Choice {
  std::string name;         ///< name in the widget map; unique within its list
  std::string title;        ///< text that is shown and searched
  std::string detail;       ///< at the right: a present value, a key; looked for too
  std::string words;        ///< looked for too, but not shown
  std::string help;         ///< below the list while it is selected
  std::string refusal;      ///< not empty: why it cannot be chosen; it is grey then
  bool current = false;     ///< the present choice: marked, and selected at the beginning
  bool only_found = false;  ///< shows only where something is typed
  double rank = 0.0;        ///< added to how well it fits: a letter at a word's beginning counts 80
  std::function<void(Chooser& chooser)> act = {};  ///< closes, goes back or shows the next list itself
};

/// A list to choose from, narrowed by what is typed.
struct ChoiceList {
  std::string name;        ///< name in the widget map
  std::string title = {};  ///< above the line that is typed; may be empty
  std::string prompt;      ///< text of the empty input line
  std::vector<Choice> choices = {};
  /// Made of what is typed, and first in the list; empty: always none.
  std::function<std::optional<Choice>(const std::string& typed)> from_text;
  /// Call once per frame, for what comes in the background: true if it changed the list. Empty: nothing
  /// comes.
  std::function<bool(ChoiceList& list)> update;
  /// Backspace where nothing is typed; empty: the same as Esc.
  std::function<void(Chooser& chooser)> up;
};

/// Lists in the middle of the window, driven by keyboard or mouse: the command palette, the file dialog.
///
/// Keys come from the window's events rather than from Dear ImGui, which sees only keys that are down when a
/// frame begins: whatever the frame rate, no letter is lost.
class Chooser {
 public:
  enum class Key { up, down, page_up, page_down, first, last, choose, back, erase, erase_all };

  bool open() const { return !lists_.empty(); }
  /// True while the list of that name is seen.
  bool shows(std::string_view name) const { return open() && lists_.back().list.name == name; }
  /// Opens with this list alone.
  void show(ChoiceList list);
  /// Shows a list over the present one; Esc goes back to that.
  void push(ChoiceList list);
  /// Instead of the present list.
  void replace(ChoiceList list);
  /// Goes back to the list before; closes if there is none.
  void back();
  void close() { lists_.clear(); }

  /// A letter, in UTF-8.
  void type(const std::string& letter);
  void press(Key key);
  /// Call once per frame, within a frame of Dear ImGui; beside the panel, which covers the window up to
  /// `left`, where there is room. `scale` is the interface's.
  void draw(float left, float scale, WidgetMap& widgets);

  /// For tests: the typed text, and the matching titles, the best first.
  const std::string& typed() const { return lists_.back().typed; }
  std::vector<std::string> shown() const;

 private:
  struct Open {
    ChoiceList list;
    std::string typed;
    std::vector<Choice> fitting;  ///< the best first
    std::size_t selected = 0;
    std::size_t first_row = 0;
  };
  static void narrow(Open& open);
  static void select_current(Open& open);
  void move(std::ptrdiff_t rows);
  static void scroll(Open& open, std::ptrdiff_t by, std::size_t rows);
  void choose(std::size_t row);
  void draw_field(const Open& open, WidgetMap& widgets) const;
  void draw_rows(Open& open, WidgetMap& widgets);
  bool draw_row(const Open& open, std::size_t row, WidgetMap& widgets) const;
  static void draw_help(const Open& open);

  std::vector<Open> lists_;
  int frames_ = 0;  ///< since it opened
};

/// For Choice::act: closes the lists, and then does this.
std::function<void(Chooser& chooser)> closing(std::function<void()> act);

}  // namespace orrery::app
