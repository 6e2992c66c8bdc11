#include "app/serve/open_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace orrery::app::serve {

std::shared_ptr<const OpenFile> OpenFile::open(const std::filesystem::path& path) {
  // Opening a pipe must not wait for its writer.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return nullptr;
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    return nullptr;
  }
  auto tag = fmt::format("\"{:x}-{:x}-{:x}.{:x}\"", status.st_ino, status.st_size, status.st_mtim.tv_sec,
                         status.st_mtim.tv_nsec);
  return std::shared_ptr<const OpenFile>(
      new OpenFile(descriptor, static_cast<std::uint64_t>(status.st_size), std::move(tag)));
}

OpenFile::~OpenFile() { ::close(descriptor_); }

std::size_t OpenFile::read(std::uint64_t position, std::span<char> bytes) const {
  ssize_t count = -1;
  do {
    count = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(position));
  } while (count < 0 && errno == EINTR);
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

}  // namespace orrery::app::serve
