#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/named_widgets.h"
#include "lab/setup/dataset.h"
#include "render/context/gl_object.h"

namespace orrery::app {

/// The built-in galaxies as small pictures with their names: a click starts one, with the number of bodies
/// and the seed that stand above them.
///
/// Needs the window's context for its whole life. The pictures are those of docs/models.md, which come with
/// the program's data. A model without one has an empty tile.
class Gallery {
 public:
  bool is_open() const { return open_; }
  /// `shown`: the dataset of now, whose seed is taken over.
  void open(const lab::DatasetRequest& shown);
  void close() { open_ = false; }
  /// Call once per frame, within a frame of Dear ImGui, beside the panel, which covers the window up to
  /// `left`, where there is room. `scale` is the interface's; the tile of `shown` is marked. What was clicked
  /// on: the gallery is closed then.
  std::optional<lab::DatasetRequest> draw(float left, float scale, const lab::DatasetRequest& shown,
                                          WidgetMap& widgets);

 private:
  struct Layout;
  void load_next_picture();
  void draw_choices(float scale, WidgetMap& widgets);
  void draw_hint() const;
  std::optional<std::size_t> draw_tiles(float scale, const lab::DatasetRequest& shown, WidgetMap& widgets);
  bool draw_tile(std::size_t model, const Layout& layout, bool marked, WidgetMap& widgets) const;
  lab::DatasetRequest request_of(std::size_t model) const;

  bool open_ = false;
  std::size_t bodies_choice_ = 0;  ///< index of the chosen number of bodies
  std::uint64_t seed_ = 1;
  std::vector<render::Texture>
      pictures_;         ///< one for each of the first models; without storage where there is no picture
  std::string problem_;  ///< why a picture is missing; empty if none is
};

}  // namespace orrery::app
