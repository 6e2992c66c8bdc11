#include "app/picture/look.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "lab/setup/dataset.h"
#include "render/color_maps/color_map.h"
#include "render/color_maps/color_space.h"
#include "render/color_modes/color_mode.h"
#include "render/light/tone_mapper.h"
#include "sim/bodies/bodies.h"
#include "sim/options/engine_option.h"

namespace orrery::app {

using sim::Configuration;
using sim::FormNumber;
using sim::OptionContext;
using sim::OptionRows;
using sim::OptionValue;
using sim::shown;

// ---- light ----
namespace {

std::vector<std::string> tone_curves() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < render::tone_curve_count; ++i)
    names.emplace_back(render::tone_curve_name(static_cast<render::ToneStyle::Curve>(i)));
  return names;
}

struct NamedColor {
  const char* name;
  const char* meaning;
  glm::vec3 srgb;
};
constexpr std::array named_colors{NamedColor{"red", "red", {1.0F, 0.15F, 0.10F}},
                                  NamedColor{"orange", "orange", {1.0F, 0.55F, 0.0F}},
                                  NamedColor{"yellow", "yellow", {1.0F, 0.95F, 0.2F}},
                                  NamedColor{"green", "green", {0.2F, 0.9F, 0.3F}},
                                  NamedColor{"cyan", "cyan", {0.1F, 0.85F, 0.95F}},
                                  NamedColor{"blue", "blue", {0.2F, 0.35F, 1.0F}},
                                  NamedColor{"magenta", "magenta", {0.95F, 0.2F, 0.9F}},
                                  NamedColor{"white", "white", {1.0F, 1.0F, 1.0F}},
                                  NamedColor{"gray", "gray", {0.5F, 0.5F, 0.5F}},
                                  NamedColor{"hidden", "no light: not visible", {0.0F, 0.0F, 0.0F}}};

/// 0 for the map's own colour.
glm::vec4 color_named(const std::string& name) {
  for (const auto& color : named_colors)
    if (name == color.name) return {render::srgb_decode(color.srgb), 1.0F};
  return glm::vec4(0.0F);
}

const render::ColorMode* chosen_mode(const Configuration& configuration) {
  return render::find_color_mode(sim::read_group<ColorOptions>(configuration).mode);
}

std::string has_no_map(const Configuration& configuration) {
  const auto* mode = chosen_mode(configuration);
  if (mode != nullptr && mode->is_color) return "the file sets the colours of the bodies";
  return mode == nullptr || mode->categorical ? "components have colours of their own" : "";
}

std::string has_no_range(const Configuration& configuration) {
  if (auto reason = has_no_map(configuration); !reason.empty()) return reason;
  return chosen_mode(configuration)->fixed_range ? "no value lies outside the map" : "";
}

std::string no_colors(const OptionValue& value, const Configuration& /*rest*/, const OptionContext& context) {
  const bool refused = std::get<std::string>(value) == "file" && context.lacks_colors;
  return refused ? "the dataset has no colours of its own (red, green and blue in a CSV, VTK or BIN file)"
                 : std::string();
}

std::string no_extent(const OptionValue& value, const Configuration& /*rest*/,
                      const OptionContext& /*context*/) {
  const auto range = sim::form_value(std::get<std::string>(value));
  const auto low = static_cast<float>(range.number(0)), high = static_cast<float>(range.number(1));
  return range.word.empty() && low == high
             ? "both ends of the colour bar are the same; give two values, or auto"
             : "";
}

/// A colour for what has no colour of the map; `usual`: what it has otherwise.
sim::Description outside_option(std::string name, std::string label, std::string meaning, std::string usual) {
  std::vector<std::string> names{"map"}, meanings{std::move(usual)};
  for (const auto& color : named_colors) {
    names.emplace_back(color.name);
    meanings.emplace_back(color.meaning);
  }
  return shown(std::move(name), "colour", std::move(label), std::move(meaning))
      .chosen(std::move(names), std::move(meanings))
      .unless(has_no_range);
}

std::vector<std::string> component_names() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < sim::component_count; ++i)
    names.emplace_back(sim::component_name(static_cast<sim::Component>(i)));
  return names;
}

std::string missing_galaxy(const OptionValue& value, const Configuration& /*rest*/,
                           const OptionContext& context) {
  const auto number = sim::form_value(std::get<std::string>(value)).number(0);
  const auto count = static_cast<double>(context.galaxies);
  if (count == 0.0 || number < count) return {};
  return count == 1.0
             ? fmt::format("the dataset is one galaxy: there is none of number {}; take -1 or 0", number)
             : fmt::format("the dataset has {} galaxies, numbers 0 to {}: there is none of number {}", count,
                           count - 1.0, number);
}

std::string only_cuda_draws_in_place(const Configuration& configuration) {
  return sim::is_on_gpu(configuration) ? "" : "only the CUDA engine uses it";
}

constexpr float reference_height = 720.0F;
constexpr float smallest_text = 9.0F;

/// "auto", "none", and names of units.
sim::Description unit_option(sim::Description option, const std::vector<std::string>& units) {
  std::vector<std::string> names{"auto", "none"}, meanings{"what the dataset states", "no unit is written"};
  for (const auto& unit : units) {
    names.push_back(unit);
    meanings.push_back("1 is 1 " + unit);
  }
  return std::move(option).chosen(std::move(names), std::move(meanings));
}

double size_of(const std::string& choice, double dataset, double (*size)(std::string_view name)) {
  return choice == "auto" ? dataset : size(choice);
}

std::string no_trails(const Configuration& configuration) {
  return sim::read_group<TrailOptions>(configuration).trails.word == "off" ? "trails are off" : "";
}

/// The largest index of a body.
constexpr double largest_index = 4e9;

std::vector<sim::OptionForm> chosen_trails() {
  const auto bodies = sim::count("BODIES", 1000.0, 1.0, 100'000.0);
  return {{.word = "auto", .numbers = {}, .meaning = "all, in scenes of fewer than 100 bodies"},
          {.word = "off", .numbers = {}, .meaning = "none"},
          {.word = "all", .numbers = {bodies}, .meaning = "all, or the first ones"},
          {.word = "sample", .numbers = {bodies}, .meaning = "a random sample"},
          {.word = "range",
           .numbers = {sim::index_number("FIRST", 0.0, largest_index), bodies},
           .meaning = "consecutive numbers from FIRST, counted from 0"}};
}

std::string no_map(const Configuration& configuration) {
  return sim::wants_map(configuration) ? "" : "there is no map: set map-size";
}

}  // namespace

OptionRows<LightOptions> LightOptions::rows() {
  static const std::vector<FormNumber> stops{sim::number("STOPS", 0.0, -20.0, 20.0, "stops")};
  return {
      {&LightOptions::look,
       shown("look", "light", "",
             "The style of the picture. A choice sets options of light, stars and colours; each of them "
             "can be changed afterwards.")
           .chosen({"beautiful", "scientific", "print"},
                   {"faint outskirts and bright cores together, dense regions glow",
                    "proportional up to white, no glow, no noise, speed in viridis: for measurements",
                    "dark on white, for paper"})},
      {&LightOptions::exposure,
       shown("exposure", "light", "",
             "Brightness of the picture, with a correction in stops: one stop more doubles it. STOPS alone "
             "means auto:STOPS. Scenes of fewer than 100 bodies always use a fixed brightness.")
           .formed({{.word = "auto", .numbers = stops, .meaning = "adapts to the light in view"},
                    {.word = "fixed",
                     .numbers = stops,
                     .meaning = "one brightness for the whole dataset, to compare pictures"}})},
      {&LightOptions::tone_curve,
       shown("tone-curve", "light", "", "Tone curve from light to brightness on the screen.")
           .chosen(tone_curves(), {"like film: bright cores become white", "like film, with more contrast",
                                   "proportional up to white: for measurements",
                                   "shows faint outskirts and bright cores together, and keeps colours"})},
      {&LightOptions::paper,
       shown("paper", "light", "Dark on white", "Dark bodies on a white ground, for paper.")},
      {&LightOptions::glow, shown("glow", "light", "",
                                  "Fraction of the light that spreads widely, as in a telescope: dense "
                                  "regions glow, less so where bodies stand apart. Use 0 for measurements.")
                                .within(0.0, 1.0)},
      {&LightOptions::dither,
       shown("dither", "light", "",
             "Adds noise below one level of brightness, which avoids bands in a dark sky.")}};
}

// ---- colours ----
OptionRows<ColorOptions> ColorOptions::rows() {
  return {
      {&ColorOptions::mode,
       shown("color-mode", "colour", "Colour shows", "The quantity that the colour of a body shows.")
           .chosen_from(render::color_modes())
           .with_first("auto",
                       "the file's colours if it has any, else the component; with fewer than 100 bodies, "
                       "each body its own colour")
           .refused(no_colors)},
      {&ColorOptions::map,
       shown("color-map", "colour", "Colour map", "Colour map of the quantity that the colour shows.")
           .chosen_from(render::color_maps())
           .with_first("auto", "the map that suits the quantity")
           .unless(has_no_map)},
      {&ColorOptions::scale, shown("color-scale", "colour", "Colour scale",
                                   "Makes the colour bar logarithmic, or reverses its map.")
                                 .listed({"log", "reversed"})
                                 .initially("none")
                                 .unless(has_no_map)},
      {&ColorOptions::range,
       shown("color-range", "colour", "Range of colours", "The values at both ends of the colour bar.")
           .formed({{.word = "auto",
                     .numbers = {},
                     .meaning = "the range of the bodies when the dataset was opened"},
                    {.word = "", .numbers = {sim::edge("LOW", 0.0), sim::edge("HIGH", 1.0)}, .meaning = ""}})
           .refused(no_extent)
           .unless(has_no_map)},
      {&ColorOptions::under, outside_option("color-under", "Colour below",
                                            "The colour of values below the lower end of the colour bar.",
                                            "the colour of the lower end")},
      {&ColorOptions::over, outside_option("color-over", "Colour above",
                                           "The colour of values above the upper end of the colour bar.",
                                           "the colour of the upper end")},
      {&ColorOptions::nan,
       outside_option("color-nan", "Colour of no number", "The colour of bodies whose value is not a number.",
                      "the colour of the lower end")}};
}

std::array<glm::vec4, 3> ColorOptions::outside() const {
  return {color_named(under), color_named(over), color_named(nan)};
}

// ---- bodies ----
OptionRows<BodyOptions> BodyOptions::rows() {
  return {{&BodyOptions::size, shown("size", "bodies", "Body size",
                                     "Size of a body's image: full width at half maximum, in a picture 720 "
                                     "pixels high. Its light stays the same.")
                                   .scaled(0.3, 48.0, "pixels")},
          {&BodyOptions::perspective_size,
           shown("perspective-size", "bodies", "", "Makes near bodies look larger.")},
          {&BodyOptions::brightness,
           shown("brightness", "light", "", "A factor for the light of each body.").scaled(1e-3, 1e3)}};
}

OptionRows<StarOptions> StarOptions::rows() {
  return {
      {&StarOptions::sizes,
       shown(
           "sizes", "bodies", "Sizes",
           "Width of a body's light. Adaptive sizes make a smooth glow of sparse regions: the fraction SHARE "
           "of a body's light is spread over a circle that holds BODIES neighbours in the picture. Galaxies "
           "with few bodies spread less, over more. More neighbours are smoother, fewer are sharper.")
           .formed({{.word = "adaptive",
                     .numbers = {sim::number("SHARE", 0.75, 0.0, 1.0),
                                 sim::scaled_number("BODIES", 100.0, 1.0, 1000.0)},
                     .meaning =
                         "a part of the light is spread over the distance to the neighbours; 1000 luminous "
                         "bodies or more"},
                    {.word = "fixed", .numbers = {}, .meaning = "all light is in the star's image"}})},
      {&StarOptions::starlight,
       shown("starlight", "bodies", "Starlight",
             "Light of each body, in scenes of 100 bodies or more whose components are known.")
           .chosen({"populations", "equal"}, {"mass times the light of stars of the component's age; a halo "
                                              "is dark unless it is all there is",
                                              "the same for all"})},
      {&StarOptions::variation,
       shown(
           "star-variation", "bodies", "Stars vary",
           "How much stars differ. BRIGHTNESS and COLOR are random (standard deviation), colours where they "
           "show components; light and colour of all stay. AGE is how much redder the old stars of a disk "
           "are than the young ones: most of them are inside, by where bodies are when the dataset is "
           "opened. Disks of 1000 bodies or more; 0: all stars of a disk are young.")
           .numbered({sim::number("BRIGHTNESS", 1.0, 0.0, 3.0, "mag"), sim::number("COLOR", 1.0, 0.0, 2.0),
                      sim::number("AGE", 1.0, 0.0, 1.0)})}};
}

// ---- the picture ----
OptionRows<PictureOptions> PictureOptions::rows() {
  static const std::vector<FormNumber> galaxy{sim::index_number("GALAXY", -1.0, lab::most_galaxies - 1.0)};
  return {
      {&PictureOptions::show,
       shown("show", "bodies", "Show", "The components whose bodies are drawn.").listed(component_names())},
      {&PictureOptions::labels,
       shown("labels", "overlay", "Galaxy labels",
             "Text below each galaxy of the grid, in the window and in pictures; shortened where space is "
             "tight.")
           .chosen({"off", "numbers", "bodies"},
                   {"nothing", "the number of the galaxy, from 0", "number and bodies of the galaxy"})},
      {&PictureOptions::highlight,
       shown("highlight", "bodies", "Singled-out galaxy",
             "Which galaxy is singled out (number from 0; -1: none), and how it differs from the others. "
             "Click a galaxy to single it out.")
           .formed({{.word = "dim-others",
                     .numbers = galaxy,
                     .meaning = "the others keep a twentieth of their light"},
                    {.word = "gray-others", .numbers = galaxy, .meaning = "the others have one dull colour"},
                    {.word = "color", .numbers = galaxy, .meaning = "it becomes orange"},
                    {.word = "off", .numbers = galaxy, .meaning = "it looks like the others"}})
           .refused(missing_galaxy)},
      {&PictureOptions::legend,
       shown("legend", "overlay", "", "Shows colour bar, time and number of bodies in the picture.")},
      {&PictureOptions::splatting,
       shown("splatting", "bodies", "Drawn by",
             "What draws the bodies in the window. Pictures are always drawn by the rasterizer, so that the "
             "same state gives the same picture; films too, unless compute is chosen.")
           .chosen({"auto", "raster", "compute"}, {"the faster of the two, found on the first frames",
                                                   "point sprites, drawn by the rasterizer",
                                                   "a compute shader; much faster on data centre GPUs"})},
      {&PictureOptions::interop, shown("interop", "bodies", "Draw in place",
                                       "Lets the GPU write the bodies directly into the buffers that are "
                                       "drawn, if it can. Off: they are copied through main memory.")
                                     .unless(only_cuda_draws_in_place)},
      {&PictureOptions::views,
       shown("views", "overlay", "Views", "From how many sides a picture shows the bodies at once. Key V.")
           .chosen({"one", "four"},
                   {"from where the camera is", "from there, and along the z, y and x axis"})}};
}

// ---- over the picture ----
OptionRows<OverlayOptions> OverlayOptions::rows() {
  const auto bodies = sim::count("BODIES", 150.0, 1.0, 5000.0);
  const auto length = sim::scaled_number("LENGTH", 8.0, 0.5, 50.0, "%");
  return {
      {&OverlayOptions::text_size, shown("text-size", "overlay", "Text size",
                                         "Height of a line of text in a picture 720 pixels high. Larger "
                                         "pictures have larger texts.")
                                       .within(6.0, 60.0, "pixels")},
      {&OverlayOptions::scale_bar,
       shown("scale-bar", "overlay", "Scale bar",
             "Shows a scale bar of round length, valid at the distance of the camera's target.")
           .chosen({"auto", "on", "off"}, {"together with the legend", "always", "never"})},
      {&OverlayOptions::axes,
       shown("axes", "overlay", "Axes", "Shows the directions of x, y and z.")
           .chosen({"off", "corner", "box"},
                   {"no axes", "three arrows in the corner",
                    "a box with numbers around the scene; several galaxies: the arrows"})},
      {&OverlayOptions::length_unit,
       unit_option(shown("length-unit", "overlay", "Unit of length",
                         "The dataset's unit of length, for scale bar, axes and legend."),
                   {"m", "km", "AU", "pc", "kpc", "Mpc"})},
      {&OverlayOptions::time_unit, unit_option(shown("time-unit", "overlay", "Unit of time",
                                                     "The dataset's unit of time, for clock and legend."),
                                               {"s", "h", "d", "yr", "kyr", "Myr", "Gyr"})},
      {&OverlayOptions::arrows,
       shown(
           "arrows", "overlay", "Velocity arrows",
           "Bodies with a velocity arrow, their maximum number, and the length of a fast body's arrow as a "
           "fraction of the picture's height. The legend shows the scale. The selected body always has one.")
           .formed({{.word = "off", .numbers = {length}, .meaning = "none but that of the selected body"},
                    {.word = "sample",
                     .numbers = {bodies, length},
                     .meaning = "a random sample of the drawn bodies"},
                    {.word = "heaviest", .numbers = {bodies, length}, .meaning = "the most massive ones"}})}};
}

sim::PhysicalUnits OverlayOptions::units(const sim::PhysicalUnits& dataset) const {
  return {.length = size_of(length_unit, dataset.length, sim::length_unit),
          .time = size_of(time_unit, dataset.time, sim::time_unit),
          .mass = dataset.mass};
}

float OverlayOptions::text_pixels(float width, float height) const {
  const float counted = std::min(height, 0.75F * width);
  return std::max(std::round(static_cast<float>(text_size) * counted / reference_height), smallest_text);
}

// ---- trails ----
OptionRows<TrailOptions> TrailOptions::rows() {
  return {
      {&TrailOptions::trails,
       shown("trails", "trails", "Trails", "Bodies that draw a trail, and their maximum number.")
           .formed(chosen_trails())},
      {&TrailOptions::length,
       shown("trail-length", "trails", "Length",
             "Positions kept per body (STEPS; each shown step adds one), and the simulated time in which a "
             "trail fades away (TIME; 0: at its last position).")
           .numbered({sim::count("STEPS", 600.0, 2.0, 4096.0), sim::scaled_number("TIME", 0.0, 0.0, 1e30)})
           .unless(no_trails)},
      {&TrailOptions::look,
       shown("trail-look", "trails", "Look",
             "Width of trails at half brightness, in a picture 720 pixels high; a factor for their light; "
             "and how fast they fade: 1 evenly, larger sooner, 0 not at all.")
           .numbered({sim::scaled_number("WIDTH", 1.3, 0.5, 16.0, "pixels"),
                      sim::number("LIGHT", 1.0, 0.0, 1e3), sim::number("FADING", 3.0, 0.0, 8.0)})
           .unless(no_trails)},
      {&TrailOptions::frame,
       shown("trail-frame", "trails", "Seen from",
             "What stays at rest while the others draw their trails. A change begins new trails.")
           .formed({{.word = "dataset", .numbers = {}, .meaning = "the dataset's own origin"},
                    {.word = "body",
                     .numbers = {sim::index_number("BODY", 0.0, largest_index)},
                     .meaning = "one of the bodies, counted from 0"},
                    {.word = "center-of-mass", .numbers = {}, .meaning = "the centre of mass of all bodies"}})
           .unless(no_trails)},
      {&TrailOptions::marks, shown("marks", "overlay", "Marks",
                                   "In scenes of fewer than 100 bodies: the bodies' names beside them, if "
                                   "they have any, and the orbits "
                                   "that bodies around a heavy one would follow without the others.")
                                 .listed({"names", "ellipses"})},
      {&TrailOptions::body_sizes,
       shown("body-sizes", "bodies", "Body sizes", "How bodies are drawn in scenes of fewer than 100 bodies.")
           .chosen(
               {"readable", "true", "sprites"},
               {"discs; ten times the radius is drawn a little larger", "discs true to scale, at least a dot",
                "points of light, all of one size, as in large scenes"})}};
}

// ---- map and pace ----
OptionRows<MapLookOptions> MapLookOptions::rows() {
  return {{&MapLookOptions::view, shown("map-view", "map", "Map drawn", "Where the activity map is drawn.")
                                      .chosen({"over", "instead"}, {"over the bodies; empty cells are clear",
                                                                    "instead of the bodies"})
                                      .unless(no_map)},
          {&MapLookOptions::colors, shown("map-color", "map", "Map colours", "The colours of the map.")
                                        .chosen_from(render::color_maps())
                                        .unless(no_map)},
          {&MapLookOptions::log,
           shown("map-log", "map", "Logarithmic map",
                 "Makes the map's colours logarithmic, so that sparse and dense parts show together.")
               .unless(no_map)}};
}

OptionRows<PaceOptions> PaceOptions::rows() {
  return {{&PaceOptions::speed,
           shown("speed", "run", "Speed", "Simulated time per second. 0: as fast as the engine can.")
               .scaled(0.0, 1e30, "time / s")}};
}

const Look& CurrentLook::of(const Configuration& configuration) {
  if (!look_ || look_->configuration != configuration) look_.emplace(configuration);
  return *look_;
}

}  // namespace orrery::app
