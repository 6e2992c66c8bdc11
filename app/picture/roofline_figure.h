#pragma once

#include <filesystem>
#include <string>

#include "lab/bench/roofline.h"

namespace orrery::app {

/// Before anything is measured: throws sim::UsageError with several processes, sim::Error if the file exists
/// or cannot be written, render::Error if nothing can draw here. "" is no figure.
void check_figure(const std::filesystem::path& path);

/// Draws the figure without a window and writes a PNG; never overwrites.
void write_figure(const std::filesystem::path& path, const lab::Roofline& roofline);

}  // namespace orrery::app
