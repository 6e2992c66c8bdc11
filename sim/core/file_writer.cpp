#include "sim/core/file_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "sim/core/error.h"
#include "sim/core/message.h"

namespace orrery::sim {

namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 20;

/// The file that a chain of symbolic links names, or `path` itself.
std::filesystem::path resolved(std::filesystem::path path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  auto target = std::filesystem::weakly_canonical(path, error);
  return error ? path : target;
}

[[noreturn]] void refuse_existing(const std::filesystem::path& path) {
  throw Error(fmt::format("{} exists and is not overwritten; choose another name", quoted(path)));
}

void require_replaceable(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) cannot_write(path, "it is a folder; give a file name");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    cannot_write(path, "it is a device or a pipe; give the name of a regular file");
  }
  if (path.filename().empty()) cannot_write(path, "this names no file; give a file name");
}

/// A new file beside `target`, with a name that no other writer uses.
int open_temporary(const std::filesystem::path& target, std::filesystem::path& temporary) {
  const auto folder = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
  constexpr int attempts = 1000;
  for (int k = 0; k < attempts; ++k) {
    temporary = folder / fmt::format(".orrery-{}-{}.tmp", ::getpid(), k);
    const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) return descriptor;
    if (errno != EEXIST) break;
  }
  cannot_write(target, "no file can be made in its folder: " + reason_of(errno) + "; choose another folder");
}

/// rename() replaces a file, link() does not. File systems without hard links (FAT, some network ones) have a
/// rename that does not either.
int rename_to_new(const char* from, const char* to) {
  if (::link(from, to) == 0) {
    ::unlink(from);
    return 0;
  }
  const bool no_links = errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS;
  return no_links ? ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) : -1;
}

}  // namespace

FileWriter::FileWriter(std::filesystem::path target, Existing existing)
    : target_(existing == Existing::replace ? resolved(std::move(target)) : std::move(target)),
      existing_(existing) {
  std::error_code error;
  if (existing == Existing::keep && std::filesystem::exists(std::filesystem::symlink_status(target_, error)))
    refuse_existing(target_);
  require_replaceable(target_);
  descriptor_ = open_temporary(target_, temporary_);
  buffer_.reserve(buffer_size);
}

FileWriter::~FileWriter() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

void FileWriter::write(std::span<const std::byte> bytes) {
  if (buffer_.size() + bytes.size() > buffer_size) flush();
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void FileWriter::write(std::string_view text) { write(std::as_bytes(std::span(text))); }

void FileWriter::flush() {
  for (std::size_t done = 0; done < buffer_.size();) {
    const auto written = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) cannot_write(target_, reason_of(errno) + "; nothing was changed, free some space");
    done += static_cast<std::size_t>(written);
  }
  buffer_.clear();
}

void FileWriter::finish() {
  flush();
  if (::fsync(descriptor_) != 0) cannot_write(target_, reason_of(errno) + "; nothing was changed");
  const auto rename_as_asked = existing_ == Existing::keep ? rename_to_new : ::rename;
  if (rename_as_asked(temporary_.c_str(), target_.c_str()) != 0) {
    if (existing_ == Existing::keep && errno == EEXIST) refuse_existing(target_);
    cannot_write(target_, reason_of(errno) + "; nothing was changed");
  }
  // The name is in place; the destructor must not remove what another writer may call by the old one.
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) cannot_write(target_, reason_of(errno) + "; the file may be incomplete");
}

void write_file(const std::filesystem::path& target, std::string_view text) {
  FileWriter file(target);
  file.write(text);
  file.finish();
}

}  // namespace orrery::sim
