#pragma once

#include <filesystem>
#include <functional>
#include <string>

// The names of a snapshot in several files: snap.0, snap.1; snap.0.hdf5, snap.1.hdf5. A reader of one of
// them reads the others, too.
namespace orrery::app {

/// The file's name without its part numbers: that of "snap.0.hdf5" and "snap.12.hdf5" is the same. They may
/// be parts of one snapshot.
std::string without_part_number(const std::filesystem::path& path);

/// True if the name has a part number.
bool has_part_number(const std::filesystem::path& path);

/// True if `fits` is true of every file that is opened to read `path`: of a folder, an index or a pattern all
/// its snapshots, of a snapshot in several files its other parts too. False where that cannot be found out.
bool all_files_fit(const std::filesystem::path& path,
                   const std::function<bool(const std::filesystem::path& file)>& fits);

}  // namespace orrery::app
