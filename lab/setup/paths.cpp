#include "lab/setup/paths.h"

#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string_view>

#include "sim/core/error.h"
#include "sim/core/letters.h"
#include "sim/core/private_file.h"

namespace orrery::lab {

FolderLock::FolderLock(const std::filesystem::path& folder)
    : descriptor_(sim::open_lock_file(folder / ".lock")) {
  if (descriptor_ >= 0) ::flock(descriptor_, LOCK_EX);
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

namespace fs = std::filesystem;

namespace {

fs::path from_environment(const char* name) {
  const char* value = std::getenv(name);
  // The XDG specification has relative paths ignored.
  return value != nullptr && fs::path(value).is_absolute() ? fs::path(value) : fs::path();
}

fs::path configuration_root() {
  if (auto root = from_environment("XDG_CONFIG_HOME"); !root.empty()) return root;
  const auto home = from_environment("HOME");
  return home.empty() ? fs::path() : home / ".config";
}

/// The XDG_PICTURES_DIR="$HOME/..." entry that desktops write, or empty.
fs::path desktop_pictures_folder() {
  std::ifstream file(configuration_root() / "user-dirs.dirs");
  constexpr std::string_view key = "XDG_PICTURES_DIR=\"";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key) || !line.ends_with('"')) continue;
    const std::string value = line.substr(key.size(), line.size() - key.size() - 1);
    constexpr std::string_view home = "$HOME/";
    return value.starts_with(home) ? from_environment("HOME") / value.substr(home.size()) : fs::path(value);
  }
  return {};
}

bool is_writable(const fs::path& folder) {
  std::error_code failure;
  return fs::is_directory(folder, failure) && access(folder.c_str(), W_OK | X_OK) == 0;
}

/// False where the folder of pictures is there already, and cannot be used.
bool can_be_made_in(const fs::path& home) {
  std::error_code failure;
  return is_writable(home) && !fs::exists(home / "Pictures", failure);
}

}  // namespace

bool can_be_written(const fs::path& folder) {
  std::error_code failure;
  if (fs::exists(folder, failure)) return is_writable(folder);
  const auto parent = folder.parent_path();
  return parent != folder && !parent.empty() && can_be_written(parent);
}

fs::path settings_folder() {
  const auto root = configuration_root();
  return root.empty() ? root : root / "orrery";
}

fs::path pictures_folder() {
  if (auto folder = from_environment("XDG_PICTURES_DIR"); !folder.empty()) return folder;
  if (auto folder = desktop_pictures_folder(); !folder.empty()) return folder;
  const auto home = from_environment("HOME");
  if (!home.empty() && (is_writable(home / "Pictures") || can_be_made_in(home))) return home / "Pictures";
  std::error_code failure;
  const auto here = fs::current_path(failure);
  return failure ? fs::path(".") : here;
}

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  std::error_code unknown;
  if (!fs::is_directory(folder, unknown)) {
    throw sim::Error(fmt::format("cannot make the folder '{}': {}; choose another one", folder.string(),
                                 failure ? failure.message() : "something else has that name"));
  }
}

fs::path next_free_name(const fs::path& folder, const std::string& stem, const std::string& extension) {
  for (unsigned number = 1;; ++number) {
    auto path = folder / fmt::format("{}-{:04}{}", stem, number, extension);
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return path;
  }
}

fs::path data_folder() {
  std::error_code failure;
  const auto binary = fs::read_symlink("/proc/self/exe", failure);
  // bin/orrery, bin/tests/..., or somewhere in a build folder, where share/orrery is a link to assets/.
  for (auto folder = binary.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    auto data = folder / "share" / "orrery";
    if (fs::is_directory(data, failure)) return data;
  }
  return {};
}

std::string file_stem(const std::string& title) {
  // A name has 255 bytes at most, and more is added to the stem.
  constexpr std::size_t longest = 100;
  std::string stem;
  for (const char c : std::string_view(title).substr(0, longest))
    stem += sim::is_plain({&c, 1}, "-_.") ? c : '-';
  return stem.empty() ? "orrery" : stem;
}

}  // namespace orrery::lab
