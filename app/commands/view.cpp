#include "app/window/view_options.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/commands/interruption.h"
#include "app/commands/kernel_folder.h"
#include "app/commands/render.h"
#include "app/commands/scene_arguments.h"
#include "app/log.h"
#include "app/window/display_window.h"
#include "app/window/last_session.h"
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
    fmt::print(stderr, "there is no display (DISPLAY is not set): this picture stands for the window\n");
  return status;
}

/// An empty name stands for the last session of a window.
void settle_resume(RunOptions& run) {
  check_resume(run);
  auto& resume = run.checkpoint.resume;
  if (!resume || !resume->empty()) return;
  resume = last_session_file();
  if (!std::filesystem::exists(*resume))
    throw sim::UsageError("no session was kept yet: the window keeps one when it is closed");
}

int view(const ViewOptions& options) {
  const bool window = options.run.display == Display::window ||
                      (options.run.display == Display::automatic && DisplayWindow::available());
  if (!window) return picture_instead(options);
  // A name that is nowhere is a mistake in the command: no window opens for it.
  if (options.run.data.size() == 1) lab::require_dataset(options.run.dataset);
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

void add_run(Arguments& arguments, ViewOptions& options) {
  arguments.group("Run");
  arguments
      .value("--steps", options.steps,
             "Steps before the picture, without a display only (default 200, or those of the state)")
      .whole_number(0);
  arguments.flag(
      "--paused", [&options] { options.paused = true; },
      "Open paused (default: files do, with their facts; Space runs)");
  arguments.flag(
      "--play", [&options] { options.paused = false; }, "Run from the start, files too");
  add_series(arguments, options.run);
  add_checkpoints(arguments, options.run.checkpoint,
                  "Go on from a checkpoint, or without FILE with the last session of the window", true);
}

void add_drawing(Arguments& arguments, const std::shared_ptr<ViewOptions>& options) {
  auto& run = options->run;
  arguments.group("Picture");
  add_camera(arguments, run.camera);
  arguments
      .text(
          "--size", [options](const std::string& text) { options->window_size = parse_picture_size(text); },
          "Size of the window (default: as last time), or of the picture")
      .shown_as("WxH");
  arguments
      .text(
          "--screenshot-size",
          [&run](const std::string& text) { run.screenshot_size = parse_picture_size(text); },
          "Size of screenshots, independent of the window")
      .shown_as("WxH");
  arguments.value("--pictures", run.pictures, "Folder for pictures (default: your pictures folder)")
      .shown_as("DIR");
  arguments.flag("--fullscreen", options->fullscreen, "Use the whole screen");
  arguments
      .text(
          "--display", [&run](const std::string& text) { run.display = parse_display(text); },
          "Where to draw; headless makes one picture")
      .shown_as("auto|window|headless");
}

Action declare_view(Arguments& arguments) {
  const auto options = std::make_shared<ViewOptions>();
  const auto take_data = [options](const std::vector<std::string>& values) {
    options->run.data = values;
    options->run.dataset.source = values.front();
  };
  arguments
      .texts("DATA", take_data,
             "Files, pictures made by orrery, or built-in galaxies (default: disk); N shows the next")
      .shown_as("")
      .not_empty()
      .names_file(FileRole::read);
  add_dataset(arguments, options->run.dataset);
  add_offsets(arguments, options->run.dataset);
  add_state(arguments, options->run);
  add_computing(arguments, options->run);
  add_untuned(arguments, options->run);
  add_kernel_folder(arguments, options->run.kernel_folder,
                    "CUDA sources from this folder, compiled again whenever they are edited");
  add_run(arguments, *options);
  add_drawing(arguments, options);
  arguments.footer(galaxies_help());
  return [options] {
    settle_format(options->run);
    settle_every(options->run);
    settle_offsets(options->run.dataset, options->run.data);
    settle_resume(options->run);
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
