#include "render/light/exposure.h"

#include <algorithm>
#include <cmath>

#include "render/context/shader_constants.h"

namespace orrery::render {
namespace {

/// The levels in standard deviations from the mean. The middle lies below it: small bright cores must not
/// darken the rest.
constexpr double middle_deviations = -0.3;
constexpr double bright_deviations = 1.5;
/// Perceived brightness of middle grey, as a fraction of white.
constexpr double middle_brightness = 0.5;
/// A picture of one brightness must not become white, nor one of a bright point dark.
constexpr double least_range = 1.0 / middle_brightness;
constexpr double largest_range = 16.0;

/// log2 of the light in the middle of a bin.
double stops_of(std::size_t bin) {
  return shared::meter_lowest + (static_cast<double>(bin) + 0.5) / shared::meter_bins_per_stop;
}

/// The softening s at which asinh(s / range) / asinh(s), which rises from 1 / range to 1, is the middle
/// brightness; by halving intervals of log s.
double softening_for(double range) {
  double low = -4.0;
  double high = 80.0;
  for (int round = 0; round < 60; ++round) {
    const double s = std::exp(0.5 * (low + high));
    const bool too_bright = std::asinh(s / range) / std::asinh(s) > middle_brightness;
    (too_bright ? high : low) = 0.5 * (low + high);
  }
  return std::exp(low);
}

/// Light that a curve without softening shows at the middle brightness.
double middle_light(ToneStyle::Curve curve) {
  switch (curve) {
    case ToneStyle::Curve::exponential:
      return 0.246;
    case ToneStyle::Curve::aces:
      return 0.151;
    default:
      return 0.218;
  }
}

/// The time in which two thirds of a difference are gone.
constexpr double adaptation_seconds = 0.25;
/// Nobody sees it.
constexpr double dead_stops = 0.02;
/// Another picture.
constexpr double far_stops = 3.0;

double difference(const ExposureLevels& a, const ExposureLevels& b) {
  return std::max(std::abs(a.middle - b.middle), std::abs(a.bright - b.bright));
}

}  // namespace

std::optional<ExposureLevels> light_levels(std::span<const std::uint32_t> histogram) {
  double light = 0.0;
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t bin = 0; bin < histogram.size(); ++bin) {
    const double stops = stops_of(bin);
    const double here = histogram[bin] * std::exp2(stops);
    light += here;
    sum += here * stops;
    squares += here * stops * stops;
  }
  if (!(light > 0.0)) return std::nullopt;
  const double mean = sum / light;
  const double deviation = std::sqrt(std::max(squares / light - mean * mean, 0.0));
  return ExposureLevels{mean + middle_deviations * deviation, mean + bright_deviations * deviation};
}

void expose(ToneStyle& style, const ExposureLevels& levels) {
  if (style.curve != ToneStyle::Curve::asinh) {
    style.exposure_stops += static_cast<float>(std::log2(middle_light(style.curve)) - levels.middle);
    return;
  }
  const double range = std::clamp(std::exp2(levels.bright - levels.middle), least_range, largest_range);
  style.exposure_stops -= static_cast<float>(levels.middle + std::log2(range));
  style.softening = static_cast<float>(softening_for(range));
}

void ExposureSmoother::want(const ExposureLevels& levels, bool exactly) {
  if (!wanted_ || exactly || difference(levels, *wanted_) > dead_stops) wanted_ = levels;
  if (!now_ || difference(*wanted_, *now_) > far_stops) now_ = wanted_;
}

void ExposureSmoother::follow(double seconds) {
  if (!now_ || settled()) return;
  const double share = -std::expm1(-seconds / adaptation_seconds);
  now_->middle += (wanted_->middle - now_->middle) * share;
  now_->bright += (wanted_->bright - now_->bright) * share;
  if (difference(*now_, *wanted_) < 0.5 * dead_stops) now_ = wanted_;
}

}  // namespace orrery::render
