
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/log.h"
#include "app/run/interruption.h"
#include "app/run/kernel_folder.h"
#include "app/run/options.h"
#include "app/window/display_window.h"
#include "app/window/viewer.h"
#include "render/error.h"
#include "sim/core/error.h"

namespace orrery::app {

namespace {

/// Draws the picture that the window would have shown first.
int picture_instead(const ViewOptions& options) {
  const auto& data = options.run.data;
  if (data.size() > 1) {
    fmt::print(stderr, "without a display only the first dataset, '{}', is drawn; {} more left out\n",
               data.front(), data.size() - 1);
  }
  RenderOptions picture{.run = options.run, .steps = options.steps};
  if (options.window_size) picture.size = *options.window_size;
  if (options.run.screenshot_size) picture.size = *options.run.screenshot_size;
  const int status = render_picture(picture);
  if (status == 0 && options.run.display == Display::automatic && !DisplayWindow::available())
    fmt::print(
        stderr,
        "there is no display (DISPLAY is not set): this picture stands for the window; `orrery serve` shows "
        "it in a browser\n");
  return status;
}

int view(const ViewOptions& options) {
  // A name that is nowhere is a mistake in the command: no window opens for it.
  require_datasets(options.run);
  const bool window = options.run.display == Display::window ||
                      (options.run.display == Display::automatic && DisplayWindow::available());
  if (!window) return picture_instead(options);
  if (!options.run.series.folder.empty()) sim::check_series(options.run.series);
  start_log();
  end_early_on_signals();
  auto kernels = watch_kernels_in(options.run.kernel_folder);
  std::optional<Viewer> viewer;
  try {
    viewer.emplace(options, display_window(options));
  } catch (const render::Error& error) {
    if (options.run.display == Display::window) throw;
    log_warning(std::string(error.what()) + "; drawing a picture without a window");
    kernels.reset();
    return picture_instead(options);
  }
  viewer->run();
  const auto step = viewer->session().has_dataset() ? viewer->session().frame().steps : 0;
  viewer.reset();
  return interrupted_at(fmt::format("step {}", step));
}

Action declare_view(Arguments& arguments) {
  const auto options = std::make_shared<ViewOptions>();
  add_viewing(arguments, options);
  arguments.group("Run");
  arguments
      .value("--steps", options->steps,
             "Steps before the picture, without a display only (default 200, or those of the state)")
      .whole_number(0);
  arguments.group("Picture");
  arguments.flag("--fullscreen", options->fullscreen, "Use the whole screen");
  arguments
      .text(
          "--display", [options](const std::string& text) { options->run.display = parse_display(text); },
          "Where to draw; headless makes one picture")
      .shown_as("auto|window|headless");
  arguments.footer(galaxies_help());
  return [options] {
    settle_viewing(*options);
    return view(*options);
  };
}

}  // namespace

/// Opens the window; without a display renders a picture of the first dataset.
extern const Command view_command{
    .name = "view",
    .meaning = "Open the window on datasets or a built-in galaxy (the default command)",
    .declare = declare_view};

}  // namespace orrery::app
