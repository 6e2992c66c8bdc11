#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sim/options/configuration.h"

namespace orrery::lab {

/// The published figures of a rung, for one size of the problem. 0: not published.
struct PublishedFigure {
  std::size_t bodies = 0;  ///< bodies per galaxy
  std::size_t galaxies = 1;
  std::size_t map = 0;     ///< cells along a side of an activity map that was counted too
  double seconds = 0.0;    ///< seconds for the number of steps that the report ran
  double gips = 0.0;       ///< 1e9 interactions per second
  double speedup = 0.0;    ///< over the ladder's first rung, or over another one that the remark names
  double memory_mb = 0.0;  ///< device memory, 1e6 bytes
  std::string with;    ///< shape of blocks that the report used for this size, where it differs between sizes
  std::string remark;  ///< remark on a number that is not a plain measurement; may be empty
};

/// One optimization of a report: a configuration with a name.
struct Rung {
  std::string name;  ///< as in --set: lower case, hyphens
  std::string text;  ///< the change from the previous rung, for people
  /// The options that make it, all that differ from the ladder's base, in order: name and value as text.
  std::vector<std::pair<std::string, std::string>> settings;
  std::string unavailable;  ///< not empty: the program cannot run it, and why
  std::string hardware;     ///< hardware of the published figures
  std::vector<PublishedFigure> published;
};

/// A report's sequence of optimizations, with the problem that it solves.
struct Ladder {
  std::string name;  ///< file name without extension
  std::string title;
  std::string source;      ///< the report: authors, title, year
  std::string model;       ///< built-in galaxy that is measured
  std::size_t bodies = 0;  ///< bodies per galaxy
  std::size_t galaxies = 1;
  int steps = 0;                     ///< number of steps of the report's own check
  double position_tolerance = 1e-3;  ///< its criterion: largest difference of a coordinate to the CPU result
  /// The report times an offline job, host -> device -> steps -> host: rungs of the GPU are measured so too.
  bool pipeline = false;
  std::vector<std::pair<std::string, std::string>> base;  ///< options that all rungs share (physics)
  std::vector<Rung> rungs;
};

/// Reads one file: JSON with the fields of Ladder (position-tolerance with a hyphen; pipeline is true or left
/// out), "hardware" of all rungs that name none, and "rungs". A rung has name, text, unavailable, hardware,
/// published as above (memory_mb as memory-mb), "set" with the options that change, and "from" with the name
/// of the rung that it starts from: "base" or an earlier rung; the one before if it is left out. The reader
/// adds them up, so that Rung::settings is complete. Throws Error with the file's name, what is wrong and
/// where: unknown fields and options, values that no option takes, names that occur twice.
Ladder read_ladder(const sim::OptionTable& table, const std::filesystem::path& file);

/// `start` with the ladder's base and the rung's settings; of what neither names, the options of engines get
/// their defaults (a rung is a whole configuration), but for those that belong to the machine; physics and
/// display keep the value in `start`.
sim::Configuration rung_configuration(const sim::OptionTable& table, const Ladder& ladder, const Rung& rung,
                                      const sim::Configuration& start);

}  // namespace orrery::lab
