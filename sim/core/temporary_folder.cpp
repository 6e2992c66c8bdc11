#include "sim/core/temporary_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string>

#include "sim/core/error.h"
#include "sim/core/letters.h"

namespace orrery::sim {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view random_part = "-XXXXXX";

bool is_name_of(std::string_view name, std::string_view stem) {
  return name.size() == stem.size() + random_part.size() && name.starts_with(stem) &&
         name[stem.size()] == '-' && is_plain(name.substr(stem.size() + 1), "");
}

int open_folder(const fs::path& folder) {
  return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/// False while a program uses the folder, also one in another container, and where locks are unknown.
bool lock(int folder) { return ::flock(folder, LOCK_EX | LOCK_NB) == 0; }

/// True if an open folder is one of ours, and not so new that its maker may not have locked it yet.
bool may_be_abandoned(int folder) {
  constexpr std::time_t settled = 60;
  struct stat status {};
  return ::fstat(folder, &status) == 0 && status.st_uid == ::geteuid() &&
         (status.st_mode & 07777U) == S_IRWXU && std::time(nullptr) - status.st_mtim.tv_sec > settled;
}

void remove_if_abandoned(const fs::path& path) {
  const int folder = open_folder(path);
  if (folder < 0) return;
  std::error_code ignored;
  if (may_be_abandoned(folder) && lock(folder)) fs::remove_all(path, ignored);
  ::close(folder);
}

void remove_abandoned(const fs::path& root, std::string_view stem) {
  std::error_code failure;
  auto entry = fs::directory_iterator(root, failure);
  for (; !failure && entry != fs::directory_iterator(); entry.increment(failure))
    if (is_name_of(entry->path().filename().string(), stem)) remove_if_abandoned(entry->path());
}

}  // namespace

TemporaryFolder::TemporaryFolder(std::string_view stem, std::string_view purpose) {
  std::error_code failure;
  const auto root = fs::temp_directory_path(failure);
  if (!failure) remove_abandoned(root, stem);
  auto name = (root / fmt::format("{}{}", stem, random_part)).string();
  if (failure || ::mkdtemp(name.data()) == nullptr)
    throw Error(
        fmt::format("no temporary folder for {} can be made{}; set TMPDIR to one that can be written to",
                    purpose, root.empty() ? "" : " in " + root.string()));
  path_ = name;
  lock_ = open_folder(path_);
  if (lock_ >= 0) lock(lock_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace orrery::sim
