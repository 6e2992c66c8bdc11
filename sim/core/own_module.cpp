#include "sim/core/own_module.h"

#include <dlfcn.h>

#include <filesystem>

namespace orrery::sim {

OwnModule open_own_module(const char* path, const char* function, int flags) {
  std::error_code failure;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", failure).parent_path();
  OwnModule result;
  for (const auto& file : {folder / ".." / path, folder / ".." / ".." / path}) {
    if (void* module = dlopen(file.c_str(), flags); module != nullptr) {
      result.function = dlsym(module, function);
      if (result.function != nullptr) return result;
    }
    // What is there but cannot be opened counts for more than what is not there.
    const char* reason = dlerror();
    if (result.problem.empty() || std::filesystem::exists(file, failure)) result.problem = reason;
  }
  return result;
}

}  // namespace orrery::sim
