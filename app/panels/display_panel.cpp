#include <imgui.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "app/gui/imgui_compat.h"
#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"
#include "app/picture/star_style.h"
#include "app/picture/trail_style.h"

// How the picture looks. An option stands in the section that its description names as its group.
namespace orrery::app {

namespace {

using Preset = render::Camera::Preset;

/// These say something of several galaxies only.
constexpr std::array<std::string_view, 2> of_galaxies{"labels", "highlight"};
/// And these of so few bodies that each is a disc.
constexpr std::array<std::string_view, 2> of_few_bodies{"body-sizes", "marks"};

bool is_among(std::span<const std::string_view> names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Switches of what the dataset does not have: galaxies, single bodies.
bool shows_nothing(const PanelContext& context, const sim::Option& option) {
  const auto& summary = context.session.summary();
  if (is_among(of_galaxies, option.name)) return summary.galaxies < 2;
  if (is_among(of_few_bodies, option.name)) return summary.bodies >= few_enough_for_trails;
  return false;
}

/// True if it was clicked. The first of a row stands alone, the next ones beside it where there is room.
bool display_button(PanelContext& context, const char* label, const char* name, const char* meaning,
                    bool first) {
  const auto& style = ImGui::GetStyle();
  const float width = ImGui::CalcTextSize(label).x + 2.0F * style.FramePadding.x;
  const float right = ImGui::GetWindowPos().x + line_end();
  if (!first && ImGui::GetItemRectMax().x + style.ItemSpacing.x + width < right) ImGui::SameLine();
  return named_button(context.widgets, name, label, meaning);
}

/// Where a galaxy has a halo: all its bodies give the same light, or stars alone do.
void dark_matter(PanelContext& context) {
  auto& session = context.session;
  const auto halo = static_cast<std::size_t>(sim::Component::halo);
  const auto& counts = session.summary().components;
  if (counts.at(halo) == 0 || counts.at(halo) == session.summary().bodies) return;
  const bool dark = !shines(halo, session.look().stars, session.summary());
  if (display_button(context, dark ? "Show dark matter###dark" : "Hide dark matter###dark", "dark-matter",
                     "A halo gives no light. Gives every body the same light so that the halo shows "
                     "(starlight=equal), or undoes that.",
                     false))
    session.set_option(session.table().at("starlight"), std::string(dark ? "equal" : "populations"));
}

void draw_view(PanelContext& context) {
  auto& session = context.session;
  if (!session.has_dataset()) return;
  if (display_button(context, "Photo", "picture", "Takes a picture. Keys: F12; Ctrl+F12 with the panel.",
                     true))
    context.actions.take_screenshot(false);
  if (display_button(context, "Fit", "fit", "Moves the camera so that 95 % of the bodies show. Key: Home.",
                     false))
    context.actions.fit_camera();
  if (display_button(context, "Face-on", "face-on", "Looks at a disk from above. Key: Ctrl+1.", false))
    session.camera.look(Preset::face_on);
  if (display_button(context, "Edge-on", "edge-on", "Looks at a disk from the side. Key: Ctrl+3.", false))
    session.camera.look(Preset::edge_on);
  dark_matter(context);
}

void draw_colors(PanelContext& context) {
  option_groups(context, {"colour"});
  const auto& session = context.session;
  if (!sim::applies(session.table().at("color-map"), session.configuration)) return;
  if (display_button(context, "Adapt colours", "adapt-colours",
                     "Fits the ends of the colour bar to the bodies as they are now. Key: R.", true))
    context.session.adapt_color_range();
}

void draw_light(PanelContext& context) { option_groups(context, {"light"}); }

void draw_bodies(PanelContext& context) { option_groups(context, {"bodies"}, shows_nothing); }

void draw_overlay(PanelContext& context) { option_groups(context, {"overlay"}, shows_nothing); }

void draw_trails(PanelContext& context) { option_groups(context, {"trails"}); }
void draw_map(PanelContext& context) {
  if (context.session.has_dataset()) option_groups(context, {"map"});
}

}  // namespace

extern const Panel view_panel{"View", true, draw_view, PanelTab::picture};
extern const Panel colors_panel{"Colour", true, draw_colors, PanelTab::picture};
extern const Panel light_panel{"Light", true, draw_light, PanelTab::picture};
extern const Panel bodies_panel{"Bodies", true, draw_bodies, PanelTab::picture};
extern const Panel overlay_panel{"Overlay", true, draw_overlay, PanelTab::picture};
extern const Panel trails_panel{"Trails", false, draw_trails, PanelTab::picture};
extern const Panel map_panel{"Activity map", false, draw_map, PanelTab::picture};

}  // namespace orrery::app
