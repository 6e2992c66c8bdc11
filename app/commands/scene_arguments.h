#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/commands/arguments.h"
#include "lab/setup/dataset.h"
#include "sim/scene/scene.h"

// Arguments of scenes: which bodies of a file are taken, several files in one scene, and the file that
// `make` and `convert` write.
namespace orrery::app {

/// A file to write.
struct WrittenSnapshot {
  std::filesystem::path path;
  std::string format;       ///< empty: by the extension
  bool big_endian = false;  ///< Tipsy only
};

/// --format and --big-endian.
void add_snapshot_format(Arguments& arguments, WrittenSnapshot& file, const std::string& meaning);

/// Throws sim::UsageError if the name says no format that can be written, or the options are not for it.
void check_output(const WrittenSnapshot& file);

/// Writes the file and says so. Throws sim::Error and sim::UsageError.
void write_and_report(const sim::Scene& scene, const WrittenSnapshot& file);

/// --offset, several times: into `dataset.offsets`, which settle_offsets completes.
void add_offsets(Arguments& arguments, lab::DatasetRequest& dataset);

/// After parsing: where offsets were given, all of `sources` become one dataset, and only the first is left
/// in `sources`. One offset fewer than sources leaves the first where it is. Throws sim::UsageError where the
/// numbers do not fit.
void settle_offsets(lab::DatasetRequest& dataset, std::vector<std::string>& sources);

/// Throws sim::UsageError if there are several sources that no offset puts into one scene.
void require_one(const lab::DatasetRequest& dataset, const std::vector<std::string>& sources);

}  // namespace orrery::app
