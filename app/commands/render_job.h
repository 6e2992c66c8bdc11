#pragma once

#include <future>

#include "app/commands/render.h"
#include "app/picture/display_options.h"
#include "app/picture/scene_summary.h"
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

}  // namespace orrery::app
