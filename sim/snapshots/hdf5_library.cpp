#include "sim/snapshots/hdf5_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

#include "sim/core/error.h"
#include "sim/core/own_module.h"

namespace orrery::sim {

namespace {

#ifdef ORRERY_HDF5_MODULE
/// The module is looked for once, whether it is there or not.
const OwnModule& opened() {
  static const auto once = open_own_module(ORRERY_HDF5_MODULE, "orrery_hdf5", RTLD_NOW | RTLD_LOCAL);
  return once;
}
#endif

}  // namespace

std::mutex& hdf5_lock() {
  static std::mutex lock;
  return lock;
}

std::string hdf5_problem() {
#ifdef ORRERY_HDF5_MODULE
  if (opened().function != nullptr) return {};
  return fmt::format("HDF5 does not open ({}); install that library, which libhdf5-dev brings",
                     opened().problem);
#else
  return "this orrery was built without HDF5; install libhdf5-dev and build it again, or use another format";
#endif
}

const Hdf5Library& hdf5_library(std::string_view what) {
  const auto problem = hdf5_problem();
#ifdef ORRERY_HDF5_MODULE
  if (problem.empty()) {
    if (on_hdf5 != nullptr) on_hdf5();
    using Get = const Hdf5Library* (*)();
    return *reinterpret_cast<Get>(opened().function)();
  }
#endif
  throw Error(fmt::format("{}: {}", what, problem));
}

}  // namespace orrery::sim
