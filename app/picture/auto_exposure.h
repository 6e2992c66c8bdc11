#pragma once

#include <chrono>
#include <optional>

#include "render/exposure.h"
#include "render/light_meter.h"

namespace orrery::app {

/// Finds how bright the light of a picture is.
class AutoExposure {
 public:
  using Levels = std::optional<render::LightLevels>;

  /// Those of this light exactly; waits for the GPU. Empty: all is dark.
  Levels measured(const render::Accumulation& light) { return render::light_levels(meter_.measure(light)); }

  /// Those of a film's next frame, `seconds` after the one before: they follow the light smoothly, and are the
  /// same each time that the film is made. Waits for the GPU.
  Levels filmed(const render::Accumulation& light, double seconds);

  /// Once a frame: levels that follow the light smoothly, some frames late, without waiting for the GPU. Only
  /// the very first one waits. `fresh`: the light is another one than in the frame before.
  Levels followed(const render::Accumulation& light, bool fresh);
  /// True while `followed` will still change without fresh light.
  bool settling() const { return meter_.busy() || unmeasured_ || !follower_.settled(); }

 private:
  void take(const Levels& levels);

  render::LightMeter meter_;
  render::LevelFollower follower_;
  bool unmeasured_ = false;  ///< the light is fresher than what the meter looks at
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace orrery::app
