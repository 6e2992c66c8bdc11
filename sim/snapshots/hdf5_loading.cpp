#include "sim/snapshots/hdf5_loading.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "sim/core/error.h"

namespace orrery::sim {

namespace {

#ifdef ORRERY_HDF5_MODULE
using Get = const Hdf5Library* (*)();

/// Beside the program, in the folders of the build and of the install tree alike: bin/orrery, or
/// bin/tests/NAME.
std::vector<std::string> module_names() {
  std::error_code failure;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", failure).parent_path();
  return {(folder / ".." / ORRERY_HDF5_MODULE).string(),
          (folder / ".." / ".." / ORRERY_HDF5_MODULE).string()};
}

Get open_module(std::string_view what) {
  std::string problem;
  for (const auto& name : module_names()) {
    void* module = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module != nullptr) return reinterpret_cast<Get>(dlsym(module, "orrery_hdf5"));
    // What is there but cannot be opened counts for more than what is not there.
    const char* reason = dlerror();
    if (problem.empty() || std::filesystem::exists(name)) problem = reason;
  }
  throw Error(fmt::format("{}: HDF5 does not open ({}); install libhdf5-103-1", what, problem));
}
#endif

}  // namespace

std::mutex& hdf5_lock() {
  static std::mutex lock;
  return lock;
}

const Hdf5Library& hdf5_library(std::string_view what) {
#ifdef ORRERY_HDF5_MODULE
  static const Get get = open_module(what);
  return *get();
#else
  throw Error(fmt::format(
      "{}: this orrery was built without HDF5; install libhdf5-dev and build it again, or use another format",
      what));
#endif
}

}  // namespace orrery::sim
