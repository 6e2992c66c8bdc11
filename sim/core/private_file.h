#pragma once

#include <filesystem>
#include <string>

// Files that only this user, or the administrator, may have written: code that is run is read from no others.
namespace orrery::sim {

/// Makes sure that the folder is there, belongs to this user, and that nobody else may write into it: a right
/// to do so is taken away. False: that cannot be had.
bool make_private(const std::filesystem::path& folder);

/// The bytes of a regular file that belongs to this user or the administrator. Empty for any other, through a
/// link too.
std::string read_private(const std::filesystem::path& file);

}  // namespace orrery::sim
