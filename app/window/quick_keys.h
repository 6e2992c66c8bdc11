#pragma once

#include <functional>
#include <vector>

namespace orrery::app {

/// A key of GLFW that was pressed, or a letter that was typed (Unicode).
struct Typed {
  int key = -1;
  unsigned letter = 0;
};

/// Gives Dear ImGui before 1.87, which sees only keys that are down when a frame begins, all that was typed
/// between two frames, in its order. A key that was let go already is down for a frame, one that was pressed
/// again is up for a frame before, and what follows a key such as Enter waits for the next frame. Modifiers
/// are as they are by now. Later versions do all of that themselves.
class QuickKeys {
 public:
  /// Call before ImGui::NewFrame. `typed`: keys since the last call; `is_down`: whether a key is down by now.
  void begin_frame(const std::vector<Typed>& typed, const std::function<bool(int)>& is_down);

 private:
  bool press(int key);

  std::vector<Typed> waiting_;
  std::vector<int> held_;  ///< pressed in the frame before
};

}  // namespace orrery::app
