#pragma once

#include <cstdint>
#include <string>

namespace orrery::lab {

/// The hardware of this machine, for reports.
struct Machine {
  std::string cpu;           ///< model name
  int processors = 1;        ///< cores that this process may use
  std::uint64_t memory = 0;  ///< bytes
  std::string system;        ///< kernel name and release
  std::string instructions;  ///< the widest vector instructions that the CPU kernels can run here
};

/// Asks the system; unknown parts say so or are 0.
Machine this_machine();

}  // namespace orrery::lab
