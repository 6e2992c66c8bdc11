#pragma once

#include <span>
#include <string_view>

namespace orrery::app {

class Viewer;

/// One key of the viewer. The help window lists them as they stand here.
struct KeyBinding {
  int key;           ///< GLFW key
  int modifiers;     ///< GLFW_MOD_* that must be held, exactly
  const char* name;  ///< "Ctrl+F12"
  const char* meaning;
  void (*act)(Viewer& viewer);
  bool repeats = false;  ///< also while held down
};

/// All keys, in the order of the help window.
std::span<const KeyBinding> key_bindings();

/// Something that the viewer does when asked by the palette or by a button. What has a key stands among the
/// key bindings.
struct ViewerCommand {
  const char* name;     ///< lower case, hyphens
  const char* title;    ///< text that is shown and searched
  const char* meaning;  ///< one line
  void (*act)(Viewer& viewer);
  enum class Where { anywhere, on_display, on_server };
  Where where = Where::anywhere;  ///< the windows that have it
};

/// All commands, in the order of the palette.
std::span<const ViewerCommand> viewer_commands();

/// True if this window has the command.
bool is_offered(const ViewerCommand& command, const Viewer& viewer);

/// The command of that name; null if this window has none.
const ViewerCommand* find_command(const Viewer& viewer, std::string_view name);

}  // namespace orrery::app
