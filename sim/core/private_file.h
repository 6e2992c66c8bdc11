#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sim/core/descriptor.h"

// Files that only this user, or the administrator, may have written (code that is run is read from no
// others), and secrets, which nobody else may read.
namespace orrery::sim {

/// Makes sure that the folder is there, belongs to this user, and that nobody else may write into it: a right
/// to do so is taken away. False: that cannot be had.
bool make_private(const std::filesystem::path& folder);

/// The bytes of a regular file that belongs to this user or the administrator. Empty for any other, through a
/// link too.
std::string read_private(const std::filesystem::path& file);

/// Writes a secret into a new file, which only this user can read and write from its first byte on, and gives
/// it the name `target`. A file or a link that has the name is replaced, never written through. Throws Error:
/// also for a device or a pipe.
void write_secret(const std::filesystem::path& target, std::string_view text);

/// The text of a regular file that holds a secret. Throws Error with what helps if others can read it, or if
/// it belongs neither to this user nor to the administrator.
std::string read_secret(const std::filesystem::path& file);

/// Opens a file for flock(), or makes it; none if that cannot be. No other user can open it: whoever can read
/// a file or a folder can hold a lock on it for ever.
Descriptor open_lock_file(const std::filesystem::path& file);

}  // namespace orrery::sim
