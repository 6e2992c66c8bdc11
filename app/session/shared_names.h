#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/session/state.h"

// Names of a dataset's files in what may be given to others: pictures, films, copied views. A full path tells
// the names of users and projects.
namespace orrery::app {

/// The name of a dataset file in a state in `folder`: a path relative to the folder if one of the two is in
/// or below the folder of the other; else the file name alone, and the state's hash tells if a file of that
/// name is the right one. An empty `folder` stands for a state that is not in a file.
std::string shared_name(const std::filesystem::path& file, const std::filesystem::path& folder);

/// The name of a dataset among those of DatasetRequest::with: a file that is called like a built-in galaxy
/// has a slash there.
std::string name_in_scene(const lab::DatasetRequest& request);

/// The JSON of a state that is kept in `file`; an empty path where it is in none. Remembers its files.
nlohmann::json shared_state(const ViewState& state, const std::filesystem::path& file);

/// Keeps the full paths of the dataset among the user's own settings (known_datasets.h), so that this user
/// finds them again.
void remember_files(const ViewState& state);

}  // namespace orrery::app
