#pragma once

#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/picture/auto_exposure.h"
#include "app/picture/effects/effect.h"
#include "app/picture/orbit_trails.h"
#include "app/picture/picture_input.h"
#include "render/bodies/body_buffers.h"
#include "render/bodies/body_drawer.h"
#include "render/context/target.h"
#include "render/light/accumulation.h"
#include "render/light/tone_mapper.h"
#include "render/map/map_drawer.h"
#include "render/picture/camera.h"
#include "render/trails/trail_drawer.h"

namespace orrery::app {

struct PictureView;

/// Draws bodies with light, exposure and tone, at any size. The look does not depend on the resolution: sizes
/// and light scale with the height. Several views (app/picture/picture_views.h) have one exposure.
class Painter {
 public:
  /// Draws the whole picture into `target`, which stays bound.
  void draw(const PictureInput& input, const render::PictureTarget& target);

  /// A view of `whole` pixels in tiles (render::tiles_of): `begin_tiles`, each tile once by `weigh_tile`
  /// where that is true, then each by `draw_tile` into a target of its size. Exposure and glow are those
  /// of the whole view. Of several views the tiles of all are weighed after one `begin_tiles`; then come for
  /// each view `begin_glow`, `weigh_glow` for its tiles, and `draw_tile`. For pictures that are kept.
  bool begin_tiles(const PictureInput& input, glm::ivec2 whole);
  void weigh_tile(const PictureInput& input, glm::ivec2 whole, const render::PictureTile& tile);
  void begin_glow(glm::ivec2 whole) { tone_mapper_.begin_parts(whole); }
  void weigh_glow(const PictureInput& input, glm::ivec2 whole, const render::PictureTile& tile);
  void draw_tile(const PictureInput& input, glm::ivec2 whole, const render::PictureTile& tile,
                 const render::PictureTarget& target);
  /// Draws only the light of a tile, before exposure, glow and tone.
  const render::Accumulation& light_of_tile(const PictureInput& input, glm::ivec2 whole,
                                            const render::PictureTile& tile);

  /// True while the exposure of the last picture for the window still follows its light.
  bool settling() const { return interrupted_ || (follows_ && exposure_.settling()); }
  /// The last picture again with the exposure of now: the same input as then. False, and nothing is drawn, if
  /// its light is gone: then it has to be drawn anew.
  bool settle(const PictureInput& input, const render::PictureTarget& target);

  /// The method that drew the bodies of the last picture, in one line: point sprites or compute.
  std::string drawn_by() const { return bodies_.how(); }

 private:
  void release_if_smaller(glm::ivec2 size);
  void draw_light(const PictureInput& input, glm::ivec2 whole, const render::PictureTile& tile,
                  render::Accumulation& light);
  void draw_light_of_all(const PictureInput& input, glm::ivec2 size);
  void develop_views(const PictureInput& input, const std::vector<PictureView>& views,
                     const render::PictureTarget& target, const AutoExposure::Levels& levels);
  void develop(const PictureInput& input, const render::PictureTarget& target, bool fresh);
  void complete(const PictureInput& input, render::GlName framebuffer, glm::ivec2 whole,
                const render::PictureTile& tile);
  AutoExposure::Levels levels(const PictureInput& input, bool fresh);
  void draw_trails(const PictureInput& input, const glm::mat4& projection, const render::BodyStyle& style,
                   render::Splatting how, render::Accumulation& light);
  void draw_map(const PictureInput& input, render::GlName framebuffer, const render::BodyView& from);

  EffectPasses effects_;  ///< outlives what draws with them
  render::BodyDrawer bodies_;
  std::optional<render::TrailDrawer> trails_;
  render::ToneMapper tone_mapper_;
  std::optional<render::MapDrawer> map_;                 ///< made when the first map is drawn
  render::Accumulation light_;                           ///< light of all views
  render::Accumulation view_light_;                      ///< light of a single view, where there are several
  std::unique_ptr<render::PictureTarget> view_picture_;  ///< one view; null: only one so far
  glm::ivec2 size_{0};                                   ///< of the last picture for the window
  AutoExposure exposure_;
  bool follows_ = false;      ///< the light is that of the window, and decides the exposure
  bool interrupted_ = false;  ///< a saved picture was drawn before the exposure of the window's had settled
};

}  // namespace orrery::app
