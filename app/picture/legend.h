#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/picture/look.h"
#include "app/picture/overlay_sheet.h"
#include "app/picture/scene_summary.h"
#include "sim/scene/physical_units.h"

namespace orrery::app {

/// The texts of the legend besides the colours.
struct LegendInfo {
  std::string title;
  double time = 0.0;
  std::uint64_t steps = 0;
  sim::PhysicalUnits units = {};  ///< units of the dataset
  /// Value of the activity map that is drawn; empty: none, or not known.
  std::optional<float> map_largest = {};
  /// Number of the present snapshot of a series that plays, from 1; 0: `steps` counts.
  std::uint64_t snapshot = 0;
  std::string problem = {};  ///< ViewState::force_problem
};

/// Draws dataset, number of bodies, time and step, with the lower left corner of the lines at `corner`; a
/// problem stands above them. Returns how high they are.
float draw_title(const OverlaySheet& sheet, ImVec2 corner, const LegendInfo& info,
                 const SceneSummary& summary, const sim::PhysicalUnits& units);

/// Draws what the colours mean, with its lower right corner at `corner`: a bar with numbers and unit, or the
/// components, or that the colours are those of the file; of the activity map too. At most `width` wide.
void draw_color_key(const OverlaySheet& sheet, ImVec2 corner, float width, const LegendInfo& info,
                    const SceneSummary& summary, const Look& look, const sim::PhysicalUnits& units);

}  // namespace orrery::app
