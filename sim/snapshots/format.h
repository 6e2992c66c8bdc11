#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scene.h"

namespace orrery::sim {

/// Shared between the thread that loads a file and the one that shows how far it is.
struct LoadProgress {
  std::atomic<float> fraction{0.0F};  ///< 0 to 1
  std::atomic<bool> cancel{false};    ///< set by the watcher: the reader throws Cancelled soon after
};

/// How to read. The defaults take everything from the file's content.
struct ReadOptions {
  /// Text only: overrides the recognized columns, e.g. "mass,x,y,z,vx,vy,vz"; "-" skips one.
  std::string columns;
  LoadProgress* progress = nullptr;  ///< may be null
};

/// How to write.
struct WriteOptions {
  bool big_endian = false;  ///< Tipsy: the "standard" (XDR) byte order
};

/// What a reader sees of a file: its bytes, mapped, and its name for messages.
struct FileView {
  std::filesystem::path path;
  std::span<const std::byte> bytes;
};

/// One file format: one file of code and one line in registry.cpp.
struct SnapshotFormat {
  std::string_view name;        ///< as in `orrery convert --format NAME`
  std::string_view meaning;     ///< one line for the help
  std::string_view extensions;  ///< of files to write, comma separated, e.g. "csv,txt"
  /// True if the content (never the name) says that it is of this format. Must look at few bytes.
  bool (*recognizes)(const FileView& file);
  /// Reads the first snapshot. Throws Error with one line; allocates nothing before the counts fit the size.
  Scene (*read)(const FileView& file, const ReadOptions& options);
  /// The whole file's content for `scene`, handed to `write_file` (below) piece by piece; nullptr: cannot
  /// write.
  void (*write)(const Scene& scene, const WriteOptions& options, class FileWriter& out);
};

/// Writes to a temporary name beside the target and renames when complete: a file is whole or absent.
class FileWriter {
 public:
  /// Throws Error if the folder cannot be written to.
  explicit FileWriter(std::filesystem::path target);
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  ~FileWriter();  ///< removes the temporary file if finish() was not reached
  /// Throws Error when the disk is full or the device fails.
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  /// Flushes, checks and renames. Throws Error; then the target is as it was.
  void finish();

 private:
  std::filesystem::path target_, temporary_;
  int descriptor_ = -1;
};

/// All formats in the order in which their content is tried.
std::span<const SnapshotFormat* const> snapshot_formats();
const SnapshotFormat* find_snapshot_format(std::string_view name);

/// Reads any recognized file. Throws Error with one line: what, why, what to do. A directory, an empty file,
/// a device or an unknown format is refused with the list of formats. The scene's parameters are suggested
/// (suggest_parameters), its title is the file's name.
Scene read_snapshot(const std::filesystem::path& path, const ReadOptions& options = {});
/// Writes `scene` in the named format, or in the one of the path's extension if `format` is empty.
void write_snapshot(const Scene& scene, const std::filesystem::path& path, std::string_view format = {},
                    const WriteOptions& options = {});

}  // namespace orrery::sim
