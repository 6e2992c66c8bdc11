#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "render/light/exposure.h"
#include "render/light/light_meter.h"

namespace orrery::app {

/// Finds how bright the light of a picture is.
class AutoExposure {
 public:
  using Levels = std::optional<render::ExposureLevels>;

  /// The exact levels of this light; waits for the GPU. Empty: all is dark.
  Levels measured(const render::Accumulation& light) { return render::light_levels(meter_.measure(light)); }

  /// For a picture that is drawn in tiles: call `begin_parts`, `add_part` once per tile, and then
  /// `measured_parts`, which returns what `measured` finds for the whole.
  void begin_parts() { parts_.clear(); }
  void add_part(const render::Accumulation& light);
  Levels measured_parts() const { return render::light_levels(parts_); }

  /// The levels of a film's next frame, `seconds` after the frame before. Levels follow the light smoothly,
  /// and are the same each time that the film is made. Waits for the GPU.
  Levels filmed(const render::Accumulation& light, double seconds);

  /// Call once per frame: levels that follow the light smoothly, some frames late, without waiting for the
  /// GPU. Only the very first one waits. `fresh`: the light is another one than in the frame before. Of light
  /// that stays they become those that `measured` finds.
  Levels followed(const render::Accumulation& light, bool fresh);
  /// True while `followed` will still change without fresh light.
  bool settling() const { return measured_ != How::exactly || meter_.busy() || !follower_.settled(); }

 private:
  /// Quality of the meter's reading of the present light.
  enum class How { not_yet, roughly, exactly };
  static int few_rows();
  void take(const Levels& levels, bool exactly);
  void look(const render::Accumulation& light);

  render::LightMeter meter_;
  /// Rows measured in the window; of a larger picture every n-th row and column is.
  int measured_rows_ = few_rows();
  render::ExposureSmoother follower_;
  std::vector<std::uint32_t> parts_;  ///< a histogram
  bool first_ = true;
  How measured_ = How::not_yet;
  bool looks_exactly_ = false;  ///< at what the meter is busy with
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace orrery::app
