#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "sim/snapshots/hdf5_library.h"

namespace orrery::sim {

/// Why HDF5 files can be neither read nor written here, and what would help; empty if they can.
std::string hdf5_problem();
/// libhdf5, opened at the first call, which takes a moment. Throws Error with one line if orrery was built
/// without it or it does not open here; `what` begins the line ("cannot read 'a.hdf5'").
const Hdf5Library& hdf5_library(std::string_view what);

/// Called once the library is open, before it sees a file. Null, as in all programs but the reader's: nobody
/// is told.
inline void (*on_hdf5)() = nullptr;

/// Held while the library is used: it keeps state of its own and knows no threads.
std::mutex& hdf5_lock();

}  // namespace orrery::sim
