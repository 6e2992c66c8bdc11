#include "sim/core/file_writer.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "sim/core/descriptor.h"
#include "sim/core/error.h"
#include "sim/core/message.h"

namespace orrery::sim {

namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 20;

/// The file that a chain of symbolic links names, whether it is there or not, or `path` itself.
std::filesystem::path resolved(std::filesystem::path path) {
  constexpr int most_links = 40;  // as in Linux
  std::error_code error;
  for (int k = 0; std::filesystem::is_symlink(path, error); ++k) {
    if (k == most_links) cannot_write(path, "its symbolic links lead in a circle; name another file");
    const auto target = std::filesystem::read_symlink(path, error);
    if (error) cannot_write(path, error.message());
    path = path.parent_path() / target;
  }
  return path;
}

/// A file that is replaced keeps its permissions.
void take_permissions(const std::filesystem::path& target, int descriptor) {
  struct stat status {};
  if (::stat(target.c_str(), &status) == 0) ::fchmod(descriptor, status.st_mode & 07777);
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

std::filesystem::path folder_of(const std::filesystem::path& target) {
  return target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
}

/// The name to write to, if it may be written to at all.
std::filesystem::path checked(std::filesystem::path target, Existing existing) {
  std::error_code error;
  if (existing == Existing::replace) target = resolved(std::move(target));
  if (existing == Existing::keep && std::filesystem::exists(std::filesystem::symlink_status(target, error)))
    refuse_existing(target);
  if (existing != Existing::number) require_replaceable(target);
  return target;
}

std::string why_not_written(int error_number) {
  if (error_number == EFBIG)
    return "files may not become so large (`ulimit -f`); nothing was changed, raise the limit";
  return reason_of(error_number) + "; nothing was changed, free some space";
}

/// `text` counts one up: 0009, 0010; 99, 100.
void count_up(std::string& text) {
  const auto digit = std::find_if(text.rbegin(), text.rend(), [](char c) { return c != '9'; });
  std::fill(text.rbegin(), digit, '0');
  if (digit == text.rend()) {
    text.insert(text.begin(), '1');
  } else {
    ++*digit;
  }
}

std::atomic<Existing> named_outputs{Existing::keep};

}  // namespace

Existing for_named_outputs() { return named_outputs; }
void overwrite_named_outputs() { named_outputs = Existing::replace; }

std::filesystem::path numbered_after(const std::filesystem::path& path) {
  const auto stem = path.stem().string();
  const auto before = stem.find_last_not_of("0123456789") + 1;
  auto number = stem.substr(before);
  if (number.empty()) number = "-0001";
  count_up(number);
  return path.parent_path() / (stem.substr(0, before) + number + path.extension().string());
}

FileWriter::FileWriter(std::filesystem::path target, Existing existing)
    : target_(checked(std::move(target), existing)), existing_(existing), file_(folder_of(target_)) {
  if (file_.descriptor() < 0)
    cannot_write(target_, "no file can be made in its folder: " + reason_of(errno) +
                              (errno == EMFILE ? "" : "; choose another folder"));
  buffer_.reserve(buffer_size);
}

void FileWriter::write(std::span<const std::byte> bytes) {
  if (buffer_.size() + bytes.size() > buffer_size) flush();
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void FileWriter::write(std::string_view text) { write(std::as_bytes(std::span(text))); }

void FileWriter::flush() {
  if (!write_all(file_.descriptor(), buffer_)) cannot_write(target_, why_not_written(errno));
  buffer_.clear();
}

void FileWriter::take_name() {
  while (!file_.take_name(target_, existing_ == Existing::replace)) {
    if (errno != EEXIST || existing_ == Existing::replace)
      cannot_write(target_, reason_of(errno) + "; nothing was changed");
    if (existing_ == Existing::keep) refuse_existing(target_);
    target_ = numbered_after(target_);
  }
}

void FileWriter::settle() {
  flush();
  if (existing_ == Existing::replace) take_permissions(target_, file_.descriptor());
  if (::fsync(file_.descriptor()) != 0) cannot_write(target_, reason_of(errno) + "; nothing was changed");
}

void FileWriter::finish() {
  settle();
  take_name();
  if (!file_.close()) cannot_write(target_, reason_of(errno) + "; the file may be incomplete");
}

void write_file(const std::filesystem::path& target, std::string_view text) {
  FileWriter file(target);
  file.write(text);
  file.finish();
}

}  // namespace orrery::sim
