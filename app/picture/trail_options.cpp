#include "app/picture/trail_options.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/core/random.h"
#include "sim/options/option.h"

namespace orrery::app {

namespace {

using sim::Configuration;
using sim::Option;
using sim::OptionKind;

constexpr double most_bodies = 100'000.0;
constexpr double most_places = 4096.0;
constexpr double frames_a_second = 60.0;

Option trail_option(std::string name, std::string label, std::string meaning) {
  Option option{.name = std::move(name), .group = "trails", .meaning = std::move(meaning)};
  option.label = std::move(label);
  option.scope = sim::OptionScope::display;
  return option;
}

Option whole(Option option, std::int64_t value, double minimum, double maximum, bool logarithmic = false) {
  option.kind = OptionKind::integer;
  option.default_value = value;
  option.minimum = minimum;
  option.maximum = maximum;
  option.logarithmic = logarithmic;
  return option;
}

Option real(Option option, std::string unit, double value, double minimum, double maximum,
            bool logarithmic = false) {
  option.kind = OptionKind::real;
  option.unit = std::move(unit);
  option.default_value = value;
  option.minimum = minimum;
  option.maximum = maximum;
  option.logarithmic = logarithmic;
  return option;
}

Option chosen(Option option, std::vector<std::string> choices, std::vector<std::string> meanings) {
  option.kind = OptionKind::choice;
  option.default_value = choices.front();
  option.choices = std::move(choices);
  option.choice_meanings = std::move(meanings);
  return option;
}

Option unless(Option option, std::function<std::string(const Configuration&)> inactive) {
  option.inactive = std::move(inactive);
  return option;
}

std::string no_trails(const Configuration& configuration) {
  return configuration.choice("trails") == "off" ? "trails are off" : "";
}

/// What an option of some kinds of trails says while another kind is chosen.
std::function<std::string(const Configuration&)> only_for(std::vector<std::string> kinds) {
  return [kinds = std::move(kinds)](const Configuration& configuration) -> std::string {
    const auto& choice = configuration.choice("trails");
    if (std::ranges::find(kinds, choice) != kinds.end()) return {};
    return "trails=" + choice + " does not use it";
  };
}

std::string not_around_a_body(const Configuration& configuration) {
  auto reason = no_trails(configuration);
  if (reason.empty() && configuration.choice("trail-frame") != "body") reason = "trail-frame is no body";
  return reason;
}

void add_choice_of_bodies(sim::OptionTable& table) {
  table.add(chosen(trail_option("trails", "Trails", "Which bodies draw the way that they came."),
                   {"auto", "off", "all", "sample", "range"},
                   {"all, in scenes of fewer than 100 bodies", "none", "all", "some, drawn by lot",
                    "some, one number after the other"}));
  table.add(unless(
      whole(trail_option("trail-bodies", "Bodies with trails", "How many bodies have trails, at most."), 1000,
            1.0, most_bodies, true),
      only_for({"all", "sample", "range"})));
  table.add(unless(
      whole(trail_option("trail-first", "First one", "The number of the first body, from 0."), 0, 0.0, 4e9),
      only_for({"range"})));
  table.add(
      unless(whole(trail_option("trail-seed", "Lot", "Another seed draws other bodies by lot."), 1, 0.0, 1e9),
             only_for({"sample"})));
}

void add_length(sim::OptionTable& table) {
  table.add(unless(whole(trail_option("trail-steps", "Places kept",
                                      "How many places of a body are kept. A place is added with every step "
                                      "that is shown."),
                         600, 2.0, most_places, true),
                   no_trails));
  table.add(
      unless(real(trail_option("trail-time", "Fades in",
                               "The simulated time in which a trail fades away. 0: with its last place."),
                  "time", 0.0, 0.0, 1e30, true),
             no_trails));
  table.add(unless(real(trail_option("trail-fade", "Fading",
                                     "How fast a trail fades: 1 evenly, more at once, 0 not at all."),
                        "", 3.0, 0.0, 8.0),
                   no_trails));
}

void add_looks(sim::OptionTable& table) {
  table.add(unless(
      real(trail_option("trail-width", "Trail width",
                        "The width of trails at half of their brightness, in a picture 720 pixels high."),
           "pixels", 1.3, 0.5, 16.0, true),
      no_trails));
  table.add(unless(real(trail_option("trail-light", "Trail light", "A factor for the light of trails."), "",
                        1.0, 0.0, 1e3),
                   no_trails));
  table.add(unless(
      chosen(trail_option("trail-frame", "Trails seen from",
                          "What stands still while the others draw their trails. A change begins new ones."),
             {"dataset", "body", "center-of-mass"},
             {"the dataset's own origin", "one of the bodies", "the centre of mass of all bodies"}),
      no_trails));
  table.add(unless(whole(trail_option("trail-frame-body", "That body", "Its number, from 0."), 0, 0.0, 4e9),
                   not_around_a_body));
  Option orbits = trail_option(
      "ellipses", "Ellipses",
      "The orbits on which bodies around a heavy one would go on alone, in scenes of fewer than 100 bodies.");
  orbits.group = "overlay";
  orbits.default_value = true;
  table.add(std::move(orbits));
  Option names =
      trail_option("names", "Names", "The names of the bodies beside them, in scenes that have any.");
  names.group = "overlay";
  names.default_value = true;
  table.add(std::move(names));
}

void add_body_sizes(sim::OptionTable& table) {
  auto sizes = chosen(
      trail_option("body-sizes", "Body sizes", "How bodies are drawn in scenes of fewer than 100 bodies."),
      {"readable", "true", "sprites"},
      {"discs; ten times the radius is a little larger", "discs true to scale, at least a dot",
       "points of light, all of one size, as in large scenes"});
  sizes.group = "bodies";
  table.add(std::move(sizes));
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
std::vector<std::uint32_t> drawn_by_lot(std::size_t bodies, std::size_t count, std::uint64_t seed) {
  sim::Random random(seed);
  std::vector<std::uint32_t> numbers;
  numbers.reserve(count);
  for (std::size_t i = 0; i < bodies && numbers.size() < count; ++i) {
    const auto left = static_cast<double>(bodies - i);
    if (left * random.uniform() < static_cast<double>(count - numbers.size()))
      numbers.push_back(static_cast<std::uint32_t>(i));
  }
  return numbers;
}

std::vector<std::uint32_t> followed(const Configuration& configuration, std::size_t bodies) {
  const auto& which = configuration.choice("trails");
  if (which == "off" || (which == "auto" && bodies >= few_enough_for_trails)) return {};
  const auto count = std::min(bodies, static_cast<std::size_t>(configuration.integer("trail-bodies")));
  if (which == "sample")
    return drawn_by_lot(bodies, count, static_cast<std::uint64_t>(configuration.integer("trail-seed")));
  if (which != "range") return numbers_from(0, which == "auto" ? bodies : count);
  const auto first = static_cast<std::size_t>(configuration.integer("trail-first"));
  return first < bodies ? numbers_from(first, std::min(count, bodies - first)) : std::vector<std::uint32_t>{};
}

render::TrackOrigin origin_of(const Configuration& configuration) {
  const auto& frame = configuration.choice("trail-frame");
  if (frame == "body") return render::TrackOrigin::body;
  return frame == "dataset" ? render::TrackOrigin::dataset : render::TrackOrigin::center_of_mass;
}

}  // namespace

void add_trail_options(sim::OptionTable& table) {
  add_choice_of_bodies(table);
  add_length(table);
  add_looks(table);
  add_body_sizes(table);
}

render::TrackPlan trail_plan(const Configuration& configuration, std::size_t bodies) {
  render::TrackPlan plan{.bodies = followed(configuration, bodies),
                         .rows = static_cast<std::size_t>(configuration.integer("trail-steps")),
                         .origin = origin_of(configuration)};
  const auto body = static_cast<std::size_t>(configuration.integer("trail-frame-body"));
  if (plan.origin != render::TrackOrigin::body) return plan;
  // A body that this dataset does not have is none to stand on.
  if (body < bodies)
    plan.origin_body = static_cast<std::uint32_t>(body);
  else
    plan.origin = render::TrackOrigin::dataset;
  return plan;
}

render::TrackStyle trail_style(const Configuration& configuration) {
  constexpr double usual_light = 0.03;
  return {.width_px = static_cast<float>(configuration.real("trail-width")),
          .light = static_cast<float>(usual_light * configuration.real("trail-light")),
          .fading = static_cast<float>(configuration.real("trail-fade")),
          .fade_time = static_cast<float>(configuration.real("trail-time"))};
}

render::TrackStyle ellipse_style(const Configuration& configuration) {
  auto style = trail_style(configuration);
  style.width_px *= 0.7F;
  style.light *= 0.06F;
  style.fading = 0.0F;
  style.fade_time = 0.0F;
  style.smooth = false;
  return style;
}

void set_disc_sizes(render::BodyStyle& style, const Configuration& configuration,
                    const std::vector<double>& radii, float stops) {
  constexpr float disc_brightness = 0.4F;  // of white, with the automatic exposure
  constexpr float usual_size = 7.0F;       // of few bodies
  const auto& choice = configuration.choice("body-sizes");
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
  const double step = std::abs(configuration.real("time-step"));
  const double steps = configuration.real("speed") / (frames_a_second * step);
  return std::isfinite(steps) ? static_cast<std::uint64_t>(std::clamp(std::round(steps), 1.0, 1e9)) : 1;
}

}  // namespace orrery::app
