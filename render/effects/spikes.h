#pragma once

#include <optional>

#include "render/bodies/body_arrays.h"
#include "render/bodies/body_effect.h"
#include "render/bodies/body_look.h"

namespace orrery::render {

/// The stars that have spikes, and the size of these.
struct SpikeStyle {
  /// Stars that shine brighter (counted as BodyStyle::component_weight is) have spikes. Above 0.
  float light = 1.0F;
  float share = 0.3F;  ///< at most so much of their light is in these
  /// Length of the spikes of a star of twice that light: in half widths of its image.
  float length = 16.0F;
};

/// Spikes as a telescope's spider makes them: bright stars give a share of their light to four of them.
class Spikes final : public BodyEffect {
 public:
  SpikeStyle style;

  Code code() const override;
  Setter find_uniforms(UniformTable& uniforms) override;
  void draw(const BodyScene& scene, const BodyLayer& layer) override;

 private:
  // None until there is a first picture.
  std::optional<BodyArrays> arrays_;
  std::optional<BodyLook> look_;
};

}  // namespace orrery::render
