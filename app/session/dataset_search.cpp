#include "app/session/dataset_search.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <set>

#include "app/session/free_folder.h"
#include "app/session/known_datasets.h"
#include "app/session/snapshot_parts.h"
#include "lab/setup/paths.h"
#include "sim/core/error.h"
#include "sim/core/message.h"
#include "sim/engines/checkpoint_file.h"
#include "sim/galaxies/model.h"
#include "sim/series/snapshot_list.h"

namespace orrery::app {

namespace fs = std::filesystem;

namespace {

bool is_file_or_folder(const fs::path& path) {
  std::error_code failure;
  const auto status = fs::status(path, failure);
  return fs::is_regular_file(status) || fs::is_directory(status);
}

class Search {
 public:
  Search(std::string hash, const fs::path& file)
      : hash_(std::move(hash)), own_(folder_of(file)), here_(".") {}

  /// The full path of a file, which is elsewhere or missing where `result` says so.
  std::string find(const std::string& name, DatasetSearch& result) const {
    const fs::path path = plain_path(name);
    const bool names_file = !name.empty() && name.find('\0') == std::string::npos;
    if (!names_file) {
      result.missing.emplace_back("without a name");
      return {};
    }
    if (const auto found = free_file(path)) return found->string();
    auto far = far_file(path);
    if (far.empty()) {
      result.missing.push_back(name);
      return name;
    }
    result.elsewhere.push_back(far);
    return far.string();
  }

 private:
  std::optional<fs::path> free_file(const fs::path& path) const {
    const auto name = path.filename();
    // A name that is not absolute is one from the state's folder.
    if (auto found = within(own_.path() / path)) return found;
    if (auto known = known_file(hash_, name); !known.empty()) return known;
    if (auto found = within(here_.path() / path)) return found;
    if (!path.has_parent_path() || name == "." || name == "..") return std::nullopt;
    if (auto found = within(own_.path() / name)) return found;
    return within(here_.path() / name);
  }

  /// The path if it is there, and free to be opened.
  std::optional<fs::path> within(const fs::path& path) const {
    const auto plain = plain_path(path);
    // A path elsewhere is not touched: even to look at it can wake a network.
    if (!own_.seems_to_hold(plain) && !here_.seems_to_hold(plain)) return std::nullopt;
    if (!is_free(plain)) return std::nullopt;
    if (is_file_or_folder(plain) ? holds_all_of(plain) : is_pattern_here(plain)) return plain;
    return std::nullopt;
  }

  bool is_free(const fs::path& path) const {
    const auto real = real_path(path);
    return own_.holds(real) || here_.holds(real);
  }

  bool is_pattern_here(const fs::path& path) const {
    std::error_code failure;
    return !fs::exists(path, failure) && sim::names_many_files(path) && holds_all_of(path);
  }

  /// True if everything that the path stands for (a folder, an index, a pattern, a snapshot in several files)
  /// is inside the free folder, and no link leads out of it.
  bool holds_all_of(const fs::path& path) const try {
    if (!sim::names_many_files(path)) return parts_are_free({path});
    std::vector<fs::path> files;
    for (const auto& snapshot : sim::list_snapshots(path)) files.push_back(snapshot.file);
    return std::ranges::all_of(files, [&](const auto& file) { return is_free(file); }) &&
           parts_are_free(files);
  } catch (const sim::Error&) {
    // the caller reads it says what is wrong.
    return fs::is_directory(path);
  }

  /// True if the other parts of these snapshots, which a reader opens too, are in free folders as well.
  bool parts_are_free(const std::vector<fs::path>& files) const {
    std::set<std::string> snapshots;
    for (const auto& file : files)
      if (has_part_number(file)) snapshots.insert(without_part_number(file));
    if (snapshots.empty()) return true;
    std::error_code failure;
    auto each = fs::directory_iterator(files.front().parent_path(), failure);
    for (; !failure && each != fs::directory_iterator(); each.increment(failure)) {
      const auto& file = each->path();
      if (has_part_number(file) && snapshots.contains(without_part_number(file)) && !is_free(file))
        return false;
    }
    return !failure;
  }

  fs::path far_file(const fs::path& path) const {
    const auto whole = plain_path(own_.path() / path);
    if (path.is_absolute() || !own_.seems_to_hold(whole)) return whole;
    // A link that leads away.
    if (is_file_or_folder(whole)) return whole;
    return known_file(path.filename());
  }

  std::string hash_;
  FreeFolder own_, here_;
};

bool is_own_setting(const fs::path& file) {
  const auto settings = lab::settings_folder();
  return !settings.empty() && is_within(real_path(file), real_path(settings));
}

/// Only this user can have written it.
bool is_private(const fs::path& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Where datasets are remembered, the list knows those of one's own checkpoints, and a file that was
/// downloaded is no reason to open others. Where they cannot be, nothing but the file says where its run was.
bool is_own_checkpoint(const fs::path& file) {
  return !can_remember_datasets() && is_private(file) && sim::looks_like_checkpoint(file);
}

bool names_model(const std::string& name) {
  return name.find('/') == std::string::npos && sim::find_galaxy_model(name) != nullptr;
}

}  // namespace

DatasetSearch search_dataset(const lab::DatasetRequest& named, const std::string& hash,
                             const fs::path& file) {
  DatasetSearch result{.request = named};
  if (is_own_setting(file) || is_own_checkpoint(file)) return result;
  const Search search(hash, file);
  if (!named.built_in) result.request.source = search.find(named.source, result);
  for (auto& other : result.request.with)
    if (!names_model(other)) other = search.find(other, result);
  return result;
}

void require_complete(const DatasetSearch& search, const fs::path& file, const std::string& argument) {
  if (search.complete()) return;
  std::error_code failure;
  const bool gone = !search.elsewhere.empty() && !fs::exists(search.elsewhere.front(), failure);
  const bool can_be_named = search.request.with.empty() && !argument.empty();
  const auto how =
      can_be_named ? fmt::format("{}, name it yourself: DATA {} {}", gone ? "if it has moved" : "to open it",
                                 argument, gone ? sim::quoted(file) : "FILE")
                   : std::string("put its files beside it");
  const auto asks =
      search.elsewhere.empty()
          ? fmt::format("{}, and no such file is beside it or in the current folder",
                        sim::quoted(search.missing.front()))
          : fmt::format("{}, {}", sim::quoted(search.elsewhere.front()),
                        gone ? "and there is no such file" : "which is not in its folder or the current one");
  throw sim::Error(fmt::format("{} asks for {}; {}", sim::quoted(file), asks, how));
}

lab::DatasetRequest find_dataset(const lab::DatasetRequest& named, const std::string& hash,
                                 const fs::path& file, const std::string& argument) {
  auto search = search_dataset(named, hash, file);
  require_complete(search, file, argument);
  return std::move(search.request);
}

lab::DatasetRequest given_instead(const lab::DatasetRequest& named, const lab::DatasetRequest& given) {
  const bool plain = given == lab::DatasetRequest{.source = given.source};
  const bool same_name = fs::path(named.source).filename() == fs::path(given.source).filename();
  if (!plain || !same_name || !named.with.empty() || named.built_in) return given;
  auto request = named;
  request.source = given.source;
  return request;
}

}  // namespace orrery::app
