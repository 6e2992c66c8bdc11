#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace orrery::lab {

/// How the time of a program grows with the dataset.
enum class Growth : std::uint8_t {
  pairs,  ///< with the square of the bodies: every pair is summed
  bodies  ///< about with the bodies: trees, multipoles
};

/// A program of somebody else, with its problem and its machine: as they published it, or as it was measured
/// beside ours.
struct Rival {
  std::string name;
  std::string hardware;
  std::size_t bodies = 0;  ///< of each galaxy
  std::size_t galaxies = 1;
  double seconds = 0.0;  ///< of a step: as published, or from a published rate
  double error = 0.0;    ///< median relative error of its forces; 0: not stated
  Growth growth = Growth::pairs;
  std::string source;  ///< where it is said, and what
};

/// The size of a dataset: bodies, and ordered pairs of each galaxy together.
struct ProblemSize {
  double bodies = 0.0, pairs = 0.0;
};

/// The time a rival would take for a dataset; nothing where its own is too far from that: the time of a tree
/// is carried over within a factor of two.
std::optional<double> seconds_for(const Rival& rival, const ProblemSize& size);

/// Reads {"rivals": [{"name", "hardware", "bodies", "galaxies" (1), "seconds" of a step or "gips", "error"
/// (not stated), "grows-with" ("pairs" or "bodies"), "source"}]}. Throws sim::Error with the file's name and
/// what is wrong.
std::vector<Rival> read_rivals(const std::filesystem::path& file);

/// rivals.json of the program's data; empty where there is none.
std::vector<Rival> known_rivals();

}  // namespace orrery::lab
