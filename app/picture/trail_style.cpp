#include "app/picture/trail_style.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/core/random.h"
#include "sim/options/physics_options.h"

namespace orrery::app {

namespace {

constexpr double frames_a_second = 60.0;

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

render::TrailPlan trail_plan(const TrailOptions& options, std::size_t bodies) {
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

render::TrailStyle trail_style(const TrailOptions& options) {
  constexpr double usual_light = 0.03;
  return {.width_px = static_cast<float>(options.look.number(0)),
          .light = static_cast<float>(usual_light * options.look.number(1)),
          .fading = static_cast<float>(options.look.number(2)),
          .fade_time = static_cast<float>(options.length.number(1))};
}

render::TrailStyle ellipse_style(const TrailOptions& options) {
  auto style = trail_style(options);
  style.width_px *= 0.5F;
  style.light *= 0.04F;
  style.fading = 0.0F;
  style.fade_time = 0.0F;
  style.smooth = false;
  return style;
}

void set_disc_sizes(render::BodyStyle& style, const TrailOptions& options, const std::vector<double>& radii,
                    float stops) {
  constexpr float disc_brightness = 0.4F;  // of white, with the automatic exposure
  constexpr float usual_size = 7.0F;       // of few bodies
  if (radii.empty() || options.body_sizes == "sprites") return;
  style.disc_light = disc_brightness * std::exp2(-stops);
  style.radii_are_lengths = options.body_sizes == "true";
  double smallest = 0.0;
  for (const double radius : radii)
    if (radius > 0.0 && (smallest == 0.0 || radius < smallest)) smallest = radius;
  for (const double radius : radii) {
    const float readable = readable_radius(radius, smallest) * style.size_px / usual_size;
    style.radii.push_back(style.radii_are_lengths ? static_cast<float>(radius) : readable);
  }
}

std::uint64_t steps_between_places(const sim::Configuration& configuration) {
  const double step = std::abs(sim::physics_of(configuration).time_step);
  const double steps = sim::read_group<PaceOptions>(configuration).speed / (frames_a_second * step);
  return std::isfinite(steps) ? static_cast<std::uint64_t>(std::clamp(std::round(steps), 1.0, 1e9)) : 1;
}

}  // namespace orrery::app
