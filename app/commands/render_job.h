#pragma once

#include "app/commands/render.h"
#include "app/picture/display_options.h"
#include "app/picture/scene_summary.h"
#include "app/session/state.h"

namespace orrery::app {

/// What is to be drawn, put together from state file, dataset and command line, in rising precedence.
struct RenderJob {
  sim::OptionTable table = all_options();
  ViewState state;
  sim::Scene scene;
  SceneSummary summary;
};

/// Reads state and dataset and checks the options. Throws sim::Error and sim::UsageError.
RenderJob prepare_job(const RenderOptions& options);

}  // namespace orrery::app
