#include "sim/core/private_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "sim/core/error.h"
#include "sim/core/message.h"
#include "sim/core/temporary_file.h"

namespace orrery::sim {

namespace {

constexpr mode_t others_write = S_IWGRP | S_IWOTH;
constexpr off_t largest_secret = 1 << 20;

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
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return opened && keep_to_owner(opened.number());
}

Descriptor open_lock_file(const std::filesystem::path& file) {
  constexpr int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  return Descriptor(::open(file.c_str(), flags, S_IRUSR | S_IWUSR));
}

std::string read_private(const std::filesystem::path& file) {
  const Descriptor opened(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  const bool good = opened && ::fstat(opened.number(), &status) == 0 && S_ISREG(status.st_mode) &&
                    is_trusted(status.st_uid);
  return good ? bytes_of(opened.number()) : std::string();
}

void write_secret(const std::filesystem::path& target, std::string_view text) {
  std::error_code failure;
  const auto there = std::filesystem::status(target, failure);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
    cannot_write(target, "something else than a file has this name; name a new file");
  const auto folder = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
  TemporaryFile file(folder, TemporaryFile::Kind::hidden, S_IRUSR | S_IWUSR);
  if (file.descriptor() < 0 || !write_all(file.descriptor(), text) || !file.take_name(target, true))
    cannot_write(target, reason_of(errno));
}

std::string read_secret(const std::filesystem::path& file) {
  const auto cannot_use = [&](const std::string& why) {
    return Error(fmt::format("cannot use {}: {}", quoted(file), why));
  };
  const Descriptor opened(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!opened) throw cannot_use(reason_of(errno));
  struct stat status {};
  if (::fstat(opened.number(), &status) != 0 || !S_ISREG(status.st_mode))
    throw cannot_use("it is no regular file");
  if (!is_trusted(status.st_uid))
    throw cannot_use("it belongs to another user, who knows the secret; write a new one to a file of yours");
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    throw cannot_use(fmt::format("others can read the secret in it; type: chmod 600 {}", quoted(file)));
  return status.st_size <= largest_secret ? bytes_of(opened.number()) : std::string();
}

}  // namespace orrery::sim
