#pragma once

#include <memory>

#include "app/commands/arguments.h"

namespace orrery::app {

struct RunOptions;
struct ViewOptions;

/// The arguments of commands that show the window: datasets, engine, options, run, camera and size.
void add_viewing(Arguments& arguments, const std::shared_ptr<ViewOptions>& options);

/// Settles what these arguments leave open between each other. Throws sim::UsageError.
void settle_viewing(ViewOptions& options);

/// Throws sim::UsageError for a name that is nowhere, be it the first or one that comes later.
void require_datasets(const RunOptions& run);

}  // namespace orrery::app
