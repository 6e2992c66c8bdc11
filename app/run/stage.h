#pragma once

#include <memory>

#include "app/picture/orbit_trails.h"
#include "app/picture/overlay_painter.h"
#include "app/picture/painter.h"
#include "app/picture/tiled_picture.h"
#include "app/run/job.h"
#include "app/session/interop.h"
#include "render/bodies/body_buffers.h"
#include "render/context/target.h"
#include "render/map/map_buffers.h"
#include "render/picture/image.h"
#include "sim/engines/engine.h"

namespace orrery::app {

/// The vertex buffers that the engine publishes into, its own GPU's or the host's, and the ways of the bodies
/// that are drawn from them. Made by the first process alone. Needs a current context.
class RenderStage {
 public:
  /// `job` must outlive it.
  explicit RenderStage(const RenderJob& job);

  /// Takes the engine's state, which then can be drawn, and is part of the trails.
  void publish(sim::Engine& engine);
  /// The state published last, seen by the job's camera.
  PictureInput picture();
  /// The bodies as they were published last.
  sim::Bodies bodies() { return bodies_in(buffers(), slot_, job_.scene.bodies); }
  /// Positions of the bodies with these indices. Reads all positions of the vertex buffer, but nothing else.
  std::vector<glm::dvec3> places(const std::vector<std::size_t>& indices);
  /// Light and sizes of bodies are from now on those of this summary of the same bodies, as if they had been
  /// there from the start.
  void look_at(const SceneSummary& now);
  /// nullptr: no activity map.
  render::MapBuffers* maps() { return interop_ ? interop_->maps() : host_map_.get(); }

 private:
  render::BodyBuffers& buffers() { return interop_ ? interop_->buffers() : *host_; }
  void find_quantity(const render::ColorMode& mode);
  void publish_in_place(sim::Engine& engine);
  void publish_by_copy(sim::Engine& engine);
  void publish_with_map(sim::Engine& engine, sim::VertexTarget target);

  const RenderJob& job_;
  SceneSummary summary_;
  CurrentLook look_;
  std::unique_ptr<InteropBuffers> interop_;
  std::unique_ptr<render::BodyBuffers> host_;
  std::unique_ptr<render::MapBuffers> host_map_;
  sim::MapSpec counted_;
  OrbitTrails orbits_;
  int slot_ = 0;
  bool shown_ = false;
};

/// Every process publishes; the first one has the stage.
void publish(RenderStage* stage, const RenderJob& job, sim::Engine& engine);

/// Makes pictures without a window, with labels and legend, all of one size. Needs a current context.
class PictureMaker {
 public:
  explicit PictureMaker(PictureSize size) : size_(size.width, size.height) {}

  /// Draws what was published last. `film_seconds` as in PictureInput. Throws render::Error where the driver
  /// cannot draw this size at once.
  const render::PictureTarget& draw(const RenderJob& job, RenderStage& stage, double film_seconds = 0.0);
  /// The picture, of any size. `transparent`: light alone, without a background and texts.
  render::Image picture(const RenderJob& job, RenderStage& stage, bool transparent = false);
  /// Hands over the picture's light before exposure, glow and tone curve, row by row from the top.
  void light(RenderStage& stage, const LightRows& take);

 private:
  void paint(const PictureInput& picture);
  LegendInfo legend(const RenderJob& job, const PictureInput& picture, RenderStage& stage) const;

  glm::ivec2 size_;
  std::unique_ptr<render::PictureTarget> target_;  ///< none until a picture is drawn at once
  Painter painter_;
  OverlayPainter overlay_;
};

}  // namespace orrery::app
