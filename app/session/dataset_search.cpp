#include "app/session/dataset_search.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>

#include "app/session/free_folder.h"
#include "app/session/openable_files.h"
#include "app/session/shared_names.h"
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
  Search(std::string hash, const fs::path& file, const OpenableFiles& openable)
      : hash_(std::move(hash)), own_(folder_of(file)), here_("."), openable_(openable) {}

  /// The full path of a file, which is elsewhere or missing where `result` says so.
  std::string find(const std::string& name, DatasetSearch& result) const {
    const fs::path path = plain_path(name);
    const bool names_file = !name.empty() && name.find('\0') == std::string::npos;
    if (!names_file) {
      result.missing.emplace_back("without a name");
      return {};
    }
    if (const auto found = free_file(path)) return found->string();
    if (openable_.limited()) openable_.refuse(name);
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
    if (auto found = remembered(name)) return found;
    if (auto found = within(here_.path() / path)) return found;
    for (const auto& candidate : openable_.candidates(path))
      if (auto found = within(candidate)) return found;
    if (!path.has_parent_path() || name == "." || name == "..") return std::nullopt;
    if (auto found = within(own_.path() / name)) return found;
    return within(here_.path() / name);
  }

  std::optional<fs::path> remembered(const fs::path& name) const {
    const auto file = known_file(hash_, name);
    return file.empty() ? std::nullopt : openable_.resolve(file);
  }

  /// The path if it is there, and free to be opened.
  std::optional<fs::path> within(const fs::path& path) const {
    if (openable_.limited()) return openable(path);
    const auto plain = plain_path(path);
    // A path elsewhere is not touched: even to look at it can wake a network.
    if (!own_.seems_to_hold(plain) && !here_.seems_to_hold(plain)) return std::nullopt;
    if (!is_free(plain) || !is_there(plain)) return std::nullopt;
    const bool whole = all_files_fit(plain, [this](const fs::path& file) { return is_free(file); });
    return whole ? std::optional(plain) : std::nullopt;
  }

  std::optional<fs::path> openable(const fs::path& path) const {
    auto real = openable_.resolve(path);
    return real && is_there(*real) ? real : std::nullopt;
  }

  bool is_free(const fs::path& path) const {
    const auto real = real_path(path);
    return own_.holds(real) || here_.holds(real);
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
  const OpenableFiles& openable_;
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

}  // namespace

DatasetSearch search_dataset(const lab::DatasetRequest& named, const std::string& hash, const fs::path& file,
                             const OpenableFiles& openable) {
  DatasetSearch result{.request = named};
  if (!openable.limited() && (is_own_setting(file) || is_own_checkpoint(file))) return result;
  const Search search(hash, file, openable);
  if (!named.built_in) result.request.source = search.find(named.source, result);
  for (auto& other : result.request.with)
    if (sim::find_galaxy_model(other) == nullptr) other = search.find(other, result);
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
                                 const fs::path& file, const std::string& argument,
                                 const OpenableFiles& openable) {
  auto search = search_dataset(named, hash, file, openable);
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
