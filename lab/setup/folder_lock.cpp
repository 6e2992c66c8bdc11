#include "lab/setup/folder_lock.h"

#include <sys/file.h>
#include <unistd.h>

#include "sim/core/private_file.h"

namespace orrery::lab {

FolderLock::FolderLock(const std::filesystem::path& folder)
    : descriptor_(sim::open_lock_file(folder / ".lock")) {
  if (descriptor_ >= 0) ::flock(descriptor_, LOCK_EX);
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace orrery::lab
