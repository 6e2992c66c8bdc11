#include "app/picture/display_options.h"

#include <fmt/format.h>

#include "app/picture/arrow_options.h"
#include "app/picture/color_options.h"
#include "app/picture/dust_options.h"
#include "app/picture/light_options.h"
#include "app/picture/overlay_options.h"
#include "app/picture/picture_views.h"
#include "app/picture/spike_options.h"
#include "app/picture/star_options.h"
#include "app/picture/trail_options.h"
#include "lab/setup/dataset.h"
#include "render/color_map.h"
#include "render/color_mode.h"
#include "sim/activity/map_options.h"
#include "sim/bodies/bodies.h"
#include "sim/simulation/simulation_options.h"

namespace orrery::app {

namespace {

using sim::Option;
using sim::OptionKind;
using sim::OptionTable;

constexpr const char* no_group = "display";

/// Completes the description of an option of the picture. The label is left out where the name makes a good
/// one. Without a group of its own it gets that of the others with which it is added (add_in).
Option shown(Option option, std::string label = {}) {
  if (option.group.empty()) option.group = no_group;
  option.scope = sim::OptionScope::display;
  option.label = std::move(label);
  return option;
}

/// In the section of the panel of that name (app/panels/display_panel.cpp).
Option in(const char* group, Option option) {
  option.group = group;
  return option;
}

Option number(std::string name, std::string meaning, std::string unit, double value, double minimum,
              double maximum, bool logarithmic = false) {
  return {.name = std::move(name),
          .meaning = std::move(meaning),
          .unit = std::move(unit),
          .kind = OptionKind::real,
          .default_value = value,
          .minimum = minimum,
          .maximum = maximum,
          .logarithmic = logarithmic};
}

Option flag(std::string name, std::string meaning, bool value) {
  return {.name = std::move(name), .meaning = std::move(meaning), .default_value = value};
}

/// A choice of "auto" (or a first entry) and everything registered in a list of name/meaning pairs.
template <typename List>
Option choice(std::string name, std::string meaning, const List& list) {
  Option option{.name = std::move(name), .meaning = std::move(meaning), .kind = OptionKind::choice};
  for (const auto* entry : list) {
    option.choices.emplace_back(entry->name);
    option.choice_meanings.emplace_back(entry->meaning);
  }
  option.default_value = option.choices.front();
  return option;
}

std::string color_map_unused(const sim::Configuration& configuration) {
  const auto* mode = render::find_color_mode(configuration.choice("color-mode"));
  if (mode != nullptr && mode->is_color) return "the file says the colours of the bodies";
  const bool own = mode == nullptr || mode->categorical;
  return own ? "components have colours of their own" : std::string();
}

Option color_map_option() {
  auto option =
      choice("color-map", "The colours for the quantity that the colour shows.", render::color_maps());
  option.choices.insert(option.choices.begin(), "auto");
  option.choice_meanings.insert(option.choice_meanings.begin(), "the map that suits the quantity");
  option.default_value = std::string("auto");
  option.inactive = color_map_unused;
  return option;
}

Option splatting_option() {
  Option option{.name = "splatting",
                .meaning =
                    "What draws the bodies in the window. Pictures are always drawn by the rasterizer, so "
                    "that the same "
                    "state gives the same picture.",
                .kind = OptionKind::choice,
                .default_value = std::string("auto"),
                .choices = {"auto", "raster", "compute"},
                .choice_meanings = {"the faster of the two, found on the first frames",
                                    "point sprites, drawn by the rasterizer",
                                    "a compute shader; much faster on data centre GPUs"}};
  return option;
}

Option moving_size_option() {
  return {
      .name = "moving-size",
      .meaning =
          "How large the window draws bodies that move. What stands still is drawn at full size, and so is "
          "every picture and film.",
      .kind = OptionKind::choice,
      .default_value = std::string("auto"),
      .choices = {"auto", "full"},
      .choice_meanings = {"smaller where OpenGL has no GPU and frames take longer than 40 ms",
                          "always at full size"}};
}

Option labels_option() {
  return {.name = "labels",
          .meaning =
              "The text below each galaxy of the grid, in the window and in pictures. It is shortened where "
              "there "
              "is little room.",
          .kind = OptionKind::choice,
          .default_value = std::string("off"),
          .choices = {"off", "numbers", "bodies"},
          .choice_meanings = {"nothing", "the number of the galaxy, from 0", "its number and its bodies"}};
}

Option highlight_option() {
  return {
      .name = "highlight",
      .meaning = "How the singled-out galaxy differs from the others. A click on a galaxy singles it out.",
      .kind = OptionKind::choice,
      .default_value = std::string("dim-others"),
      .choices = {"off", "dim-others", "gray-others", "color"},
      .choice_meanings = {"not at all", "the others keep a twentieth of their light",
                          "the others have one dull colour", "it becomes orange"}};
}

std::string only_cuda_draws_in_place(const sim::Configuration& configuration) {
  return configuration.choice("engine") == "cuda" ? std::string() : "only the CUDA engine uses it";
}

std::string missing_galaxy(const sim::OptionValue& value, const sim::Configuration& /*rest*/,
                           const sim::OptionContext& context) {
  const auto number = std::get<std::int64_t>(value);
  const auto count = static_cast<std::int64_t>(context.galaxies);
  if (count == 0 || number < count) return {};
  return count == 1
             ? fmt::format("the dataset is one galaxy: there is none of number {}; take -1 or 0", number)
             : fmt::format("the dataset has {} galaxies, numbers 0 to {}: there is none of number {}", count,
                           count - 1, number);
}

Option highlight_galaxy_option() {
  return {.name = "highlight-galaxy",
          .meaning = "The number of the singled-out galaxy, counted from 0. -1: none.",
          .kind = OptionKind::integer,
          .default_value = std::int64_t{-1},
          .minimum = -1.0,
          .maximum = lab::most_galaxies - 1.0,
          .conflicts = {missing_galaxy}};
}

void add_galaxy_options(OptionTable& table) {
  table.add(shown(in("overlay", labels_option()), "Galaxy labels"));
  table.add(shown(highlight_galaxy_option(), "Singled-out galaxy"));
  table.add(shown(highlight_option()));
}

/// docs/rendering.md states these looks.
void single_out(render::BodyStyle& style, const sim::Configuration& configuration) {
  const auto& how = configuration.choice("highlight");
  const auto number = configuration.integer("highlight-galaxy");
  if (number < 0 || how == "off") return;
  style.singled_out = static_cast<std::uint32_t>(number);
  if (how == "dim-others") style.others_look.light = 0.05F;
  if (how == "gray-others")
    style.others_look = {.color = {0.45F, 0.50F, 0.60F}, .color_share = 1.0F, .light = 0.12F};
  if (how == "color") style.singled_out_look = {.color = {1.0F, 0.36F, 0.05F}, .color_share = 1.0F};
}

std::string no_colors(const sim::OptionValue& value, const sim::Configuration& /*rest*/,
                      const sim::OptionContext& context) {
  const bool refused = std::get<std::string>(value) == "file" && context.lacks_colors;
  return refused
             ? "the dataset has no colours of its own (red, green and blue in a PLY, CSV, VTK or BIN file)"
             : std::string();
}

void add_color_options(OptionTable& table) {
  auto mode = choice("color-mode", "The quantity that the colour of a body shows.", render::color_modes());
  mode.choices.insert(mode.choices.begin(), "auto");
  mode.choice_meanings.insert(
      mode.choice_meanings.begin(),
      "the colours of the file, if it has some; else the component, or each body where "
      "there are fewer than 100");
  mode.default_value = std::string("auto");
  mode.conflicts = {no_colors};
  table.add(shown(std::move(mode), "Colour shows"));
  table.add(shown(color_map_option(), "Colour map"));
  auto logarithmic = flag("color-log", "The colour bar is logarithmic.", false);
  auto reversed = flag("color-reversed", "The colour map is the other way round.", false);
  logarithmic.inactive = color_map_unused;
  reversed.inactive = color_map_unused;
  table.add(shown(std::move(logarithmic), "Logarithmic colours"));
  table.add(shown(std::move(reversed), "Reversed colours"));
  auto low = number(
      "color-min",
      "The value at the lower end of the colour bar. Where both ends are equal, the program chooses them.",
      "", 0.0, -1e30, 1e30);
  auto high = number(
      "color-max",
      "The value at the upper end of the colour bar. Where both ends are equal, the program chooses them.",
      "", 0.0, -1e30, 1e30);
  low.inactive = color_map_unused;
  high.inactive = color_map_unused;
  table.add(shown(std::move(low), "Colours from"));
  table.add(shown(std::move(high), "Colours to"));
  add_outside_color_options(table);
  auto even =
      flag("even-light", "Dark colours of the map are as bright as the others. Off: they are faint.", true);
  even.inactive = color_map_unused;
  table.add(shown(std::move(even)));
}

void add_component_options(OptionTable& table) {
  for (std::size_t i = 0; i < sim::component_count; ++i) {
    const auto name = sim::component_name(static_cast<sim::Component>(i));
    table.add(
        shown(flag(fmt::format("show-{}", name), fmt::format("Draw bodies of component {}.", name), true)));
  }
}

void add_sprite_options(OptionTable& table) {
  table.add(shown(number("size",
                         "How large a body is drawn: its full width at half maximum, in a picture 720 pixels "
                         "high. Its light "
                         "stays the same.",
                         "pixels", 2.0, 0.3, 48.0, true),
                  "Body size"));
  table.add(shown(flag("perspective-size", "Near bodies look larger.", false)));
  table.add(shown(
      in("light", number("brightness", "A factor for the light of each body.", "", 1.0, 1e-3, 1e3, true))));
}

void add_picture_options(OptionTable& table) {
  table.add(shown(
      in("overlay", flag("legend", "Shows colour bar, time and number of bodies in the picture.", true))));
  table.add(shown(in("bodies", splatting_option()), "Drawn by"));
  table.add(shown(in("bodies", moving_size_option()), "While it moves"));
  auto interop =
      flag("interop",
           "The GPU writes the bodies where they are drawn, if it can. Off: they are copied through main "
           "memory.",
           true);
  interop.inactive = only_cuda_draws_in_place;
  table.add(shown(in("bodies", std::move(interop)), "Draw in place"));
}

std::string no_map(const sim::Configuration& configuration) {
  return sim::wants_map(configuration) ? std::string() : "there is no map: set map-size";
}

Option map_option(Option option) {
  option.group = "map";
  option.inactive = no_map;
  return option;
}

/// How the activity map looks; sim/activity/map_options.cpp says what it counts.
void add_map_look_options(OptionTable& table) {
  Option view{.name = "map-view",
              .meaning = "Where the activity map is drawn.",
              .kind = OptionKind::choice,
              .default_value = std::string("over"),
              .choices = {"over", "instead"},
              .choice_meanings = {"over the bodies; empty cells are clear", "instead of the bodies"}};
  table.add(shown(map_option(std::move(view)), "Map drawn"));
  auto colors = map_option(choice("map-color", "The colours of the map.", render::color_maps()));
  colors.default_value = std::string("red");
  table.add(shown(std::move(colors), "Map colours"));
  table.add(shown(map_option(flag("map-log",
                                  "The colours of the map are logarithmic: sparse and dense parts show "
                                  "together.",
                                  false)),
                  "Logarithmic map"));
}

/// The options that `add` adds, those without a group of their own in this one.
void add_in(OptionTable& table, const char* group, void (*add)(OptionTable& table)) {
  OptionTable part;
  add(part);
  for (auto option : part.options()) {
    if (option.group == no_group) option.group = group;
    table.add(std::move(option));
  }
}

}  // namespace

void add_display_options(OptionTable& table) {
  add_in(table, "colour", add_color_options);
  add_in(table, "light", add_light_options);
  add_dust_options(table);
  add_in(table, "bodies", add_sprite_options);
  add_in(table, "bodies", add_star_options);
  add_spike_options(table);
  add_in(table, "bodies", add_component_options);
  add_in(table, "bodies", add_galaxy_options);
  add_in(table, "light", add_picture_options);
  add_view_options(table);
  add_overlay_options(table);
  add_arrow_options(table);
  add_trail_options(table);
  add_map_look_options(table);
  auto speed = number("speed", "Simulated time per second. 0: as fast as the engine can.", "time / s", 0.0,
                      0.0, 1e30, true);
  speed.group = "run";
  table.add(shown(std::move(speed), "Speed"));
}

OptionTable all_options() {
  OptionTable table;
  sim::add_simulation_options(table);
  add_display_options(table);
  return table;
}

render::BodyStyle body_style(const sim::Configuration& configuration) {
  render::BodyStyle style;
  style.size_px = static_cast<float>(configuration.real("size"));
  style.brightness = static_cast<float>(configuration.real("brightness"));
  style.perspective_size = configuration.boolean("perspective-size");
  if (const auto& mode = configuration.choice("color-mode"); mode != "auto") style.color_mode = mode;
  const auto& map = configuration.choice("color-map");
  style.color_map = map == "auto" ? std::string() : map;
  style.log_range = configuration.boolean("color-log");
  style.reversed = configuration.boolean("color-reversed");
  style.even_light = configuration.boolean("even-light");
  set_outside_colors(style, configuration);
  for (std::size_t i = 0; i < sim::component_count; ++i) {
    const auto name = sim::component_name(static_cast<sim::Component>(i));
    style.component_weight.at(i) = configuration.boolean(fmt::format("show-{}", name)) ? 1.0F : 0.0F;
  }
  single_out(style, configuration);
  return style;
}

bool smaller_while_moving(const sim::Configuration& configuration) {
  return configuration.choice("moving-size") == "auto";
}

render::Splatting splatting(const sim::Configuration& configuration) {
  const auto& choice = configuration.choice("splatting");
  if (choice == "raster") return render::Splatting::raster;
  return choice == "compute" ? render::Splatting::compute : render::Splatting::automatic;
}

render::MapLook map_look(const sim::Configuration& configuration, std::size_t bodies) {
  const bool counts = configuration.choice("map-values") == "count";
  const auto values = counts ? sim::MapValues::count : sim::MapValues::normalised;
  const auto size = static_cast<std::size_t>(configuration.integer("map-size"));
  return {.colors = render::find_color_map(configuration.choice("map-color")),
          .logarithmic = configuration.boolean("map-log"),
          // What is normalised goes up to 1.
          .highest = counts ? 0.0F : 1.0F,
          .unit = sim::map_factor(values, size, bodies)};
}

render::ToneStyle tone_style(const sim::Configuration& configuration) {
  render::ToneStyle style;
  style.exposure_stops = static_cast<float>(configuration.real("exposure"));
  for (std::size_t i = 0; i < render::tone_curve_count; ++i) {
    const auto curve = static_cast<render::ToneStyle::Curve>(i);
    if (render::tone_curve_name(curve) == configuration.choice("tone-curve")) style.curve = curve;
  }
  style.dither = configuration.boolean("dither");
  style.paper = configuration.boolean("paper");
  style.glow = static_cast<float>(configuration.real("glow"));
  return style;
}

}  // namespace orrery::app
