#pragma once

#include <array>
#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <string>

#include "render/bodies/body_buffers.h"
#include "render/bodies/body_effect.h"
#include "render/bodies/body_renderer.h"
#include "render/bodies/body_splatter.h"
#include "render/bodies/draw_chooser.h"
#include "render/bodies/processor_splatter.h"
#include "render/bodies/screen_density.h"
#include "render/context/gpu_timer.h"
#include "render/light/accumulation.h"
#include "render/light/light_levels.h"

namespace orrery::render {

/// Selects the drawing method.
enum class Splatting {
  automatic,  ///< the faster one: both are timed over the first frames; in software the rasterizer
  raster,     ///< point sprites: the same bits every time
  compute,
};

/// Draws bodies by point sprites or by compute, whichever is asked for or is faster. Compute that fails is
/// given up for good and said in how().
class BodyDrawer {
 public:
  /// Needs a current context. Throws Error.
  BodyDrawer();
  /// `software`: whether the context draws in software, if the caller knows.
  explicit BodyDrawer(bool software);

  /// Adds the light of all bodies of a slot to `light`, which must be bound (Accumulation::begin) and as
  /// large as the picture or its part. Never waits for the GPU. Throws what BodyRenderer::draw throws.
  void draw(const BodyBuffers& buffers, int slot, const BodyView& from, const Accumulation& light,
            const BodyStyle& style, Splatting splatting);

  /// Gives the memory back that grew with the largest picture so far. The next picture allocates it anew.
  void release();

  /// The method that drew the last picture and the reason, in one line: "compute (0.21 ms; point sprites
  /// 12.02 ms)".
  std::string how() const;
  DrawMethod method() const { return method_; }

 private:
  DrawMethod choose(std::size_t bodies, glm::ivec2 size, const BodyStyle& style, Splatting splatting);
  std::string why_not_compute(std::size_t bodies, glm::ivec2 size);
  std::string comparison() const;

  void draw_by(DrawMethod method, const BodyScene& scene, const Accumulation& light);
  void draw_alone(DrawMethod method, const BodyScene& scene, const Accumulation& light);
  void draw_layers(DrawMethod method, const BodyScene& scene, const Accumulation& light);
  void draw_part(DrawMethod method, const BodyScene& scene, const Accumulation& light,
                 const BodyLayer& layer);
  const ScreenDensity* count(DrawMethod method, const BodyScene& scene);

  BodyRenderer sprites_;
  std::unique_ptr<BodySplatter> splatter_;                  ///< null until it is needed
  std::optional<LightLevels> levels_;                       ///< none until wide images are drawn
  std::array<std::unique_ptr<ScreenDensity>, 2> crowding_;  ///< one screen-density pyramid per drawing method
  ProcessorSplatter processor_;
  bool by_processor_ = false;  ///< the last picture
  GpuTimer timer_;
  DrawChooser chooser_;
  bool software_;
  DrawMethod method_ = DrawMethod::sprites;
  Splatting splatting_ = Splatting::raster;
  std::string failure_;  ///< why compute was given up; empty: it was not
  std::string refusal_;  ///< why compute could not draw the last picture
};

}  // namespace orrery::render
