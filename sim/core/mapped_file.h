#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace orrery::sim {

/// Handles SIGBUS from now on for TornFileGuard. Called once, by main(): without it a guard does nothing.
void survive_torn_files();

/// While it lives, a file that is mapped there and is shortened by another program does not end this one with
/// SIGBUS: zeros are read in place of what is gone. At most 16 at a time; more are not guarded.
class TornFileGuard {
 public:
  /// `mapped` must be mapped at least as long as the guard lives.
  explicit TornFileGuard(std::span<const std::byte> mapped);
  TornFileGuard(const TornFileGuard&) = delete;
  TornFileGuard& operator=(const TornFileGuard&) = delete;
  ~TornFileGuard();

  /// True if something was gone: what was read is not what the file held.
  bool torn() const;

 private:
  int slot_ = -1;
};

/// Called with the size of every file before a MappedFile maps it. Null, as in all programs but the reader's,
/// whose limits grow with what it reads: nobody is told.
inline void (*on_mapping)(std::size_t bytes) = nullptr;

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
