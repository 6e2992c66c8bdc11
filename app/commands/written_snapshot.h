#pragma once

#include <filesystem>
#include <string>

#include "app/commands/arguments.h"
#include "sim/scene/scene.h"

// What `make` and `convert` share.
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

}  // namespace orrery::app
