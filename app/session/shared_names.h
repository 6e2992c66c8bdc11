#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/session/state.h"
#include "render/picture/image.h"
#include "sim/core/file_writer.h"

// Where the datasets of this user's pictures lie: datasets.json beside the settings. Pictures name only the
// files, so that they can be given away; with this list their own user opens them from anywhere.
// Names of a dataset's files in what may be given to others: pictures, films, copied views. A full path tells
// the names of users and projects.
namespace orrery::app {

/// True for a file or a folder that is there, and for a pattern of names.
bool is_there(const std::filesystem::path& file);

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

/// The name of a dataset file in a state in `folder`: a path relative to the folder if one of the two is in
/// or below the folder of the other; else the file name alone, and the state's hash tells if a file of that
/// name is the right one. An empty `folder` stands for a state that is not in a file.
std::string shared_name(const std::filesystem::path& file, const std::filesystem::path& folder);

/// The name of a dataset among those of DatasetRequest::with: a file that is called like a built-in galaxy
/// has a slash there.
std::string name_in_scene(const lab::DatasetRequest& request);

/// The JSON of a state that is kept in `file`; an empty path where it is in none. Remembers its files.
nlohmann::json shared_state(const ViewState& state, const std::filesystem::path& file);

/// Keeps the full paths of the dataset among the user's own settings, so that this user
/// finds them again.
void remember_files(const ViewState& state);

/// The text of a state that is kept in `file`, or in none (an empty path): the clipboard. It names the files
/// of its dataset without telling where they lie. Indented by `indent` blanks a level, or in
/// one line (-1). Bytes of file names that are no UTF-8 are replaced: such a state is not found again by its
/// name.
std::string state_text(const ViewState& state, const std::filesystem::path& file, int indent = -1);

/// The metadata of the picture `file`: the program, and the state that it can be drawn
/// from again.
std::vector<render::PngText> picture_text(const ViewState& state, const std::filesystem::path& file);
/// Writes a picture with its state and returns its name. `path` must not exist (sim::Error), or with
/// Existing::number the next free one is taken.
std::filesystem::path write_picture(const std::filesystem::path& path, const render::Image& image,
                                    const ViewState& state, sim::Existing existing = sim::Existing::keep);

/// A name that is free now, "<title>-step<N>-0001.png" in the folder, which is created if need be.
/// Another program may take it meanwhile: write with Existing::number.
std::filesystem::path free_picture_name(const std::filesystem::path& folder, const std::string& title,
                                        std::uint64_t step);

}  // namespace orrery::app
