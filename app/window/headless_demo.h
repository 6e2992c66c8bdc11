#pragma once

#include <filesystem>
#include <string>

#include "app/film/film_format.h"
#include "app/live/demo.h"
#include "app/session/run_options.h"

namespace orrery::app {

/// A demonstration without a window.
struct HeadlessDemo {
  Demo demo;
  lab::DatasetRequest dataset;
  std::vector<std::string> assignments;
  PictureSize size{1920, 1080};
  std::filesystem::path pictures;  ///< a folder for a picture of each step; empty: none
  FilmPlan film;                   ///< film of the whole demonstration; no film if it has no output
  std::string table;               ///< CSV of the measured medians; "-": standard output; empty: none
};

/// Plays all steps, a picture at the end of each. Needs OpenGL without a display. Returns the exit status;
/// what was measured and drawn when a person interrupts is kept. Throws sim::Error, sim::UsageError or
/// render::Error; nothing is measured then.
int play_without_window(const HeadlessDemo& wanted);

}  // namespace orrery::app
