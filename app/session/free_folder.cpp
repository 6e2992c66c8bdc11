#include "app/session/free_folder.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace orrery::app {

namespace fs = std::filesystem;

namespace {

fs::path without_last_slash(const fs::path& path) {
  return path.has_filename() || !path.has_relative_path() ? path : path.parent_path();
}

/// The root where there is none.
fs::path home_folder() {
  const char* home = std::getenv("HOME");
  return home != nullptr && fs::path(home).is_absolute() ? real_path(home) : fs::path("/");
}

fs::path full_path(const fs::path& path) {
  std::error_code failure;
  auto full = fs::absolute(path, failure);
  return failure ? path : full;
}

}  // namespace

bool is_within(const fs::path& path, const fs::path& folder) {
  if (folder.empty()) return false;
  const auto ends = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return ends.first == folder.end();
}

fs::path plain_path(const fs::path& path) { return without_last_slash(path.lexically_normal()); }

fs::path real_path(const fs::path& path) {
  std::error_code failure;
  const auto real = fs::weakly_canonical(full_path(path), failure);
  return failure ? plain_path(full_path(path)) : without_last_slash(real);
}

std::optional<fs::path> path_without_links(const fs::path& path) {
  std::error_code failure;
  const auto real = without_last_slash(fs::weakly_canonical(full_path(path), failure));
  if (failure || !real.is_absolute()) return std::nullopt;
  // Of a link that leads to nothing its own name is left.
  for (auto at = real; at.has_relative_path(); at = at.parent_path())
    if (fs::is_symlink(fs::symlink_status(at, failure))) return std::nullopt;
  return real;
}

std::string path_with_home_short(const fs::path& path) {
  const char* home = std::getenv("HOME");
  const auto plain = plain_path(path);
  if (home == nullptr || !fs::path(home).has_relative_path() || !is_within(plain, plain_path(home)))
    return path.string();
  return plain == plain_path(home) ? "~"
                                   : (fs::path("~") / plain.lexically_relative(plain_path(home))).string();
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

FreeFolder::FreeFolder(const fs::path& folder)
    : given_(plain_path(full_path(folder))),
      real_(real_path(folder)),
      holds_home_(is_within(home_folder(), real_)) {}

bool FreeFolder::seems_to_hold(const fs::path& plain) const {
  return is_in(plain, given_) || is_in(plain, real_);
}

bool FreeFolder::is_in(const fs::path& path, const fs::path& folder) const {
  return holds_home_ ? path.parent_path() == folder : is_within(path, folder);
}

}  // namespace orrery::app
