#pragma once

#include <span>
#include <string_view>

namespace orrery::app {

class Viewer;

/// Something that the viewer does when asked by the palette or by a button. What has a key stands in keys.h.
struct ViewerCommand {
  const char* name;     ///< lower case, hyphens
  const char* title;    ///< text that is shown and searched
  const char* meaning;  ///< one line
  void (*act)(Viewer& viewer);
  bool of_server = false;  ///< only in the window of a server
};

/// All commands, in the order of the palette.
std::span<const ViewerCommand> viewer_commands();

/// Does what the command of that name does; nothing if there is none.
void run_command(Viewer& viewer, std::string_view name);

}  // namespace orrery::app
