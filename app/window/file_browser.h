#pragma once

#include <filesystem>
#include <functional>

#include "app/gui/chooser.h"
#include "app/session/openable_files.h"

namespace orrery::app {

/// The folders and files of a folder, as a list to choose from. Enter goes into a folder or takes a file,
/// Backspace goes up, a path that is typed is taken too. The folder is read in the background, so that a slow
/// disk does not stop the window; one that cannot be read says why in the list.
///
/// A list of our own rather than a library's dialog: Debian 12 packages none, and those of the desktop block
/// the window, need a second program, and are not there over a remote display.
///
/// Files that `openable` refuses are neither shown nor taken.
ChoiceList file_list(const std::filesystem::path& folder,
                     const std::function<void(const std::filesystem::path& file)>& take,
                     const OpenableFiles& openable = {});

}  // namespace orrery::app
