#include "app/picture/overlay_style.h"
#include "app/picture/picture_options.h"

namespace orrery::app {

namespace {

constexpr OverlayStyle on_dark{.ink = IM_COL32(232, 235, 241, 245),
                               .soft = IM_COL32(186, 192, 205, 235),
                               .line = IM_COL32(186, 192, 205, 190),
                               .faint = IM_COL32(150, 160, 180, 70),
                               .halo = IM_COL32(0, 0, 0, 90),
                               .accent = IM_COL32(255, 196, 110, 255),
                               .arrow = IM_COL32(118, 236, 196, 235),
                               .x = IM_COL32(255, 128, 118, 255),
                               .y = IM_COL32(142, 218, 128, 255),
                               .z = IM_COL32(122, 176, 255, 255)};
constexpr OverlayStyle on_bright{.ink = IM_COL32(20, 22, 30, 255),
                                 .soft = IM_COL32(70, 75, 88, 255),
                                 .line = IM_COL32(70, 75, 88, 200),
                                 .faint = IM_COL32(90, 98, 115, 80),
                                 .halo = IM_COL32(255, 255, 255, 110),
                                 .accent = IM_COL32(186, 84, 0, 255),
                                 .arrow = IM_COL32(196, 0, 104, 255),
                                 .x = IM_COL32(190, 40, 30, 255),
                                 .y = IM_COL32(34, 125, 30, 255),
                                 .z = IM_COL32(30, 90, 200, 255)};

}  // namespace

OverlayStyle overlay_style(float background) { return background > 0.4F ? on_bright : on_dark; }

OverlayStyle overlay_style(const sim::Configuration& configuration) {
  return overlay_style(sim::read_member(configuration, &PictureOptions::paper) ? 1.0F : 0.0F);
}

}  // namespace orrery::app
