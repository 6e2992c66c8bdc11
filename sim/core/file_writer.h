#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace orrery::sim {

/// What happens to a file that has the name already.
enum class Existing { replace, keep };

/// Writes to a temporary name beside the target and gives it its name when complete: a file is whole or
/// absent. With Existing::replace a target that is a symbolic link stays one: the file that it names is
/// replaced. With Existing::keep whatever has the name, a link that leads nowhere too, makes it throw.
class FileWriter {
 public:
  /// Throws Error if the folder cannot be written to, the target is no regular file, or it is to be kept.
  explicit FileWriter(std::filesystem::path target, Existing existing = Existing::replace);
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  ~FileWriter();  ///< removes the temporary file if finish() was not reached
  /// Throws Error when the disk is full or the device fails.
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  const std::filesystem::path& target() const { return target_; }
  /// Flushes, checks and renames. Throws Error; then the target is as it was.
  void finish();

 private:
  std::filesystem::path target_, temporary_;
  Existing existing_;
  std::vector<std::byte> buffer_;
  int descriptor_ = -1;

  void flush();
};

/// Writes a text file at once, in place of one of that name. Throws Error.
void write_file(const std::filesystem::path& target, std::string_view text);

}  // namespace orrery::sim
