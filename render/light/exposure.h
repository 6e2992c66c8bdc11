#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "render/light/tone_mapper.h"

namespace orrery::render {

/// Brightness levels of a picture's light in stops (log2 of a pixel's mean of red, green and blue), every
/// pixel counting as much as it has light. Dark pixels do not count, nor do faint ones for much: neither the
/// number of bodies nor empty sky around them moves the levels. Means, not percentiles: they change as
/// smoothly as the light, without jumps from one body to the next.
struct ExposureLevels {
  double middle = 0.0;  ///< 0.3 standard deviations below the mean
  double bright = 0.0;  ///< 1.5 above it: about the brightest fiftieth of the light

  friend bool operator==(const ExposureLevels&, const ExposureLevels&) = default;
};

/// The levels of a LightMeter's histogram. Empty where all is dark.
std::optional<ExposureLevels> light_levels(std::span<const std::uint32_t> histogram);

/// Sets exposure and softening of a style so that light of the middle level is shown at half of the
/// brightness that eyes see in white, and with the curve asinh light of the bright level as white. Other
/// curves have one setting only: the middle decides. The stops of the style itself are added.
void expose(ToneStyle& style, const ExposureLevels& levels);

/// Levels that follow measured ones smoothly, as eyes adapt: no flicker, and no drift at rest.
class ExposureSmoother {
 public:
  /// Takes a measurement. The first one, and one that is far off, is taken at once. Invisible changes are not
  /// followed, for measured light trembles a little; unless it is to be reached `exactly`.
  void want(const ExposureLevels& levels, bool exactly = false);
  /// Moves the levels on by `seconds` of adaptation.
  void follow(double seconds);
  const std::optional<ExposureLevels>& levels() const { return now_; }
  bool settled() const { return now_ == wanted_; }

 private:
  std::optional<ExposureLevels> now_;
  std::optional<ExposureLevels> wanted_;
};

}  // namespace orrery::render
