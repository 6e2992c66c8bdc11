#pragma once

#include <glm/glm.hpp>
#include <string_view>
#include <vector>

#include "render/context/pixel_pass.h"
#include "render/context/shader_program.h"
#include "render/context/target.h"
#include "render/light/accumulation.h"
#include "render/light/glow.h"

namespace orrery::render {

/// Conversion of light to display values.
struct ToneStyle {
  enum class Curve {
    /// 1 - exp(-x) per channel: like film, bright cores go white.
    exponential,
    /// A filmic S-curve (Narkowicz 2015, a fit to the ACES reference transform).
    aces,
    /// min(x, 1): proportional up to white; for measurements.
    linear,
    /// Inverse hyperbolic sine of the intensity, hue kept (Lupton et al. 2004): shows faint outskirts and
    /// bright cores together.
    asinh,
  };
  /// Light is multiplied by 2^exposure_stops.
  float exposure_stops = 0.0F;
  Curve curve = Curve::exponential;
  /// Softening of the asinh curve: light above 1 / softening is compressed. Above 0, up to 1e30.
  float softening = 1000.0F;
  /// The share of the light that goes into the wide wings of the point spread function, as in a telescope:
  /// dense regions glow. 0 .. 1; 0 for measurements. The total light stays (but for what leaves the picture).
  float glow = 0.4F;
  /// Standard deviation of the glow as a fraction of the picture's height. At most widest_glow.
  float glow_width = widest_glow;
  /// The glow is found for every third picture only, for what moves where OpenGL has no GPU.
  bool rough = false;
  /// Spreads the rounding to 8 bits by deterministic noise of zero mean, so that dark gradients show no
  /// bands.
  bool dither = true;
  /// Linear RGB of an empty sky.
  glm::vec3 background{0.0F, 0.0F, 0.0F};
  /// Writes alpha = the largest channel and colours divided by it (straight alpha, as PNG wants), so that the
  /// picture laid over black looks the same. The background is left out.
  bool transparent = false;
  /// Dark on a white ground, for paper: brightness becomes ink (`inked`). Not for transparent pictures.
  bool paper = false;
};

/// The printed colour for a colour (sRGB, 0..1): white for black, dark ink of the same hue for bright.
glm::vec3 inked(glm::vec3 srgb);

inline constexpr std::size_t tone_curve_count = 4;
/// "exponential", "aces", "linear" or "asinh".
std::string_view tone_curve_name(ToneStyle::Curve curve);

/// Exposure, tone curve, exact sRGB encoding and dither, from an Accumulation into an 8-bit picture.
class ToneMapper {
 public:
  /// Needs a current context. Throws Error.
  explicit ToneMapper(PixelStage stage = suitable_pixel_stage());
  ToneMapper(const ToneMapper&) = delete;
  ToneMapper& operator=(const ToneMapper&) = delete;
  /// Draws into a target of the light's size. Encodes sRGB itself: GL_FRAMEBUFFER_SRGB is switched off.
  /// Leaves the target bound, and blending, depth and scissor tests off.
  void draw(const Accumulation& light, const PictureTarget& target, const ToneStyle& style);

  /// Drawing in tiles: `begin_parts`, then each tile once with `add_part`, then each with `draw_part` into a
  /// target of its size. The result equals that of `draw` within rounding.
  void begin_parts(glm::ivec2 picture) { glow_.begin_parts(picture); }
  void add_part(const Accumulation& light, const PictureTile& tile) { glow_.add_part(light, tile); }
  void draw_part(const Accumulation& light, const PictureTile& tile, const PictureTarget& target,
                 const ToneStyle& style);

 private:
  struct ToneProgram {
    ToneProgram(const PixelPass& passes, std::size_t curve, bool glowing);
    // Found while the program is made.
    Uniform<glm::vec4> exposure_background;
    Uniform<glm::vec3> flags;
    Uniform<glm::ivec2> corner;
    Uniform<glm::vec3> glow;
    Uniform<glm::vec2> softening;  ///< softening of the asinh curve
    ShaderProgram program;
  };
  const ToneProgram& prepare(const Accumulation& light, const PictureTile& tile, const ToneStyle& style);
  void update_glow_by_parts(const ToneStyle& style);
  void update_glow(const Accumulation& light, const ToneStyle& style);
  void run(const ToneProgram& tone, const PictureTarget& target);

  PixelPass passes_;
  std::vector<ToneProgram> programs_;  ///< one program per tone curve
  std::vector<ToneProgram> glow_programs_;
  Glow glow_;
  glm::ivec2 glow_of_{0, 0};  ///< size of the picture that it was found for; 0: of none that it may serve
  int glow_served_ = 0;       ///< pictures that it served
};

}  // namespace orrery::render
