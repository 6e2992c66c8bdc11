#include "sim/core/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace orrery::sim {

namespace {

constexpr mode_t others_write = S_IWGRP | S_IWOTH;

bool is_trusted(uid_t owner) { return owner == ::geteuid() || owner == 0; }

/// Restricts an open folder to its owner.
bool keep_to_owner(int folder) {
  struct stat status {};
  if (::fstat(folder, &status) != 0 || !is_trusted(status.st_uid)) return false;
  if ((status.st_mode & others_write) == 0) return true;
  return ::fchmod(folder, status.st_mode & S_IRWXU) == 0;
}

std::string bytes_of(int file) {
  std::string bytes;
  std::array<char, 65536> part{};
  for (;;) {
    const auto size = ::read(file, part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return size == 0 ? bytes : std::string();
    bytes.append(part.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace

bool make_private(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder.parent_path(), failure);
  ::mkdir(folder.c_str(), S_IRWXU);
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return false;
  const bool kept = keep_to_owner(opened);
  ::close(opened);
  return kept;
}

std::string read_private(const std::filesystem::path& file) {
  const int opened = ::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (opened < 0) return {};
  struct stat status {};
  const bool good = ::fstat(opened, &status) == 0 && S_ISREG(status.st_mode) && is_trusted(status.st_uid);
  auto bytes = good ? bytes_of(opened) : std::string();
  ::close(opened);
  return bytes;
}

}  // namespace orrery::sim
