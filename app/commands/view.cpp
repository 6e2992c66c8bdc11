#include <optional>
#include <string>

#include "app/commands/commands.h"
#include "app/log.h"
#include "app/viewer.h"
#include "app/window.h"
#include "render/error.h"

namespace orrery::app {

namespace {

int picture_instead(const ViewOptions& options) {
  RenderOptions picture{.run = options.run};
  if (options.run.screenshot_size) picture.size = *options.run.screenshot_size;
  return render_command(picture);
}

}  // namespace

int view_command(const ViewOptions& options) {
  const bool window = options.run.display == Display::window ||
                      (options.run.display == Display::automatic && Window::available());
  if (!window) return picture_instead(options);
  start_log();
  std::optional<Viewer> viewer;
  try {
    viewer.emplace(options);
  } catch (const render::Error& error) {
    if (options.run.display == Display::window) throw;
    log_warning(std::string(error.what()) + "; drawing a picture without a window");
    return picture_instead(options);
  }
  viewer->run();
  return 0;
}

}  // namespace orrery::app
