#include <fmt/format.h>

#include <optional>
#include <string>

#include "app/commands/commands.h"
#include "app/kernel_folder.h"
#include "app/log.h"
#include "app/viewer.h"
#include "app/window.h"
#include "render/error.h"

namespace orrery::app {

namespace {

/// What the window would have shown first.
int picture_instead(const ViewOptions& options) {
  const auto& data = options.run.data;
  if (data.size() > 1) {
    fmt::print(stderr, "without a display only the first dataset, '{}', is drawn; {} more left out\n",
               data.front(), data.size() - 1);
  }
  RenderOptions picture{.run = options.run, .steps = options.steps};
  if (options.window_size) picture.size = *options.window_size;
  if (options.run.screenshot_size) picture.size = *options.run.screenshot_size;
  return render_command(picture);
}

}  // namespace

int view_command(const ViewOptions& options) {
  const bool window = options.run.display == Display::window ||
                      (options.run.display == Display::automatic && Window::available());
  if (!window) return picture_instead(options);
  start_log();
  auto kernels = watch_kernels_in(options.run.kernel_folder);
  std::optional<Viewer> viewer;
  try {
    viewer.emplace(options);
  } catch (const render::Error& error) {
    if (options.run.display == Display::window) throw;
    log_warning(std::string(error.what()) + "; drawing a picture without a window");
    kernels.reset();
    return picture_instead(options);
  }
  viewer->run();
  return 0;
}

}  // namespace orrery::app
