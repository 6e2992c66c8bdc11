#pragma once

#include <string>

namespace orrery::sim {

/// A function of one of this program's modules, which are opened when they are needed, so that the libraries
/// that they use may be missing.
struct OwnModule {
  void* function = nullptr;  ///< null: it does not open
  std::string problem;       ///< the dynamic linker's reason then
};

/// Opens `path`, relative to the folder above the program's (bin/orrery, bin/tests/NAME), for as long as the
/// program runs. `flags` are those of dlopen.
OwnModule open_own_module(const char* path, const char* function, int flags);

}  // namespace orrery::sim
