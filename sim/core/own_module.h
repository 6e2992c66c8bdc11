#pragma once

#include <filesystem>
#include <string>

namespace orrery::sim {

/// A file of this installation or build: `path` below the folder above the program's, or the folder above
/// that (bin/orrery, bin/tests/NAME). It may be missing.
std::filesystem::path own_file(const char* path);

/// A function of one of this program's modules, which are opened when they are needed, so that the libraries
/// that they use may be missing.
struct OwnModule {
  void* function = nullptr;  ///< null: it does not open
  std::string problem;       ///< the dynamic linker's reason then
};

/// Opens own_file(path) for as long as the program runs. `flags` are those of dlopen.
OwnModule open_own_module(const char* path, const char* function, int flags);

}  // namespace orrery::sim
