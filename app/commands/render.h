#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "app/session/run_options.h"

namespace orrery::app {

/// What `orrery render` was asked for, or `orrery view` without a display.
struct RenderOptions {
  RunOptions run;
  std::optional<std::uint64_t> steps;  ///< default: those of the state file, else 200
  std::vector<std::uint64_t> frames;   ///< steps with a picture each, rising; empty: one picture, at the end
  PictureSize size;
  std::filesystem::path output;       ///< empty: a free name in the pictures folder
  std::filesystem::path write_state;  ///< snapshot of the last step; empty: none
};
/// Steps without a window and writes a picture; several processes share the steps. Returns the exit status;
/// throws sim::Error, sim::UsageError or render::Error.
int render_picture(const RenderOptions& options);

}  // namespace orrery::app
