#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <utility>

#include "sim/activity/map_options.h"
#include "sim/options/option_group.h"
#include "sim/scene/physical_units.h"

// The options of the picture, as the code that draws reads them.
namespace orrery::app {

/// Options that turn light into a picture.
struct LightOptions {
  std::string look, tone_curve = "asinh";
  sim::FormValue exposure;
  bool paper = false, dither = true;
  double glow = 0.35;
  static sim::OptionRows<LightOptions> rows();
};

/// Options of the colours of bodies.
struct ColorOptions {
  std::string mode, map;
  std::string scale;  ///< list of what the colour bar is: "log", "reversed"
  sim::FormValue range;
  std::string under, over, nan;  ///< colours outside the range
  static sim::OptionRows<ColorOptions> rows();

  bool is_logarithmic() const { return sim::lists(scale, "log"); }
  bool is_reversed() const { return sim::lists(scale, "reversed"); }
  /// Linear light for values below the range, above it, and for those that are no numbers; 0: as the map has
  /// it.
  std::array<glm::vec4, 3> outside() const;
};

/// Options that draw bodies.
struct BodyOptions {
  double size = 2.0, brightness = 1.0;
  bool perspective_size = false;
  static sim::OptionRows<BodyOptions> rows();
};

/// Options of single bodies' images: width, brightness and colour.
struct StarOptions {
  sim::FormValue sizes;
  std::string starlight;
  sim::FormValue variation;
  static sim::OptionRows<StarOptions> rows();

  /// Standard deviation of the brightness, in magnitudes.
  double spread() const { return variation.number(0); }
  double colors() const { return variation.number(1); }
  double ages() const { return variation.number(2); }
};

/// Options that choose a picture's contents and the way it is drawn.
struct PictureOptions {
  std::string show, labels, splatting, views;
  sim::FormValue highlight;
  bool legend = true, interop = true;
  static sim::OptionRows<PictureOptions> rows();

  bool has_several_views() const { return views == "four"; }
  /// The number of the galaxy that is singled out; -1: none.
  std::int64_t singled_out_galaxy() const { return static_cast<std::int64_t>(highlight.number(0)); }
};

/// Options of the text and marks over the picture.
struct OverlayOptions {
  double text_size = 15.0;
  std::string scale_bar, axes, length_unit, time_unit;
  sim::FormValue arrows;
  static sim::OptionRows<OverlayOptions> rows();

  bool shows_arrows() const { return arrows.word != "off"; }
  /// Length of a fast body's arrow, in hundredths of the picture's height.
  double arrow_length() const { return arrows.number(shows_arrows() ? 1 : 0); }
  /// The units that the overlay speaks of: those of the dataset, or what the options say instead.
  sim::PhysicalUnits units(const sim::PhysicalUnits& dataset) const;
  /// The height of a line of text in a picture of that many pixels: the option text-size is for one 720
  /// pixels high. At least 9 pixels. A picture higher than three quarters of its width counts as one of
  /// these.
  float text_pixels(float width, float height) const;
};

/// Trails, ellipses and names.
struct TrailOptions {
  sim::FormValue trails, length, look, frame;
  std::string marks, body_sizes;
  static sim::OptionRows<TrailOptions> rows();
};

/// Options that draw the activity map; sim::MapOptions chooses its counts.
struct MapLookOptions {
  std::string view, colors = "red";
  bool log = false;
  static sim::OptionRows<MapLookOptions> rows();
};

/// The pace at which steps are shown.
struct PaceOptions {
  double speed = 0.0;  ///< simulated time per second; 0: as fast as the engine can
  static sim::OptionRows<PaceOptions> rows();
};

/// All options that decide what a picture looks like, read once from a configuration.
struct Look {
  explicit Look(sim::Configuration options) : configuration(std::move(options)) {}

  sim::Configuration configuration;  ///< all options: effects read their own
  LightOptions light = sim::read_group<LightOptions>(configuration);
  ColorOptions color = sim::read_group<ColorOptions>(configuration);
  BodyOptions bodies = sim::read_group<BodyOptions>(configuration);
  StarOptions stars = sim::read_group<StarOptions>(configuration);
  PictureOptions picture = sim::read_group<PictureOptions>(configuration);
  OverlayOptions overlay = sim::read_group<OverlayOptions>(configuration);
  TrailOptions trails = sim::read_group<TrailOptions>(configuration);
  MapLookOptions map = sim::read_group<MapLookOptions>(configuration);
  sim::MapOptions counted = sim::map_options(configuration);

  /// True if there is a scale bar: always, never, or together with the legend.
  bool shows_scale_bar() const {
    return overlay.scale_bar == "on" || (overlay.scale_bar == "auto" && picture.legend);
  }
  /// The map is drawn over the bodies, not instead of them.
  bool has_map_over_bodies() const { return map.view == "over"; }
};

/// The look of a configuration that changes now and then.
class CurrentLook {
 public:
  /// Reads the options where they differ from the last ones.
  const Look& of(const sim::Configuration& configuration);

 private:
  std::optional<Look> look_;
};

}  // namespace orrery::app
