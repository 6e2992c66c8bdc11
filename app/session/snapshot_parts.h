#pragma once

#include <filesystem>
#include <string>

// The names of a snapshot in several files: snap.0, snap.1; snap.0.hdf5, snap.1.hdf5. A reader of one of
// them reads the others, too.
namespace orrery::app {

/// The file's name without its part numbers: that of "snap.0.hdf5" and "snap.12.hdf5" is the same. They may
/// be parts of one snapshot.
std::string without_part_number(const std::filesystem::path& path);

/// True if the name has a part number.
bool has_part_number(const std::filesystem::path& path);

}  // namespace orrery::app
