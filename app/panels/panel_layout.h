#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace orrery::app {

/// The user's arrangement of the panel, kept between runs.
struct PanelLayout {
  static constexpr float least_width = 200.0F, usual_width = 340.0F;  ///< at scale 1

  std::string tab = "run";    ///< the name of the tab that shows
  float width = usual_width;  ///< at scale 1
  /// Open state by section title; sections that are not listed start with their default.
  std::map<std::string, bool> sections;
  std::vector<std::string> plots;        ///< beside the view, by name (lab/diagnostics), from above
  std::string reveal;                    ///< title of a section to be shown next: opened, scrolled to
  std::optional<std::size_t> rung_seen;  ///< the rung of the ladder that was scrolled to last
  float width_set = 0.0F;                ///< last width given to the window, in window units
};

}  // namespace orrery::app
