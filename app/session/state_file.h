#pragma once

#include <filesystem>
#include <string>

// The text of states in files: JSON, or in the metadata of a picture.
namespace orrery::app {

/// The PNG keyword.
inline constexpr const char* state_keyword = "orrery";

/// The JSON text of a state file, or of a picture made by this program. Throws sim::Error
/// with one line, sim::UsageError if there is no such file.
std::string read_state_text(const std::filesystem::path& path);
/// True if the file begins like a PNG, an OpenEXR picture or a JSON object: such a file is a state, not a
/// dataset.
bool looks_like_state(const std::filesystem::path& path);

}  // namespace orrery::app
