#pragma once

#include <filesystem>

namespace orrery::lab {

/// Opens the file `.lock` of a folder for flock(), -1 if that cannot be. No other user can open it: whoever
/// can read a file or a folder can hold a lock on it for ever.
int open_folder_lock(const std::filesystem::path& folder);

/// While one lives, other processes that want one for the same folder wait: for a short while in which a file
/// is read, changed and written again. Where the file system knows no locks it does nothing.
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
