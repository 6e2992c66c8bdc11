#pragma once

#include <filesystem>
#include <future>

#include "app/picture/display_options.h"
#include "app/picture/scene_summary.h"
#include "app/run/options.h"
#include "app/session/checkpoint.h"
#include "app/session/state.h"

namespace orrery::app {

/// The job: put together from state file or checkpoint, dataset and command line, in rising
/// precedence.
struct RenderJob {
  sim::OptionTable table = all_options();
  ViewState state;
  sim::Scene scene;
  SceneSummary summary;
  std::optional<Checkpoint> resumed;  ///< the state to go on from; its view is in `state`
  /// Snapshots per film step of a series that plays; 0: no series plays.
  double snapshots_a_step = 0.0;
  std::size_t snapshots = 0;
  std::future<void> preparation;  ///< preparation of the engine (sim::prepare_engine)
};

/// Reads state and dataset and checks the options. Throws sim::Error and sim::UsageError.
RenderJob prepare_job(const RenderOptions& options);

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
