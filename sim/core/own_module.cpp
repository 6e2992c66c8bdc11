#include "sim/core/own_module.h"

#include <dlfcn.h>

namespace orrery::sim {

std::filesystem::path own_file(const char* path) {
  std::error_code failure;
  const auto above = std::filesystem::read_symlink("/proc/self/exe", failure).parent_path() / "..";
  return std::filesystem::exists(above / path, failure) ? above / path : above / ".." / path;
}

OwnModule open_own_module(const char* path, const char* function, int flags) {
  OwnModule result;
  void* const module = dlopen(own_file(path).c_str(), flags);
  if (module != nullptr) result.function = dlsym(module, function);
  if (result.function == nullptr) result.problem = dlerror();
  return result;
}

}  // namespace orrery::sim
