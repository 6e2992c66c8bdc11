#pragma once

#include <string>
#include <vector>

#include "app/commands/part.h"

namespace orrery::app {

/// Options of `verify --physics`.
struct PhysicsVerification {
  std::vector<std::string> assignments;  ///< NAME=VALUE
  bool quick = false;                    ///< leaves out what takes seconds
  Part part;                             ///< the checks to run
  std::string json;                      ///< a file, "-" for standard output, empty: none
};

/// Prints a table of checks with known answers; returns the exit status: 1 if one failed.
int verify_physics(const PhysicsVerification& wanted);

}  // namespace orrery::app
