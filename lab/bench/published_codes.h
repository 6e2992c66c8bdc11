#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace orrery::lab {

/// Scaling of a program's time with the dataset.
enum class Growth : std::uint8_t {
  pairs,  ///< grows with the square of the number of bodies: every pair is summed
  bodies  ///< nearly with the number of bodies: trees, multipoles
};

/// The speed of another N-body code with its problem and its hardware: as its authors published it, or as we
/// measured it on the same machine.
struct PublishedCode {
  std::string name;
  std::string hardware;
  std::size_t bodies = 0;  ///< bodies per galaxy
  std::size_t galaxies = 1;
  double seconds = 0.0;  ///< seconds per step: as published, or from a published rate
  double error = 0.0;    ///< median relative force error; 0 if it was not stated
  Growth growth = Growth::pairs;
  std::string source;  ///< publication and the figure taken from it
};

/// The size of a dataset: bodies, and ordered pairs of each galaxy together.
struct ProblemSize {
  double bodies = 0.0, pairs = 0.0;
};

/// The time that a published code would take for a dataset. Nothing if the dataset is too different: the time
/// of a tree is carried over to datasets within a factor of two of its size.
std::optional<double> seconds_for(const PublishedCode& code, const ProblemSize& size);

/// Reads {"codes": [{"name", "hardware", "bodies", "galaxies" (1), "seconds" of a step or "gips", "error"
/// (not stated), "grows-with" ("pairs" or "bodies"), "source"}]}. Throws sim::Error with the file's name and
/// what is wrong.
std::vector<PublishedCode> read_published_codes(const std::filesystem::path& file);

/// Reads published_codes.json from the program's data folder; empty if there is no such file.
std::vector<PublishedCode> known_published_codes();

}  // namespace orrery::lab
