#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace orrery::lab {

/// What somebody published of a program of their own, with its problem and its machine.
struct Rival {
  std::string name;
  std::string hardware;
  std::size_t bodies = 0;  ///< of each galaxy
  std::size_t galaxies = 1;
  double gips =
      0.0;  ///< 1e9 interactions per second: as published, or bodies squared over the time of a step
  std::string source;  ///< where it is said, and what
};

/// Reads {"rivals": [{"name", "hardware", "bodies", "galaxies" (1), "seconds" of a step or "gips",
/// "source"}]}. Throws sim::Error with the file's name and what is wrong.
std::vector<Rival> read_rivals(const std::filesystem::path& file);

/// rivals.json of the program's data; empty where there is none.
std::vector<Rival> known_rivals();

}  // namespace orrery::lab
