#include "lab/ladders/ladders.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "lab/setup/paths.h"
#include "sim/core/error.h"
#include "sim/core/message.h"
#include "sim/core/spelling.h"

namespace orrery::lab {

namespace fs = std::filesystem;

namespace {

/// The files by name of the ladder, the first folder's first.
std::map<std::string, fs::path> ladder_files(const std::vector<fs::path>& folders) {
  std::map<std::string, fs::path> files;
  for (const auto& folder : folders) {
    std::error_code failure;
    for (fs::directory_iterator each(folder, failure); !failure && each != fs::directory_iterator();
         each.increment(failure))
      if (each->path().extension() == ".json") files.emplace(each->path().stem().string(), each->path());
    if (failure)
      throw sim::Error(fmt::format("cannot read the folder of ladders '{}': {}; name another one",
                                   folder.string(), failure.message()));
  }
  return files;
}

std::vector<std::string> names_of(const std::map<std::string, fs::path>& files) {
  std::vector<std::string> names;
  names.reserve(files.size());
  for (const auto& [name, file] : files) names.push_back(name);
  return names;
}

/// A folder of that name is no ladder. It is said, and the others are there.
bool left_out(const fs::path& file) {
  std::error_code failure;
  if (!fs::is_directory(file, failure)) return false;
  fmt::print(stderr, "{} is a folder and no ladder; it is left out\n", sim::quoted(file));
  return true;
}

}  // namespace

std::vector<fs::path> ladder_folders(const fs::path& own) {
  std::error_code failure;
  std::vector<fs::path> folders;
  if (!own.empty()) {
    if (!fs::is_directory(own, failure))
      throw sim::UsageError(fmt::format("--ladders: there is no folder '{}'", own.string()));
    folders.push_back(own);
  }
  for (const auto& root : {settings_folder(), data_folder()})
    if (!root.empty() && fs::is_directory(root / "ladders", failure)) folders.push_back(root / "ladders");
  return folders;
}

std::vector<Ladder> find_ladders(const sim::OptionTable& table, const std::string& name,
                                 const fs::path& own) {
  const auto files = ladder_files(ladder_folders(own));
  if (files.empty())
    throw sim::Error(
        "there are no ladders: share/orrery/ladders is missing; install again, or use --ladders");
  std::vector<Ladder> ladders;
  for (const auto& [each, file] : files) {
    if (name != "all" && name != each) continue;
    if (name == "all" && left_out(file)) continue;
    ladders.push_back(read_ladder(table, file));
  }
  if (ladders.empty())
    throw sim::UsageError(fmt::format("there is no ladder '{}' (choose one of {}, or all){}", name,
                                      fmt::join(names_of(files), ", "),
                                      sim::did_you_mean(name, names_of(files))));
  return ladders;
}

}  // namespace orrery::lab
