#pragma once

#include <span>

namespace orrery::app {

class Viewer;

/// One key of the viewer. The help window lists them as they stand here.
struct KeyBinding {
  int key;           ///< GLFW key
  int modifiers;     ///< GLFW_MOD_* that must be held, exactly
  const char* name;  ///< "Ctrl+F12"
  const char* meaning;
  bool repeats;  ///< also while held down
  void (*act)(Viewer& viewer);
};

/// All keys, in the order of the help window.
std::span<const KeyBinding> key_bindings();

}  // namespace orrery::app
