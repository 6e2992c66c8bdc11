#include "app/session/snapshot_parts.h"

#include <algorithm>
#include <set>
#include <vector>

#include "sim/core/error.h"
#include "sim/series/snapshot_list.h"

namespace orrery::app {

namespace fs = std::filesystem;

std::string without_part_number(const std::filesystem::path& path) {
  const auto name = path.filename().string();
  std::string text;
  for (std::size_t at = 0; at < name.size(); ++at) {
    text += name[at];
    const auto end = std::min(name.find_first_not_of("0123456789", at + 1), name.size());
    const bool number = name[at] == '.' && end > at + 1 && (end == name.size() || name[end] == '.');
    if (number) at = end - 1;
  }
  return text;
}

bool has_part_number(const std::filesystem::path& path) {
  return without_part_number(path) != path.filename().string();
}

namespace {

using Fits = std::function<bool(const fs::path& file)>;

/// True if the other parts of these snapshots, which a reader opens too, fit as well.
bool parts_fit(const std::vector<fs::path>& files, const Fits& fits) {
  std::set<std::string> snapshots;
  for (const auto& file : files)
    if (has_part_number(file)) snapshots.insert(without_part_number(file));
  if (snapshots.empty()) return true;
  std::error_code failure;
  auto each = fs::directory_iterator(files.front().parent_path(), failure);
  for (; !failure && each != fs::directory_iterator(); each.increment(failure)) {
    const auto& file = each->path();
    if (has_part_number(file) && snapshots.contains(without_part_number(file)) && !fits(file)) return false;
  }
  return !failure;
}

}  // namespace

bool all_files_fit(const fs::path& path, const Fits& fits) try {
  std::vector<fs::path> files{path};
  if (sim::names_many_files(path)) {
    files.clear();
    for (const auto& snapshot : sim::list_snapshots(path)) files.push_back(snapshot.file);
  }
  return std::ranges::all_of(files, fits) && parts_fit(files, fits);
} catch (const sim::Error&) {
  // The caller reads it and says what is wrong.
  return fs::is_directory(path);
}

}  // namespace orrery::app
