#include "app/picture/legend.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/gui/pen.h"
#include "app/picture/display_options.h"
#include "app/picture/painter.h"
#include "render/body_renderer.h"
#include "render/color_map.h"
#include "render/color_mode.h"
#include "render/color_space.h"
#include "render/tone_mapper.h"
#include "sim/core/counted.h"

namespace orrery::app {

namespace {

/// A colour of the picture's bodies as it is shown: on paper as ink.
glm::vec3 shown(const glm::vec3& srgb, const sim::Configuration& configuration) {
  return configuration.boolean("paper") ? render::inked(srgb) : srgb;
}

ImU32 packed(const glm::vec3& srgb) { return ImGui::ColorConvertFloat4ToU32({srgb.r, srgb.g, srgb.b, 1.0F}); }

/// Linear light to sRGB, near enough for a colour swatch.
glm::vec3 swatch(const glm::vec3& linear) {
  const float largest = std::max({linear.r, linear.g, linear.b, 1e-6F});
  return glm::pow(linear / largest, glm::vec3(1.0F / 2.2F));
}

const render::ColorMap& active_map(const sim::Configuration& configuration, const render::ColorMode& mode) {
  const auto& name = configuration.choice("color-map");
  const auto* map = render::find_color_map(name == "auto" ? mode.default_map : std::string_view(name));
  return map != nullptr ? *map : *render::color_maps().front();
}

std::string unit_text(const render::ColorMode& mode) {
  return mode.dimension.empty() ? std::string(mode.quantity)
                                : fmt::format("{} [{} unit]", mode.quantity, mode.dimension);
}

void draw_components(const Pen& pen, ImVec2 corner, const SceneSummary& summary,
                     const sim::Configuration& configuration) {
  const auto palette = render::BodyStyle::default_palette();
  float y = corner.y - pen.size * 1.4F;
  for (std::size_t i = sim::component_count; i-- > 0;) {
    const std::string name(sim::component_name(static_cast<sim::Component>(i)));
    if (summary.components.at(i) == 0 || !configuration.boolean("show-" + name)) continue;
    const auto text = fmt::format("{} {}", summary.component_labels.at(i), summary.components.at(i));
    const float x = corner.x - pen.width(text);
    pen.list.AddCircleFilled({x - pen.size * 0.8F, y + pen.size * 0.55F}, pen.size * 0.32F,
                             packed(shown(swatch(palette.at(i)), configuration)));
    pen.write({x, y}, text);
    y -= pen.size * 1.3F;
  }
}

/// A strip of colours, `at` from 0 to 1.
template <typename Color>
void draw_strip(const Pen& pen, ImVec2 start, float width, float height, Color at) {
  constexpr int pieces = 64;
  for (int k = 0; k < pieces; ++k) {
    const float left = start.x + width * static_cast<float>(k) / pieces;
    const float right = start.x + width * static_cast<float>(k + 1) / pieces;
    const auto from = at(static_cast<float>(k) / pieces);
    const auto to = at(static_cast<float>(k + 1) / pieces);
    pen.list.AddRectFilledMultiColor({left, start.y}, {right, start.y + height}, from, to, to, from);
  }
}

/// The colours of the activity map, above `corner`. Returns how high it is.
float draw_map_bar(const Pen& pen, ImVec2 corner, const LegendInfo& info, const SceneSummary& summary,
                   const sim::Configuration& configuration) {
  const float width = pen.size * 15.0F;
  const float height = pen.size * 0.7F;
  const ImVec2 start{corner.x - width, corner.y - pen.size * 1.4F - height};
  const auto look = map_look(configuration, summary.bodies);
  constexpr std::size_t shades = 256;
  const auto colors = render::map_shades(look, shades);
  draw_strip(pen, start, width, height, [&](float t) {
    return packed(render::srgb_encode(colors[static_cast<std::size_t>(t * (shades - 1))]));
  });
  const float baseline = corner.y - pen.size * 1.25F;
  const auto end =
      fmt::format("{:.4g}", look.highest > 0.0F ? look.highest : info.map_largest.value_or(0.0F));
  pen.write({start.x, baseline}, "0");
  pen.write({corner.x - pen.width(end), baseline}, end);
  const bool counts = configuration.choice("map-values") == "count";
  const auto size = configuration.integer("map-size");
  const auto label = fmt::format("{}, {} x {}{}", counts ? "bodies a cell" : "count / N x D", size, size,
                                 look.logarithmic ? ", log" : "");
  pen.write({start.x + 0.5F * (width - pen.width(label)), start.y - pen.size * 1.25F}, label);
  return corner.y - start.y + pen.size * 1.9F;
}

void draw_bar(const Pen& pen, ImVec2 corner, const render::ColorMode& mode, const SceneSummary& summary,
              const sim::Configuration& configuration) {
  const float width = pen.size * 15.0F;
  const float height = pen.size * 0.7F;
  const ImVec2 start{corner.x - width, corner.y - pen.size * 1.4F - height};
  const auto& map = active_map(configuration, mode);
  const bool reversed = configuration.boolean("color-reversed");
  draw_strip(pen, start, width, height, [&](float t) {
    return packed(shown(map.evaluate_srgb(reversed ? 1.0F - t : t), configuration));
  });
  const auto [low, high] = active_range(configuration, summary);
  const auto end = fmt::format("{:.4g}", high);
  const float baseline = corner.y - pen.size * 1.25F;
  pen.write({start.x, baseline}, fmt::format("{:.4g}", low));
  pen.write({corner.x - pen.width(end), baseline}, end);
  const auto label = unit_text(mode) + (configuration.boolean("color-log") ? ", log" : "");
  pen.write({start.x + 0.5F * (width - pen.width(label)), start.y - pen.size * 1.25F}, label);
}

}  // namespace

void draw_legend(ImDrawList& list, ImVec2 origin, ImVec2 size, float scale, const LegendInfo& info,
                 const SceneSummary& summary, const sim::Configuration& configuration) {
  const auto pen = picture_pen(list, 15.0F * scale, configuration.boolean("paper"));
  const float margin = 14.0F * scale;
  ImVec2 corner{origin.x + size.x - margin, origin.y + size.y - margin * 0.5F};
  const float x = origin.x + margin;
  pen.write({x, corner.y - pen.size * 2.6F},
            fmt::format("{}: {}", info.title, sim::counted(summary.bodies, "body", "bodies")));
  pen.write({x, corner.y - pen.size * 1.25F}, fmt::format("time {:.4g}, step {}", info.time, info.steps));
  if (info.map_largest) {
    const float used = draw_map_bar(pen, corner, info, summary, configuration);
    // Bodies that are hidden have no colours to explain.
    if (configuration.choice("map-view") == "instead") return;
    corner.y -= used;
  }
  const auto& mode = color_mode_of(configuration, summary);
  if (mode.categorical) {
    draw_components(pen, corner, summary, configuration);
  } else if (mode.name != "body") {
    draw_bar(pen, corner, mode, summary, configuration);
  }
}

}  // namespace orrery::app
