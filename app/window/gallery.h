#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/gui/widget_map.h"
#include "app/window/model_pictures.h"
#include "lab/setup/dataset.h"
#include "render/gl_object.h"

namespace orrery::app {

/// The built-in galaxies as small pictures with their names: a click starts one, with the number of bodies
/// and the seed that stand above them.
///
/// Needs the window's context for its whole life. The pictures are made while it is open.
class Gallery {
 public:
  bool is_open() const { return open_; }
  /// `shown`: the dataset of now, whose seed is taken over.
  void open(const lab::DatasetRequest& shown);
  void close();
  /// Once a frame, within a frame of Dear ImGui, beside the panel, which covers the window up to `left`,
  /// where there is room. `scale` is the interface's; the tile of `shown` is marked. What was clicked on: the
  /// gallery is closed then.
  std::optional<lab::DatasetRequest> draw(float left, float scale, const lab::DatasetRequest& shown,
                                          WidgetMap& widgets);

 private:
  struct Layout;
  void take_picture();
  void draw_choices(float scale, WidgetMap& widgets);
  void draw_progress() const;
  std::optional<std::size_t> draw_tiles(float scale, const lab::DatasetRequest& shown, WidgetMap& widgets);
  bool draw_tile(std::size_t model, const Layout& layout, bool marked, WidgetMap& widgets) const;
  lab::DatasetRequest request_of(std::size_t model) const;

  bool open_ = false;
  std::size_t bodies_choice_ = 0;  ///< which of the numbers offered
  std::uint64_t seed_ = 1;
  std::vector<render::Texture> pictures_;  ///< by model; without storage where there is none yet
  std::vector<bool> finished_;             ///< by model; the others are sketches
  std::size_t there_ = 0;                  ///< how many pictures are
  ModelPictures maker_;
};

}  // namespace orrery::app
