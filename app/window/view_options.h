#pragma once

#include <cstdint>
#include <optional>

#include "app/live/demo.h"
#include "app/session/run_options.h"

namespace orrery::app {

/// Options of `orrery view`.
struct ViewOptions {
  RunOptions run;
  std::optional<PictureSize> window_size;  ///< empty: as it was last time; the picture's without a display
  std::optional<std::uint64_t> steps;      ///< before the picture, without a display only
  bool fullscreen = false;
  std::optional<bool> paused;   ///< whether datasets open paused; empty: files do
  std::optional<Demo> demo;     ///< to play with the first dataset
  bool demo_by_itself = false;  ///< without Space
};

}  // namespace orrery::app
