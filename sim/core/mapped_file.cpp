#include "sim/core/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "sim/core/mapping_watch.h"
#include "sim/core/message.h"

namespace orrery::sim {

namespace {

/// Closes a descriptor at the end of a scope.
struct Descriptor {
  int number;
  explicit Descriptor(int n) : number(n) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

void require_regular(const std::filesystem::path& path, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) cannot_read(path, "it is a folder; name a snapshot file inside it");
  if (!S_ISREG(status.st_mode)) {
    cannot_read(path, "it is a device or a pipe, not a regular file; copy the data to a file first");
  }
  if (status.st_size == 0) cannot_read(path, "the file is empty; copy it again");
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  // Not to wait for the writer of a pipe.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.number < 0) {
    const char* const advice = errno == ENOENT   ? "; check the name"
                               : errno == EACCES ? "; check its permissions"
                               : errno == ELOOP  ? ", or one that leads to itself; name another file"
                                                 : "";
    cannot_read(path, reason_of(errno) + advice);
  }
  struct stat status {};
  if (::fstat(file.number, &status) != 0) cannot_read(path, reason_of(errno));
  require_regular(path, status);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (on_mapping != nullptr) on_mapping(size);
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (address == MAP_FAILED) cannot_read(path, "it cannot be mapped: " + reason_of(errno));
  ::madvise(address, size, MADV_SEQUENTIAL);
  view_ = {path, {static_cast<const std::byte*>(address), size}};
}

MappedFile::~MappedFile() {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): munmap takes a void*
  ::munmap(const_cast<std::byte*>(view_.bytes.data()), view_.bytes.size());
}

}  // namespace orrery::sim
