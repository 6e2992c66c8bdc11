#pragma once

#include "app/run/options.h"

namespace orrery::app {

/// Steps without a window and writes a picture; several processes share the steps. Returns the exit status;
/// throws sim::Error, sim::UsageError or render::Error.
int render_picture(const RenderOptions& options);

}  // namespace orrery::app
