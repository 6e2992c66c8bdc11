#include "sim/core/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
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

Descriptor open_folder(const fs::path& folder) {
  return Descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
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
  const auto folder = open_folder(path);
  std::error_code ignored;
  if (folder && may_be_abandoned(folder.number()) && lock(folder.number())) fs::remove_all(path, ignored);
}

void remove_abandoned(const fs::path& root, std::string_view stem) {
  std::error_code failure;
  auto entry = fs::directory_iterator(root, failure);
  for (; !failure && entry != fs::directory_iterator(); entry.increment(failure))
    if (is_name_of(entry->path().filename().string(), stem)) remove_if_abandoned(entry->path());
}

std::string link_of(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

/// A file without a name; only /proc can give it one.
Descriptor open_unnamed(const std::filesystem::path& folder, mode_t rights) {
  Descriptor file(::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, rights));
  if (file && ::access(link_of(file.number()).c_str(), F_OK) != 0) file.close();
  return file;
}

/// rename() replaces a file, link() does not. File systems without hard links (FAT, some network ones) have a
/// rename that does not either.
bool rename_to_new(const char* from, const char* to) {
  if (::link(from, to) == 0) {
    ::unlink(from);
    return true;
  }
  const bool no_links = errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS;
  return no_links && ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0;
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
  if (lock_) lock(lock_.number());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

TemporaryFile::TemporaryFile(const std::filesystem::path& folder, Kind kind, mode_t rights)
    : folder_(folder), file_(kind == Kind::nameless ? open_unnamed(folder, rights) : Descriptor()) {
  if (file_) return;
  take_hidden_name([&](const std::filesystem::path& name) {
    file_ = Descriptor(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, rights));
    return static_cast<bool>(file_);
  });
}

TemporaryFile::~TemporaryFile() {
  if (!hidden_.empty()) ::unlink(hidden_.c_str());
}

/// A hidden name that no other writer uses, with which `make` succeeds.
template <typename Make>
bool TemporaryFile::take_hidden_name(Make make) {
  constexpr int attempts = 1000;
  for (int k = 0; k < attempts; ++k) {
    const auto name = folder_ / fmt::format(".orrery-{}-{}.tmp", ::getpid(), k);
    removal_.emplace(name);
    if (make(name)) {
      hidden_ = name;
      return true;
    }
    const int reason = errno;
    removal_.reset();
    errno = reason;
    if (reason != EEXIST) return false;
  }
  return false;
}

bool TemporaryFile::link_to(const std::filesystem::path& name) const {
  return ::linkat(AT_FDCWD, link_of(descriptor()).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

bool TemporaryFile::take_name(const std::filesystem::path& target, bool replace) {
  if (!hidden_.empty()) return move_to(target, replace);
  if (link_to(target)) return true;
  if (!replace || errno != EEXIST) return false;
  // A link replaces nothing: the file gets a name that rename() can move.
  const auto link = [this](const std::filesystem::path& name) { return link_to(name); };
  if (!take_hidden_name(link)) return false;
  if (move_to(target, true)) return true;
  const int reason = errno;
  ::unlink(hidden_.c_str());
  forget_hidden_name();
  errno = reason;
  return false;
}

bool TemporaryFile::move_to(const std::filesystem::path& target, bool replace) {
  const bool moved = replace ? ::rename(hidden_.c_str(), target.c_str()) == 0
                             : rename_to_new(hidden_.c_str(), target.c_str());
  // Another writer may have the hidden name from now on.
  if (moved) forget_hidden_name();
  return moved;
}

void TemporaryFile::forget_hidden_name() {
  hidden_.clear();
  removal_.reset();
}

}  // namespace orrery::sim
