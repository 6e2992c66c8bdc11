#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/dataset.h"
#include "sim/scene.h"
#include "sim/tuning/configuration.h"

namespace orrery::app {

/// Width and height in pixels.
struct PictureSize {
  int width = 1280;
  int height = 720;
};
/// Reads "1920x1080". Throws sim::UsageError.
PictureSize parse_picture_size(const std::string& text);

/// Where the viewer draws: a window if there is a display, or as asked.
enum class Display { automatic, window, headless };
/// Reads "auto", "window" or "headless". Throws sim::UsageError.
Display parse_display(const std::string& text);

/// What the command line says about dataset and options; shared by view, render and bench.
struct RunOptions {
  std::vector<std::string> data;  ///< files or built-in galaxies; the first is shown
  DatasetRequest dataset;         ///< `source` is filled from `data`
  std::vector<std::string>
      assignments;                 ///< name=value, in order; --kernel and the like are turned into these
  std::filesystem::path state;     ///< picture or state file to start from; empty: none
  std::filesystem::path pictures;  ///< folder for pictures; empty: the user's pictures folder
  std::optional<PictureSize> screenshot_size;
  Display display = Display::automatic;
  bool untuned = false;                 ///< leave out what `orrery tune` remembered
  std::filesystem::path kernel_folder;  ///< CUDA sources; empty: the embedded ones
};

/// For commands without a log: says on standard error what reading a file assumed, repaired or ignored.
void report_notes(const DatasetRequest& request, const sim::Scene& scene);

/// Sets the options that suit the scene: force law and its strengths, softening, time step, integrator,
/// dimensions, speed, size of the bodies.
void apply_scene(sim::Configuration& configuration, const sim::Scene& scene);
/// Sets what the command line assigned, in order. Throws sim::UsageError.
void apply_assignments(const sim::OptionTable& table, sim::Configuration& configuration,
                       const std::vector<std::string>& assignments);

/// The assignments that "0,2" or "all" stands for: device and devices. Throws sim::UsageError.
std::vector<std::string> device_assignments(const std::string& list);

/// The context that option conflicts are judged in.
sim::OptionContext option_context(const sim::Scene& scene);

}  // namespace orrery::app
