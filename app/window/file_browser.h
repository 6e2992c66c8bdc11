#pragma once

#include <filesystem>
#include <functional>

#include "app/gui/chooser.h"

namespace orrery::app {

/// The folders and files of a folder, as a list to choose from. Enter goes into a folder or takes a file,
/// Backspace goes up, a path that is typed is taken too. The folder is read in the background, so that a slow
/// disk does not stop the window; one that cannot be read says why in the list.
///
/// A list of our own rather than a library's dialog: Debian 12 packages none, and those of the desktop block
/// the window, need a second program, and are not there over a remote display.
///
/// `root`: the only folder that is shown and taken from, links followed; empty: every folder.
ChoiceList file_list(const std::filesystem::path& folder,
                     const std::function<void(const std::filesystem::path& file)>& take,
                     const std::filesystem::path& root = {});

/// True if the path, with its links followed, is `root` or lies below it; always for an empty root.
bool may_open(const std::filesystem::path& path, const std::filesystem::path& root);

}  // namespace orrery::app
