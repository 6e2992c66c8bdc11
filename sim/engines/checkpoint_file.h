#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sim/engines/engine_state.h"

namespace orrery::sim {

/// The content of a checkpoint.
struct CheckpointContent {
  std::string about;  ///< JSON: the source of the bodies and the configuration, for resuming
  EngineState engine;
};

/// The path of the checkpoint before the last one: FILE.previous.
std::filesystem::path previous_checkpoint(const std::filesystem::path& file);

/// Writes the file under another name, complete and on the disk, and only then gives it its own. With
/// `keep_previous` what has the name goes on as FILE.previous, in place of the one there: whenever the
/// program ends, one of the two is whole. Throws Error; then FILE is as it was.
void write_checkpoint(const std::filesystem::path& file, std::string_view about, const EngineState& engine,
                      bool keep_previous);

/// Throws UsageError if there is no such file, Error with one line if it is none, of another version or
/// damaged: with the name of a whole one beside it, if there is one.
CheckpointContent read_checkpoint(const std::filesystem::path& file);

/// True if the file begins like a checkpoint.
bool looks_like_checkpoint(const std::filesystem::path& file);

}  // namespace orrery::sim
