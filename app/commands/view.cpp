#include "app/commands/commands.h"
#include "app/log.h"
#include "app/viewer.h"
#include "app/window.h"

namespace orrery::app {

int view_command(const ViewOptions& options) {
  const bool window = options.run.display == Display::window ||
                      (options.run.display == Display::automatic && Window::available());
  if (!window) {
    RenderOptions picture{.run = options.run};
    if (options.run.screenshot_size) picture.size = *options.run.screenshot_size;
    return render_command(picture);
  }
  start_log();
  Viewer(options).run();
  return 0;
}

}  // namespace orrery::app
