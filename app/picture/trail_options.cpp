#include "app/picture/trail_options.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/picture/picture_options.h"
#include "sim/core/random.h"
#include "sim/options/describe.h"
#include "sim/options/physics_options.h"

namespace orrery::app {

namespace {

using sim::Configuration;

constexpr double most_bodies = 100'000.0;
constexpr double most_places = 4096.0;
constexpr double largest_number = 4e9;  ///< largest index of a body
constexpr double frames_a_second = 60.0;

std::string no_trails(const Configuration& configuration) {
  return sim::read_member(configuration, &TrailOptions::trails).word == "off" ? "trails are off" : "";
}

sim::FormNumber number_of_a_body(const char* name) {
  return {.name = name, .minimum = 0.0, .maximum = largest_number, .whole = true, .of_dataset = true};
}

void add_choice_of_bodies(sim::OptionTable& table) {
  const sim::FormNumber bodies{.name = "BODIES",
                               .default_value = 1000.0,
                               .minimum = 1.0,
                               .maximum = most_bodies,
                               .whole = true,
                               .logarithmic = true};
  table.add(sim::formed(
      sim::shown("trails", "trails", "Trails", "Bodies that draw a trail, and their maximum number."),
      {{.word = "auto", .numbers = {}, .meaning = "all, in scenes of fewer than 100 bodies"},
       {.word = "off", .numbers = {}, .meaning = "none"},
       {.word = "all", .numbers = {bodies}, .meaning = "all, or the first ones"},
       {.word = "sample", .numbers = {bodies}, .meaning = "a random sample"},
       {.word = "range",
        .numbers = {number_of_a_body("FIRST"), bodies},
        .meaning = "consecutive numbers from FIRST, counted from 0"}}));
}

void add_length(sim::OptionTable& table) {
  const sim::FormNumber steps{.name = "STEPS",
                              .default_value = 600.0,
                              .minimum = 2.0,
                              .maximum = most_places,
                              .whole = true,
                              .logarithmic = true};
  const sim::FormNumber time{.name = "TIME", .minimum = 0.0, .maximum = 1e30, .logarithmic = true};
  table.add(sim::unless(
      sim::formed(sim::shown("trail-length", "trails", "Length",
                             "Positions kept per body (STEPS; each shown step adds one), and the simulated "
                             "time in which a trail fades away (TIME; 0: at its last position)."),
                  {{.word = "", .numbers = {steps, time}, .meaning = ""}}),
      no_trails));
}

void add_looks(sim::OptionTable& table) {
  const sim::FormNumber width{.name = "WIDTH",
                              .default_value = 1.3,
                              .minimum = 0.5,
                              .maximum = 16.0,
                              .logarithmic = true,
                              .unit = "pixels"};
  const sim::FormNumber light{.name = "LIGHT", .default_value = 1.0, .minimum = 0.0, .maximum = 1e3};
  const sim::FormNumber fading{.name = "FADING", .default_value = 3.0, .minimum = 0.0, .maximum = 8.0};
  table.add(sim::unless(
      sim::formed(sim::shown("trail-look", "trails", "Look",
                             "Width of trails at half brightness, in a picture 720 pixels high; a factor for "
                             "their light; and how fast they fade: 1 evenly, larger sooner, 0 not at all."),
                  {{.word = "", .numbers = {width, light, fading}, .meaning = ""}}),
      no_trails));
  table.add(sim::unless(
      sim::formed(
          sim::shown("trail-frame", "trails", "Seen from",
                     "What stays at rest while the others draw their trails. A change begins new trails."),
          {{.word = "dataset", .numbers = {}, .meaning = "the dataset's own origin"},
           {.word = "body",
            .numbers = {number_of_a_body("BODY")},
            .meaning = "one of the bodies, counted from 0"},
           {.word = "center-of-mass", .numbers = {}, .meaning = "the centre of mass of all bodies"}}),
      no_trails));
}

void add_few_bodies(sim::OptionTable& table) {
  table.add(sim::flag(sim::shown("ellipses", "overlay", "Ellipses",
                                 "Orbits that bodies around a heavy one would follow without the others, in "
                                 "scenes of fewer than 100 bodies."),
                      true));
  table.add(sim::flag(sim::shown("names", "overlay", "Names",
                                 "Shows the bodies' names beside them, in scenes that have any."),
                      true));
  table.add(sim::chosen(
      sim::shown("body-sizes", "bodies", "Body sizes",
                 "How bodies are drawn in scenes of fewer than 100 bodies."),
      {"readable", "true", "sprites"},
      {"discs; ten times the radius is drawn a little larger", "discs true to scale, at least a dot",
       "points of light, all of one size, as in large scenes"}));
}

/// In a picture 720 pixels high.
float readable_radius(double radius, double smallest) {
  const double ratio = radius > 0.0 && smallest > 0.0 ? radius / smallest : 1.0;
  return static_cast<float>(3.2 + 1.3 * std::log10(ratio));
}

std::vector<std::uint32_t> numbers_from(std::size_t first, std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(first));
  return numbers;
}

/// `count` of the first `bodies` numbers, each as likely as the others, rising (Knuth, The Art of Computer
/// Programming 2, 3.4.2, algorithm S).
std::vector<std::uint32_t> drawn_by_lot(std::size_t bodies, std::size_t count) {
  constexpr std::uint64_t lot = 1;
  sim::Random random(lot);
  std::vector<std::uint32_t> numbers;
  numbers.reserve(count);
  for (std::size_t i = 0; i < bodies && numbers.size() < count; ++i) {
    const auto left = static_cast<double>(bodies - i);
    if (left * random.uniform() < static_cast<double>(count - numbers.size()))
      numbers.push_back(static_cast<std::uint32_t>(i));
  }
  return numbers;
}

std::vector<std::uint32_t> followed(const sim::FormValue& trails, std::size_t bodies) {
  const auto& which = trails.word;
  if (which == "off" || (which == "auto" && bodies >= few_enough_for_trails)) return {};
  if (which == "auto") return numbers_from(0, bodies);
  const bool range = which == "range";
  const auto count = std::min(bodies, static_cast<std::size_t>(trails.number(range ? 1 : 0)));
  if (which == "sample") return drawn_by_lot(bodies, count);
  if (!range) return numbers_from(0, count);
  const auto first = static_cast<std::size_t>(trails.number(0));
  return first < bodies ? numbers_from(first, std::min(count, bodies - first)) : std::vector<std::uint32_t>{};
}

render::TrailOrigin origin_of(const sim::FormValue& frame) {
  if (frame.word == "body") return render::TrailOrigin::body;
  return frame.word == "dataset" ? render::TrailOrigin::dataset : render::TrailOrigin::center_of_mass;
}

}  // namespace

void add_trail_options(sim::OptionTable& table) {
  add_choice_of_bodies(table);
  add_length(table);
  add_looks(table);
  add_few_bodies(table);
}

render::TrailPlan trail_plan(const Configuration& configuration, std::size_t bodies) {
  const auto options = sim::read_group<TrailOptions>(configuration);
  render::TrailPlan plan{.bodies = followed(options.trails, bodies),
                         .rows = static_cast<std::size_t>(options.length.number(0)),
                         .origin = origin_of(options.frame)};
  const auto body = static_cast<std::size_t>(options.frame.number(0));
  if (plan.origin != render::TrailOrigin::body) return plan;
  // A body that this dataset does not have is none to stand on.
  if (body < bodies)
    plan.origin_body = static_cast<std::uint32_t>(body);
  else
    plan.origin = render::TrailOrigin::dataset;
  return plan;
}

render::TrailStyle trail_style(const Configuration& configuration) {
  constexpr double usual_light = 0.03;
  const auto options = sim::read_group<TrailOptions>(configuration);
  return {.width_px = static_cast<float>(options.look.number(0)),
          .light = static_cast<float>(usual_light * options.look.number(1)),
          .fading = static_cast<float>(options.look.number(2)),
          .fade_time = static_cast<float>(options.length.number(1))};
}

render::TrailStyle ellipse_style(const Configuration& configuration) {
  auto style = trail_style(configuration);
  style.width_px *= 0.5F;
  style.light *= 0.04F;
  style.fading = 0.0F;
  style.fade_time = 0.0F;
  style.smooth = false;
  return style;
}

void set_disc_sizes(render::BodyStyle& style, const Configuration& configuration,
                    const std::vector<double>& radii, float stops) {
  constexpr float disc_brightness = 0.4F;  // of white, with the automatic exposure
  constexpr float usual_size = 7.0F;       // of few bodies
  const auto choice = sim::read_member(configuration, &TrailOptions::body_sizes);
  if (radii.empty() || choice == "sprites") return;
  style.disc_light = disc_brightness * std::exp2(-stops);
  style.radii_are_lengths = choice == "true";
  double smallest = 0.0;
  for (const double radius : radii)
    if (radius > 0.0 && (smallest == 0.0 || radius < smallest)) smallest = radius;
  for (const double radius : radii) {
    const float readable = readable_radius(radius, smallest) * style.size_px / usual_size;
    style.radii.push_back(style.radii_are_lengths ? static_cast<float>(radius) : readable);
  }
}

std::uint64_t steps_between_places(const Configuration& configuration) {
  const double step = std::abs(sim::physics_of(configuration).time_step);
  const double steps = sim::read_member(configuration, &PictureOptions::speed) / (frames_a_second * step);
  return std::isfinite(steps) ? static_cast<std::uint64_t>(std::clamp(std::round(steps), 1.0, 1e9)) : 1;
}

}  // namespace orrery::app
