#pragma once

#include <filesystem>
#include <string>

namespace orrery::sim {

/// The whole of a regular file of at most 256 MiB. Throws Error with one line if it is missing, larger,
/// unreadable, a folder, a device or a pipe.
std::string read_text_file(const std::filesystem::path& path);

}  // namespace orrery::sim
