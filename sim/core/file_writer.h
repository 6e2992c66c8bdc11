#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "sim/core/temporary_file.h"

namespace orrery::sim {

/// Treatment of an existing file of the same name. `number`: it stays, and the new file gets the next free
/// number (numbered_after).
enum class Existing { replace, keep, number };

/// Treatment of an existing file that the command line names as an output: `keep`, or after
/// overwrite_named_outputs(), which stands for --overwrite, `replace`.
Existing for_named_outputs();
void overwrite_named_outputs();

/// The name with the number at the end of its stem counted up, as wide as before: a-0009.png, a-0010.png. A
/// stem without one gets -0002.
std::filesystem::path numbered_after(const std::filesystem::path& path);

/// Writes a TemporaryFile in the target's folder and gives it its name when complete: a file is whole or
/// absent. With Existing::replace a target that is a symbolic link stays one: the file that it names is
/// replaced. With Existing::keep whatever has the name, a link that leads nowhere too, makes it throw.
class FileWriter {
 public:
  /// Throws Error if the folder cannot be written to, the target is no regular file, or it is to be kept.
  explicit FileWriter(std::filesystem::path target, Existing existing = Existing::replace);
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  ~FileWriter() = default;  ///< without finish() nothing was written
  /// Throws Error when the disk is full or the device fails.
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  /// The file's name; with Existing::number it may be another after finish().
  const std::filesystem::path& target() const { return target_; }
  /// Writes all data to the disk, still without the file's name. Throws Error.
  void settle();
  /// Settles and gives the file its name. Throws Error; then the target is as it was.
  void finish();

 private:
  std::filesystem::path target_;
  Existing existing_;
  std::vector<std::byte> buffer_;
  TemporaryFile file_;

  void flush();
  void take_name();
};

/// Writes a text file at once, in place of one of that name. Throws Error.
void write_file(const std::filesystem::path& target, std::string_view text);

}  // namespace orrery::sim
