#pragma once

#include <imgui.h>

#include <optional>
#include <vector>

namespace orrery::app {

/// A dot of a plot and the size of its name, in window units.
struct NamedDot {
  ImVec2 at;
  float radius = 0.0F;
  ImVec2 name;
};

/// The dots that get a name.
enum class DotNames {
  that_fit,   ///< dots with room for their name beside them
  off_lines,  ///< as that_fit, corners first: lines may run through the dots
  all,        ///< all dots; some are joined to their name by a line
};

/// A name in a plot: its upper left corner, and the end of the line that leads from the dot to it.
struct DotName {
  ImVec2 corner;
  std::optional<ImVec2> line_to = {};
};

/// The positions of the names in a plot between two corners. No name covers another one or a dot. Lines cross
/// names and dots only where they cannot end otherwise. No value where there is no room. The first
/// dots choose first, but for `all`.
std::vector<std::optional<DotName>> place_names(const std::vector<NamedDot>& dots, ImVec2 low, ImVec2 high,
                                                DotNames which);

/// The end of a line at the edge of a dot, towards `to`.
ImVec2 edge_of(const NamedDot& dot, ImVec2 to);

}  // namespace orrery::app
