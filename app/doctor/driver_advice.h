#pragma once

#include <string>

namespace orrery::app {

/// Facts that decide what helps where NVIDIA's driver is installed and does not start.
struct DriverTrouble {
  int error = 0;              ///< what its cuInit returned
  std::string locked_file;    ///< a device file that this user may not open; empty: none
  std::string locked_group;   ///< the group whose members may open it; empty: none
  bool in_container = false;  ///< where drivers and device files come from outside
};

/// Asks the device files in `folder`, which is /dev.
DriverTrouble driver_trouble(int error, bool in_container, const std::string& folder);

/// A command, or what to do.
std::string driver_advice(const DriverTrouble& trouble);

}  // namespace orrery::app
