#include "app/commands/commands.h"

namespace orrery::app {

int view_command(const ViewOptions& options) {
  return render_command({.run = options.run, .steps = {}, .size = options.window_size, .output = {}});
}

}  // namespace orrery::app
