#pragma once

#include <string>

#include "sim/options/option_group.h"

namespace orrery::app {

/// The options of the picture and its pace that more than one part of the program reads.
struct PictureOptions {
  double speed = 0.0;  ///< simulated time per second; 0: as fast as the engine can
  bool legend = false, paper = false;
  std::string axes, color_mode, color_map, show, map_view;
  bool color_log = false, color_reversed = false;
  sim::FormValue highlight, exposure;

  /// The map is drawn over the bodies, not instead of them.
  bool has_map_over_bodies() const { return map_view == "over"; }
};
/// Calls visit(name, member) for the option of each member.
template <typename Visit>
void for_each_value(PictureOptions& options, const Visit& visit) {
  visit("speed", options.speed);
  visit("legend", options.legend);
  visit("paper", options.paper);
  visit("axes", options.axes);
  visit("color-mode", options.color_mode);
  visit("color-map", options.color_map);
  visit("show", options.show);
  visit("map-view", options.map_view);
  visit("color-log", options.color_log);
  visit("color-reversed", options.color_reversed);
  visit("highlight", options.highlight);
  visit("exposure", options.exposure);
}

/// Those of a configuration.
inline PictureOptions picture_options(const sim::Configuration& configuration) {
  return sim::read_group<PictureOptions>(configuration);
}

}  // namespace orrery::app
