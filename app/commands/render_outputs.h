#pragma once

#include <filesystem>

#include "app/commands/render.h"
#include "app/commands/render_job.h"

// The files that `orrery render` writes, and the checks of them before anything is computed.
namespace orrery::app {

/// The file of the picture of the job's present step.
std::filesystem::path output_of(const RenderOptions& options, const RenderJob& job);
/// True for .exr, which holds linear light.
bool is_light_file(const std::filesystem::path& output);

/// False where a series or a film alone was asked for.
bool wants_picture(const RenderOptions& options);
/// False: OpenGL is not needed.
bool draws(const RenderOptions& options);

/// Throws sim::UsageError and sim::Error for options that contradict each other, and for files that could not
/// be written.
void check_options(RenderOptions& options);
/// Checks the files of all pictures, once their steps are known. Throws sim::UsageError and sim::Error.
void check_outputs(const RenderOptions& options, RenderJob& job);
/// Checks all files of the run, and reads the dataset of a state or checkpoint. Throws sim::UsageError and
/// sim::Error.
void check_files_of_run(const RenderOptions& options, const lab::DatasetRequest& dataset);
/// Throws sim::UsageError for several views in a file of light.
void check_views(const RenderOptions& options, const RenderJob& job);

}  // namespace orrery::app
