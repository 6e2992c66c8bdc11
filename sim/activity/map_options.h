#pragma once

#include <optional>
#include <span>
#include <string>

#include "sim/activity/activity_map.h"
#include "sim/options/option_group.h"

namespace orrery::sim {

/// The options of the activity map. They change what is counted, never how bodies move.
struct MapOptions {
  std::size_t size = 0;  ///< cells along a side; 0: no map
  std::string plane, values;
  FormValue box;

  /// The options, with the members that have their values.
  static OptionRows<MapOptions> rows();

  bool says_counts() const { return values == "count"; }
};

/// The map options of a configuration.
inline MapOptions map_options(const Configuration& configuration) {
  return read_group<MapOptions>(configuration);
}

/// The map that a configuration asks for, around these bodies where map-box is fitted to them.
MapSpec map_spec(const Configuration& configuration, std::span<const Vec3> position);

/// The map of an engine. Its box is found once: when bodies are loaded, and when another box is asked for.
class ChosenMap {
 public:
  /// Takes the map options; `position`: the bodies that were loaded.
  void configure(const Configuration& configuration, std::span<const Vec3> position);
  /// Takes the positions of newly loaded bodies.
  void load(std::span<const Vec3> position);
  const MapSpec& spec() const { return spec_; }

 private:
  std::optional<Configuration> configuration_;
  MapSpec spec_;
};

/// The value of map-box for these edges.
std::string map_box_text(const MapBox& box);

/// True if the configuration asks for a map.
bool wants_map(const Configuration& configuration);

/// Bytes of a map of `size` x `size` cells: counts and values in an engine, and the three buffers through
/// which it goes to the picture.
double map_bytes(std::size_t size);

}  // namespace orrery::sim
