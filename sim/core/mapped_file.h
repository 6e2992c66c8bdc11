#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace orrery::sim {

/// A reader's view of a file: its bytes, mapped, and its name for messages.
struct FileView {
  std::filesystem::path path;
  std::span<const std::byte> bytes;
};

/// A regular file mapped for reading, for the life of this object. The size is taken once: the file must not
/// be shortened meanwhile (the kernel then ends the program with SIGBUS, as for every program that maps
/// files).
class MappedFile {
 public:
  /// Throws Error with one line if `path` is missing, empty, a directory, a device, a pipe or unreadable.
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  const FileView& view() const { return view_; }

 private:
  FileView view_;
};

}  // namespace orrery::sim
