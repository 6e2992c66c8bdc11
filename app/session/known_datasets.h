#pragma once

#include <filesystem>
#include <string>
#include <vector>

// Where the datasets of this user's pictures lie: datasets.json beside the settings. Pictures name only the
// files, so that they can be given away; with this list their own user opens them from anywhere.
namespace orrery::app {

/// False where there is no list and can be none: without a home folder, or where nothing can be written
/// there.
bool can_remember_datasets();

/// Keeps the full paths of a dataset's files, the newest dataset first. Of a symbolic link both names are
/// kept: pictures have the name of its target, checkpoints its own. Where that is not possible nothing
/// happens: the picture is written all the same.
void remember_dataset(const std::string& hash, const std::vector<std::string>& files);

/// The file of that name of the newest dataset with this hash; empty if there is none.
std::filesystem::path known_file(const std::string& hash, const std::filesystem::path& name);

/// The newest file of that name, of any dataset; empty if there is none.
std::filesystem::path known_file(const std::filesystem::path& name);

}  // namespace orrery::app
