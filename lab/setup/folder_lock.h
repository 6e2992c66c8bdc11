#pragma once

#include <filesystem>

namespace orrery::lab {

/// Locks a folder while the object lives: other processes that want the lock wait, for a short while in which
/// a file is read, changed and written again. Where the file system knows no locks it does nothing.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  int descriptor_;
};

}  // namespace orrery::lab
