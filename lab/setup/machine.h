#pragma once

#include <cstdint>
#include <istream>
#include <string>

namespace orrery::lab {

/// The name of the CPU that /proc/cpuinfo describes. On x86 the kernel knows it. On ARM there are
/// numbers of maker and design, one pair for each kind of core, and `board` (see board_name) is added.
/// "unknown CPU" if there is neither.
std::string cpu_name(std::istream& cpuinfo, const std::string& board);

/// The computer as its firmware names it, where a core's design does not tell ("Raspberry Pi 4 Model B
/// Rev 1.4", "NVIDIA Grace"). Empty if nothing does. `root` is the folder that has proc and sys.
std::string board_name(const std::string& root = "/");

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
