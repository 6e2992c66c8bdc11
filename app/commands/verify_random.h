#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/part.h"

namespace orrery::app {

/// Options of `verify --random`.
struct RandomVerification {
  std::size_t count = 0;                 ///< configurations to draw
  std::uint64_t seed = 1;                ///< seed of scenes and configurations
  std::optional<double> seconds;         ///< ends before `count` when these are over
  Part part;                             ///< which part of the drawn configurations to run
  bool list = false;                     ///< says what would be drawn, and runs nothing
  std::vector<std::string> assignments;  ///< NAME=VALUE: not drawn
  std::string json;                      ///< a file, "-" for standard output, empty: none
};

/// Checks random configurations against double precision and a reference run; returns the exit status: 1 if
/// one is wrong or fails.
int verify_random(const RandomVerification& wanted);

}  // namespace orrery::app
