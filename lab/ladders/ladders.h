#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lab/ladders/ladder.h"

namespace orrery::lab {

/// The folders of ladders, of which the first with a name wins: `own` (from --ladders; may be empty), the
/// user's (ladders/ beside the settings), the program's. Folders that do not exist are left out, except
/// `own`, which then throws sim::UsageError.
std::vector<std::filesystem::path> ladder_folders(const std::filesystem::path& own);

/// The ladder of that name, or all of them by name if it is "all". Throws sim::UsageError with the names that
/// are there, or sim::Error if a file that was asked for is damaged.
std::vector<Ladder> find_ladders(const sim::OptionTable& table, const std::string& name,
                                 const std::filesystem::path& own);

}  // namespace orrery::lab
