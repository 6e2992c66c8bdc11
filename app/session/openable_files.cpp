#include "app/session/openable_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/session/free_folder.h"
#include "sim/core/error.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/galaxies/model.h"
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

fs::path plain_full_path(const fs::path& path) {
  std::error_code failure;
  return plain_path(fs::absolute(path, failure));
}

bool names_model(const std::string& name) { return sim::find_galaxy_model(name) != nullptr; }

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

OpenableFiles::OpenableFiles(const fs::path& uploads, const fs::path& root) {
  for (const auto& folder : {root, uploads})
    if (!folder.empty()) folders_.push_back({plain_full_path(folder), real_path(folder)});
}

void OpenableFiles::allow(const fs::path& file) {
  if (!limited() || file.empty()) return;
  files_.insert(plain_full_path(file));
  files_.insert(real_path(file));
}

void OpenableFiles::allow(const lab::DatasetRequest& request) {
  if (!limited()) return;
  if (lab::is_file(request)) allow(fs::path(request.source));
  for (const auto& other : request.with)
    if (!names_model(other)) allow(fs::path(other));
}

bool OpenableFiles::may_be_inside(const fs::path& plain) const {
  return files_.contains(plain) || std::ranges::any_of(folders_, [&](const Folder& folder) {
           return is_within(plain, folder.given) || is_within(plain, folder.real);
         });
}

/// Where the path leads, if that is inside.
std::optional<fs::path> OpenableFiles::place_of(const fs::path& path) const {
  if (!limited()) return path;
  if (path.empty() || path.native().find('\0') != std::string::npos) return std::nullopt;
  const auto plain = plain_full_path(path);
  // A path outside is not touched: even to look at it can wake a network, or tell by its time.
  if (!may_be_inside(plain)) return std::nullopt;
  auto real = path_without_links(path);
  const auto is_in = [&](const Folder& folder) { return is_within(*real, folder.real); };
  // What the command line named may be a link to anywhere.
  const bool inside =
      real && (files_.contains(plain) || files_.contains(*real) || std::ranges::any_of(folders_, is_in));
  return inside ? real : std::nullopt;
}

std::optional<fs::path> OpenableFiles::resolve(const fs::path& path) const {
  if (!limited()) return path;
  auto real = place_of(path);
  if (!real || files_.contains(plain_full_path(path)) || files_.contains(*real)) return real;
  const bool whole =
      links_lead_inside(*real) && all_files_fit(*real, [this](const fs::path& file) { return holds(file); });
  return whole ? real : std::nullopt;
}

/// Also links that lead to nothing: a series without them would tell that there is no such file.
bool OpenableFiles::links_lead_inside(const fs::path& real) const {
  std::error_code failure;
  const bool is_folder = fs::is_directory(real, failure);
  if (!is_folder && !sim::names_many_files(real)) return true;
  auto each = fs::directory_iterator(is_folder ? real : real.parent_path(), failure);
  for (; !failure && each != fs::directory_iterator(); each.increment(failure)) {
    // Of a folder only numbered files are read.
    const bool counts = !is_folder || std::ranges::any_of(each->path().filename().string(), sim::is_digit);
    if (counts && each->is_symlink(failure) && !holds(each->path())) return false;
  }
  return !failure;
}

fs::path OpenableFiles::checked(const fs::path& path) const {
  if (auto real = resolve(path)) return *std::move(real);
  refuse(path.filename().string());
}

lab::DatasetRequest OpenableFiles::checked(const lab::DatasetRequest& request) const {
  if (!limited()) return request;
  auto safe = request;
  // A galaxy of the program, whatever file of its name lies in the current folder.
  safe.built_in = request.built_in || (names_model(request.source) && !allows(request.source));
  if (lab::is_file(safe)) safe.source = checked(fs::path(request.source)).string();
  for (auto& other : safe.with)
    if (!names_model(other)) other = checked(fs::path(other)).string();
  return safe;
}

OpenableFiles OpenableFiles::rule_for(const lab::DatasetRequest& request) const {
  const auto is_named = [this](const std::string& file) { return files_.contains(plain_full_path(file)); };
  const bool named = lab::is_file(request) && is_named(request.source) &&
                     std::ranges::all_of(request.with, [&](const std::string& other) {
                       return names_model(other) || is_named(other);
                     });
  return named ? OpenableFiles() : *this;
}

std::vector<fs::path> OpenableFiles::candidates(const fs::path& name) const {
  std::vector<fs::path> found;
  if (!limited() || name.is_absolute()) return found;
  for (const auto& folder : folders_) found.push_back(folder.given / name);
  std::error_code failure;
  auto each = fs::directory_iterator(folders_.back().real, failure);
  for (; !failure && each != fs::directory_iterator(); each.increment(failure))
    found.push_back(each->path() / name.filename());
  return found;
}

void OpenableFiles::refuse(const std::string& name) const {
  const bool has_root = folders_.size() > 1;
  throw sim::Error(fmt::format("{} may not be opened: this server opens uploads{} only; upload the file{}",
                               sim::quoted(name), has_root ? " and files below --root" : "",
                               has_root ? "" : ", or start the server with --root FOLDER"));
}

}  // namespace orrery::app
