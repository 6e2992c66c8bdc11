#pragma once

#include <filesystem>
#include <string>

#include "sim/core/descriptor.h"

namespace orrery::lab {

/// Locks a folder while the object lives: other processes that want the lock wait, for a short while in which
/// a file is read, changed and written again. Where the file system knows no locks it does nothing.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);

 private:
  sim::Descriptor lock_;
};

/// The folder of settings: $XDG_CONFIG_HOME/orrery, else ~/.config/orrery. Empty if there is no home. Not
/// created here.
std::filesystem::path settings_folder();

/// The folder of pictures: $XDG_PICTURES_DIR, the entry of user-dirs.dirs, or ~/Pictures; the working folder
/// if there is no home or the folder is not writable. Not created here.
std::filesystem::path pictures_folder();

/// True if files can be written there, after it was created where it is not there yet. Creates nothing.
bool can_be_written(const std::filesystem::path& folder);

/// Creates `folder` with its parents. Throws sim::Error with one line.
void make_folder(const std::filesystem::path& folder);

/// The first of "<stem>-0001<extension>", "<stem>-0002<extension>", ... in `folder` that does not exist.
std::filesystem::path next_free_name(const std::filesystem::path& folder, const std::string& stem,
                                     const std::string& extension);

/// Letters, digits, '-', '_' and '.' of a title, so that any dataset gives a good file name; never empty.
std::string file_stem(const std::string& title);

/// The program's data (ladders, font): the first share/orrery beside the binary or above it, in an install
/// tree as in a build folder. Empty if there is none.
std::filesystem::path data_folder();

}  // namespace orrery::lab
