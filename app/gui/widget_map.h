#pragma once

#include <filesystem>
#include <glm/glm.hpp>
#include <map>
#include <string>

namespace orrery::app {

/// The positions of the panel's widgets in the last frame, by the name of what they set: for scripts that
/// drive the real window. Written as JSON to the file that the environment variable ORRERY_WIDGET_MAP names,
/// when something moved; otherwise nothing is recorded. Builds without ORRERY_ASSERTIONS never write one.
/// While one is written the window draws as when idle.
class WidgetMap {
 public:
  WidgetMap();
  bool enabled() const { return !file_.empty(); }
  /// Call right after a widget: its rectangle in window units. What is scrolled out of view has its name with
  /// `hidden:` before it.
  void note(const std::string& name);
  /// Notes a rectangle that is drawn without a widget.
  void note_box(const std::string& name, glm::vec2 low, glm::vec2 high) {
    if (enabled()) boxes_[name] = {low, high};
  }
  /// Leaves out what was noted in this frame so far.
  void forget() { boxes_.clear(); }
  /// Call it at the end of a frame.
  void write();

 private:
  struct Box {
    glm::vec2 low, high;
    bool operator==(const Box&) const = default;
  };
  std::filesystem::path file_;
  std::map<std::string, Box> boxes_;
  std::map<std::string, Box> written_;
};

}  // namespace orrery::app
