#pragma once

#include <string>
#include <vector>

#include "app/commands/arguments.h"
#include "lab/setup/dataset.h"

// Which bodies of a file are taken, and several files in one scene.
namespace orrery::app {

/// --offset, several times: into `dataset.offsets`, which settle_offsets completes.
void add_offsets(Arguments& arguments, lab::DatasetRequest& dataset);

/// After parsing: where offsets were given, all of `sources` become one dataset, and only the first is left
/// in `sources`. One offset fewer than sources leaves the first where it is. Throws sim::UsageError where the
/// numbers do not fit.
void settle_offsets(lab::DatasetRequest& dataset, std::vector<std::string>& sources);

/// Throws sim::UsageError if there are several sources that no offset puts into one scene.
void require_one(const lab::DatasetRequest& dataset, const std::vector<std::string>& sources);

}  // namespace orrery::app
