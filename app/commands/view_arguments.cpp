#include <filesystem>

#include "app/commands/argument_groups.h"
#include "app/commands/scene_arguments.h"
#include "app/session/checkpoint.h"
#include "app/window/viewer.h"
#include "sim/core/error.h"

namespace orrery::app {

namespace {

/// An empty name stands for the last session of a window.
void settle_resume(RunOptions& run) {
  check_resume(run);
  auto& resume = run.checkpoint.resume;
  if (!resume || !resume->empty()) return;
  resume = last_session_file();
  if (!std::filesystem::exists(*resume))
    throw sim::UsageError("no session was kept yet: the window keeps one when it is closed");
}

void add_run(Arguments& arguments, ViewOptions& options) {
  arguments.group("Run");
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
  add_size(arguments, "--size", options->window_size,
           "Size of the window (default: as last time), or of the picture");
  add_size(arguments, "--screenshot-size", run.screenshot_size,
           "Size of screenshots, independent of the window");
  arguments.value("--pictures", run.pictures, "Folder for pictures (default: your pictures folder)")
      .shown_as("DIR");
}

}  // namespace

void add_viewing(Arguments& arguments, const std::shared_ptr<ViewOptions>& options) {
  add_data(arguments, options->run,
           "Files, pictures made by orrery, or built-in galaxies (default: disk); N shows the next",
           DataCount::several);
  add_dataset(arguments, options->run.dataset);
  add_offsets(arguments, options->run.dataset);
  add_state(arguments, options->run);
  add_computing(arguments, options->run);
  add_untuned(arguments, options->run);
  add_kernel_folder(arguments, options->run.kernel_folder,
                    "CUDA sources from this folder, compiled again whenever they are edited");
  add_run(arguments, *options);
  add_drawing(arguments, options);
}

void settle_viewing(ViewOptions& options) {
  auto& run = options.run;
  settle_format(run);
  settle_every(run);
  settle_offsets(run.dataset, run.data);
  settle_resume(run);
}

void require_datasets(const RunOptions& run) {
  auto each = run.dataset;
  for (const auto& name : run.data) {
    each.source = name;
    lab::require_dataset(each);
  }
}

}  // namespace orrery::app
