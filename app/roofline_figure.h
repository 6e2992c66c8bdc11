#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/benchmark.h"
#include "app/roofline.h"

namespace orrery::app {

/// Before anything is measured: throws sim::UsageError with several processes, sim::Error if the file exists
/// or cannot be written, render::Error if nothing can draw here. "" is no figure.
void check_figure(const std::filesystem::path& path);

/// The figure's content. Rows of a GPU whose machine code tells its instructions; of several GPUs rate and
/// limits are those of one. Throws sim::Error if there is no such row.
Roofline roofline_of(const std::vector<BenchmarkRow>& rows, const std::string& dataset);

/// Draws the figure without a window and writes a PNG; never overwrites.
void write_figure(const std::filesystem::path& path, const Roofline& roofline);

}  // namespace orrery::app
