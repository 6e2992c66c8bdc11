#include "app/picture/display_options.h"

#include <fmt/format.h>

#include "app/picture/arrow_options.h"
#include "app/picture/color_options.h"
#include "app/picture/effects/effect.h"
#include "app/picture/light_options.h"
#include "app/picture/overlay_options.h"
#include "app/picture/picture_options.h"
#include "app/picture/picture_views.h"
#include "app/picture/star_options.h"
#include "app/picture/trail_options.h"
#include "lab/setup/dataset.h"
#include "render/color_maps/color_map.h"
#include "render/color_modes/color_mode.h"
#include "sim/activity/map_options.h"
#include "sim/bodies/bodies.h"
#include "sim/options/describe.h"
#include "sim/options/engine_option.h"
#include "sim/options/form.h"
#include "sim/simulation/simulation_options.h"

namespace orrery::app {

namespace {

using sim::Option;
using sim::OptionTable;

constexpr double largest_singled_out = lab::most_galaxies - 1.0;

std::string color_map_unused(const sim::Configuration& configuration) {
  const auto* mode = render::find_color_mode(sim::read_member(configuration, &PictureOptions::color_mode));
  if (mode != nullptr && mode->is_color) return "the file sets the colours of the bodies";
  const bool own = mode == nullptr || mode->categorical;
  return own ? "components have colours of their own" : std::string();
}

Option color_map_option() {
  auto option = sim::chosen_from(
      sim::shown("color-map", "colour", "Colour map", "Colour map of the quantity that the colour shows."),
      render::color_maps());
  option = sim::with_first(std::move(option), "auto", "the map that suits the quantity");
  return sim::unless(std::move(option), color_map_unused);
}

std::string missing_galaxy(const sim::OptionValue& value, const sim::Configuration& /*rest*/,
                           const sim::OptionContext& context) {
  const auto number = sim::form_value(std::get<std::string>(value)).number(0);
  const auto count = static_cast<double>(context.galaxies);
  if (count == 0.0 || number < count) return {};
  return count == 1.0
             ? fmt::format("the dataset is one galaxy: there is none of number {}; take -1 or 0", number)
             : fmt::format("the dataset has {} galaxies, numbers 0 to {}: there is none of number {}", count,
                           count - 1.0, number);
}

Option highlight_option() {
  const std::vector<sim::FormNumber> galaxy{{.name = "GALAXY",
                                             .default_value = -1.0,
                                             .minimum = -1.0,
                                             .maximum = largest_singled_out,
                                             .whole = true,
                                             .of_dataset = true}};
  auto option = sim::formed(
      sim::shown("highlight", "bodies", "Singled-out galaxy",
                 "Which galaxy is singled out (number from 0; -1: none), and how it differs from the others. "
                 "Click a galaxy to single it out."),
      {{.word = "dim-others", .numbers = galaxy, .meaning = "the others keep a twentieth of their light"},
       {.word = "gray-others", .numbers = galaxy, .meaning = "the others have one dull colour"},
       {.word = "color", .numbers = galaxy, .meaning = "it becomes orange"},
       {.word = "off", .numbers = galaxy, .meaning = "it looks like the others"}});
  option.conflicts = {missing_galaxy};
  return option;
}

void add_galaxy_options(OptionTable& table) {
  table.add(sim::chosen(sim::shown("labels", "overlay", "Galaxy labels",
                                   "Text below each galaxy of the grid, in the window and in pictures; "
                                   "shortened where space is tight."),
                        {"off", "numbers", "bodies"},
                        {"nothing", "the number of the galaxy, from 0", "number and bodies of the galaxy"}));
  table.add(highlight_option());
}

std::string no_colors(const sim::OptionValue& value, const sim::Configuration& /*rest*/,
                      const sim::OptionContext& context) {
  const bool refused = std::get<std::string>(value) == "file" && context.lacks_colors;
  return refused ? "the dataset has no colours of its own (red, green and blue in a CSV, VTK or BIN file)"
                 : std::string();
}

std::string no_extent(const sim::OptionValue& value, const sim::Configuration& /*rest*/,
                      const sim::OptionContext& /*context*/) {
  const auto range = sim::form_value(std::get<std::string>(value));
  const auto low = static_cast<float>(range.number(0)), high = static_cast<float>(range.number(1));
  return range.word.empty() && low == high
             ? "both ends of the colour bar are the same; give two values, or auto"
             : "";
}

Option color_range_option() {
  const auto end = [](const char* name, double value) {
    return sim::FormNumber{.name = name,
                           .default_value = value,
                           .minimum = -1e30,
                           .maximum = 1e30,
                           .of_dataset = true,
                           .required = true};
  };
  auto option = sim::formed(
      sim::shown("color-range", "colour", "Range of colours", "The values at both ends of the colour bar."),
      {{.word = "auto", .numbers = {}, .meaning = "the range of the bodies when the dataset was opened"},
       {.word = "", .numbers = {end("LOW", 0.0), end("HIGH", 1.0)}, .meaning = ""}});
  option.conflicts = {no_extent};
  return sim::unless(std::move(option), color_map_unused);
}

void add_color_options(OptionTable& table) {
  auto mode = sim::chosen_from(
      sim::shown("color-mode", "colour", "Colour shows", "The quantity that the colour of a body shows."),
      render::color_modes());
  mode.conflicts = {no_colors};
  table.add(sim::with_first(std::move(mode), "auto",
                            "the file's colours if it has any, else the component; with fewer than 100 "
                            "bodies, each body its own colour"));
  table.add(color_map_option());
  table.add(sim::unless(
      sim::flag(sim::shown("color-log", "colour", "Logarithmic colours", "Makes the colour bar logarithmic."),
                false),
      color_map_unused));
  table.add(sim::unless(
      sim::flag(sim::shown("color-reversed", "colour", "Reversed colours", "Reverses the colour map."),
                false),
      color_map_unused));
  table.add(color_range_option());
  add_outside_color_options(table);
}

void add_component_option(OptionTable& table) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < sim::component_count; ++i)
    names.emplace_back(sim::component_name(static_cast<sim::Component>(i)));
  table.add(sim::listed(sim::shown("show", "bodies", "Show", "The components whose bodies are drawn."),
                        std::move(names)));
}

void add_sprite_options(OptionTable& table) {
  table.add(sim::real(sim::shown("size", "bodies", "Body size",
                                 "Size of a body's image: full width at half maximum, in a picture 720 "
                                 "pixels high. Its light stays the same."),
                      2.0, 0.3, 48.0, "pixels", true));
  table.add(sim::flag(sim::shown("perspective-size", "bodies", "", "Makes near bodies look larger."), false));
  table.add(sim::real(sim::shown("brightness", "light", "", "A factor for the light of each body."), 1.0,
                      1e-3, 1e3, "", true));
}

std::string only_cuda_draws_in_place(const sim::Configuration& configuration) {
  return sim::is_on_gpu(configuration) ? std::string() : "only the CUDA engine uses it";
}

void add_picture_options(OptionTable& table) {
  table.add(sim::flag(
      sim::shown("legend", "overlay", "", "Shows colour bar, time and number of bodies in the picture."),
      true));
  table.add(sim::chosen(
      sim::shown("splatting", "bodies", "Drawn by",
                 "What draws the bodies in the window. Pictures are always drawn by the "
                 "rasterizer, so that the same state gives the same picture; films too, unless compute "
                 "is chosen."),
      {"auto", "raster", "compute"},
      {"the faster of the two, found on the first frames", "point sprites, drawn by the rasterizer",
       "a compute shader; much faster on data centre GPUs"}));
  table.add(
      sim::unless(sim::flag(sim::shown("interop", "bodies", "Draw in place",
                                       "Lets the GPU write the bodies directly into the buffers that are "
                                       "drawn, if it can. Off: they are copied through main memory."),
                            true),
                  only_cuda_draws_in_place));
}

std::string no_map(const sim::Configuration& configuration) {
  return sim::wants_map(configuration) ? std::string() : "there is no map: set map-size";
}

/// Options for the appearance of the activity map; sim/activity/map_options.cpp says what it counts.
void add_map_look_options(OptionTable& table) {
  table.add(sim::unless(
      sim::chosen(sim::shown("map-view", "map", "Map drawn", "Where the activity map is drawn."),
                  {"over", "instead"}, {"over the bodies; empty cells are clear", "instead of the bodies"}),
      no_map));
  auto colors = sim::chosen_from(sim::shown("map-color", "map", "Map colours", "The colours of the map."),
                                 render::color_maps());
  colors.default_value = std::string("red");
  table.add(sim::unless(std::move(colors), no_map));
  table.add(sim::unless(
      sim::flag(
          sim::shown("map-log", "map", "Logarithmic map",
                     "Makes the map's colours logarithmic, so that sparse and dense parts show together."),
          false),
      no_map));
}

}  // namespace

void add_display_options(OptionTable& table) {
  add_color_options(table);
  add_light_options(table);
  add_sprite_options(table);
  add_star_options(table);
  add_effect_options(table);
  add_component_option(table);
  add_galaxy_options(table);
  add_picture_options(table);
  add_view_options(table);
  add_overlay_options(table);
  add_arrow_options(table);
  add_trail_options(table);
  add_map_look_options(table);
  table.add(sim::real(
      sim::shown("speed", "run", "Speed", "Simulated time per second. 0: as fast as the engine can."), 0.0,
      0.0, 1e30, "time / s", true));
}

OptionTable all_options() {
  OptionTable table;
  sim::add_simulation_options(table);
  add_display_options(table);
  return table;
}

}  // namespace orrery::app
