#pragma once

#include <string>

#include "sim/options/option_member.h"

namespace orrery::app {

/// The options of the picture and its pace that more than one part of the program reads.
struct PictureOptions {
  double speed = 0.0;  ///< simulated time per second; 0: as fast as the engine can
  bool legend = false, paper = false, interop = false;
  std::string look, axes, labels, views, color_mode, color_map, show, map_view;
  bool color_log = false, color_reversed = false;
  sim::FormValue color_range, highlight, exposure;
};
/// Calls visit(name, member) for the option of each member.
template <typename Visit>
void for_each_value(PictureOptions& options, const Visit& visit) {
  visit("speed", options.speed);
  visit("legend", options.legend);
  visit("paper", options.paper);
  visit("interop", options.interop);
  visit("look", options.look);
  visit("axes", options.axes);
  visit("labels", options.labels);
  visit("views", options.views);
  visit("color-mode", options.color_mode);
  visit("color-map", options.color_map);
  visit("show", options.show);
  visit("map-view", options.map_view);
  visit("color-log", options.color_log);
  visit("color-reversed", options.color_reversed);
  visit("color-range", options.color_range);
  visit("highlight", options.highlight);
  visit("exposure", options.exposure);
}

/// The picture options of a configuration.
inline PictureOptions picture_options(const sim::Configuration& configuration) {
  return sim::read_group<PictureOptions>(configuration);
}

/// The map is drawn over the bodies, not instead of them.
inline bool has_map_over_bodies(const sim::Configuration& configuration) {
  return sim::read_member(configuration, &PictureOptions::map_view) == "over";
}

}  // namespace orrery::app
