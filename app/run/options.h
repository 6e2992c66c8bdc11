#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/film/film_format.h"
#include "app/session/run_options.h"

namespace orrery::app {

/// The film that `orrery render` was asked for.
struct FilmOptions {
  FilmPlan plan;                                 ///< without an output: no film
  std::optional<std::uint64_t> frames;           ///< default: as the path is long, or 10 s
  std::optional<std::uint64_t> steps_per_frame;  ///< default: as the speed says
  double snapshot_rate = 10.0;                   ///< snapshots per second of a series that plays
  std::string path;  ///< camera path: a preset or a file; empty: the camera stands still
  bool wanted() const { return !plan.output.empty(); }
};

/// Options of `orrery render`, and of `orrery view` without a display.
struct RenderOptions {
  RunOptions run;
  std::optional<std::uint64_t> steps;  ///< default: those of the state file, else 200, or 0
  std::vector<std::uint64_t> frames;   ///< steps with a picture each, rising; empty: one picture, at the end
  PictureSize size;
  bool transparent = false;      ///< no background, and nothing written over it
  std::filesystem::path output;  ///< empty: a free name in the pictures folder
  FilmOptions film;
  std::filesystem::path write_state;  ///< snapshot of the last step; empty: none
  bool times = false;                 ///< say how long each part of the run took
};

/// Steps without a window and writes a picture; several processes share the steps. Returns the exit status;
/// throws sim::Error, sim::UsageError or render::Error.
int render_picture(const RenderOptions& options);

}  // namespace orrery::app
