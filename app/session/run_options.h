#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/session/camera_file.h"
#include "app/session/checkpoint.h"
#include "lab/bench/bench_setup.h"
#include "lab/setup/dataset.h"
#include "lab/setup/starting_options.h"
#include "sim/series/series_writer.h"

namespace orrery::app {

/// Width and height in pixels.
struct PictureSize {
  int width = 1280;
  int height = 720;

  /// Width / height.
  double aspect() const { return static_cast<double>(width) / height; }
};
/// Reads "1920x1080". Throws sim::UsageError.
PictureSize parse_picture_size(const std::string& text);

/// The output of the viewer: a window if there is a display, or as requested.
enum class Display { automatic, window, headless };
/// Reads "auto", "window" or "headless". Throws sim::UsageError.
Display parse_display(const std::string& text);

/// Dataset and options of the command line; shared by view, render and bench.
struct RunOptions {
  std::vector<std::string> data;  ///< files or built-in galaxies; the first is shown
  lab::DatasetRequest dataset;    ///< `source` is filled from `data`
  std::vector<std::string>
      assignments;                 ///< name=value, in order; --kernel and the like are turned into these
  std::filesystem::path state;     ///< picture or state file to start from; empty: none
  std::filesystem::path pictures;  ///< folder for pictures; empty: the user's pictures folder
  std::filesystem::path uploads;   ///< where browsers' files arrive; empty: the window is on the display
  std::filesystem::path root;      ///< with uploads: the folder whose files may be opened too; empty: none
  std::optional<PictureSize> screenshot_size;
  CameraChoice camera;
  Display display = Display::automatic;
  bool untuned = false;                 ///< leave out what `orrery tune` remembered
  std::filesystem::path kernel_folder;  ///< CUDA sources; empty: the embedded ones
  sim::SeriesRequest series;            ///< states to keep; without a folder: none
  std::string format;                   ///< format of the series (settle_format)
  CheckpointRequest checkpoint;
  std::string every;  ///< interval between states of the series and between checkpoints (settle_every);
                      ///< empty: the default
};

/// Hands --format to the series. Throws sim::UsageError without one.
void settle_format(RunOptions& run);

/// Hands --every to the series and to checkpoints: a number of steps to both, a time to the latter. Throws
/// sim::UsageError without either, and for a series in a time.
void settle_every(RunOptions& run);

/// Throws sim::UsageError where the run goes on from a checkpoint, which says dataset and state, and the
/// command line says them too. The file of the dataset may be named.
void check_resume(const RunOptions& run);

/// The setup to measure from the command's dataset and assignments, with every option of the program.
lab::BenchSetup bench_setup(const RunOptions& run);

}  // namespace orrery::app
