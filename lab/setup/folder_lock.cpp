#include "lab/setup/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace orrery::lab {

int open_folder_lock(const std::filesystem::path& folder) {
  constexpr int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  return ::open((folder / ".lock").c_str(), flags, S_IRUSR | S_IWUSR);
}

FolderLock::FolderLock(const std::filesystem::path& folder) : descriptor_(open_folder_lock(folder)) {
  if (descriptor_ >= 0) ::flock(descriptor_, LOCK_EX);
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace orrery::lab
