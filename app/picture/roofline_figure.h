#pragma once

#include <filesystem>

#include "lab/bench/roofline.h"

namespace orrery::app {

/// Before anything is measured: throws sim::UsageError with several processes, and what
/// plots::check_figure_file throws. "" is no figure.
void check_figure(const std::filesystem::path& path);

/// Draws lab::roofline_figure as SVG or PNG; never overwrites.
void write_figure(const std::filesystem::path& path, const lab::Roofline& roofline);

}  // namespace orrery::app
