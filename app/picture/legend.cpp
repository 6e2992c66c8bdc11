#include "app/picture/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "app/gui/imgui_compat.h"
#include "app/picture/painter.h"
#include "app/picture/picture_style.h"
#include "app/picture/star_style.h"
#include "lab/plots/axis.h"
#include "render/bodies/body_renderer.h"
#include "render/color_maps/color_map.h"
#include "render/color_maps/color_space.h"
#include "render/color_modes/color_mode.h"
#include "render/light/tone_mapper.h"
#include "sim/activity/map_options.h"
#include "sim/core/counted.h"

namespace orrery::app {

namespace {

constexpr float row = 1.3F;  // lines of texts, in heights of one

/// A colour of the picture's bodies as it is shown: on paper as ink.
glm::vec3 shown(const glm::vec3& srgb, bool paper) { return paper ? render::inked(srgb) : srgb; }

ImU32 packed(const glm::vec3& srgb) { return ImGui::ColorConvertFloat4ToU32({srgb.r, srgb.g, srgb.b, 1.0F}); }

/// Linear light to sRGB, near enough for a colour swatch.
glm::vec3 swatch(const glm::vec3& linear) {
  const float largest = std::max({linear.r, linear.g, linear.b, 1e-6F});
  return glm::pow(linear / largest, glm::vec3(1.0F / 2.2F));
}

const render::ColorMap& active_map(const Look& look, const render::ColorMode& mode) {
  const auto& name = look.color.map;
  const auto* map = render::find_color_map(name == "auto" ? mode.default_map : std::string_view(name));
  return map != nullptr ? *map : *render::color_maps().front();
}

/// The values of a colour bar, from its left to its right end.
struct ColorBar {
  std::string title;
  plots::Axis axis;
  std::function<ImU32(float place)> color;
  /// Where there are numbers; empty: at round values.
  std::vector<std::pair<float, std::string>> marks = {};
  /// Colours of values below and above the range and of NaN, if the map has such colours.
  std::optional<ImU32> under = {}, over = {}, no_number = {};
};

std::vector<std::pair<float, std::string>> marks_of(const ColorBar& bar) {
  if (!bar.marks.empty()) return bar.marks;
  std::vector<std::pair<float, std::string>> marks;
  for (const auto& tick : plots::ticks(bar.axis, 5))
    marks.emplace_back(static_cast<float>(bar.axis.place(tick.value)), tick.text);
  return marks;
}

void draw_strip(const OverlaySheet& sheet, const OverlayBox& box, const ColorBar& bar) {
  constexpr int pieces = 64;
  const float width = box.to.x - box.from.x;
  for (int k = 0; k < pieces; ++k) {
    const float left = static_cast<float>(k) / pieces, right = static_cast<float>(k + 1) / pieces;
    const auto from = bar.color(left), to = bar.color(right);
    sheet.list.AddRectFilledMultiColor({box.from.x + left * width, box.from.y},
                                       {box.from.x + right * width, box.to.y}, from, to, to, from);
  }
  const float thin = sheet.thin();
  sheet.list.AddRect({box.from.x - 0.5F * thin, box.from.y - 0.5F * thin},
                     {box.to.x + 0.5F * thin, box.to.y + 0.5F * thin}, sheet.style.line, 0.0F, 0, thin);
}

/// Triangles that point out of the bar, in the colours of what lies outside.
void draw_ends(const OverlaySheet& sheet, const OverlayBox& box, const ColorBar& bar) {
  const float half = 0.5F * (box.to.y - box.from.y), middle = box.from.y + half;
  const float gap = 2.0F * sheet.thin();
  const auto draw = [&](float x, float way, ImU32 color) {
    const ImVec2 tip{x + 1.3F * way * half, middle}, upper{x, box.from.y}, lower{x, box.to.y};
    sheet.list.AddTriangleFilled(tip, upper, lower, color);
    sheet.list.AddTriangle(tip, upper, lower, sheet.style.line, sheet.thin());
  };
  if (bar.under) draw(box.from.x - gap, -1.0F, *bar.under);
  if (bar.over) draw(box.to.x + gap, 1.0F, *bar.over);
}

/// Above the title. Returns how high it is.
float draw_no_number(const OverlaySheet& sheet, ImVec2 middle_bottom, ImU32 color) {
  const auto pen = small_pen(sheet);
  const char* text = "no number";
  const float radius = 0.3F * sheet.line();
  const float left = middle_bottom.x - 0.5F * pen.width(text);
  const float top = middle_bottom.y - 1.2F * sheet.line();
  const ImVec2 dot{left - 1.5F * radius, top + 0.5F * pen.size()};
  sheet.list.AddCircleFilled(dot, radius, color);
  sheet.list.AddCircle(dot, radius, sheet.style.line, 0, sheet.thin());
  pen.write({left, top}, text);
  return 1.2F * sheet.line();
}

/// Those for which there is room, under their positions.
void write_marks(const OverlaySheet& sheet, const OverlayBox& box, const ColorBar& bar, float right_end) {
  const auto pen = small_pen(sheet);
  float end = -1e9F;
  for (const auto& [place, text] : marks_of(bar)) {
    const float x = box.from.x + place * (box.to.x - box.from.x);
    const float width = pen.width(text);
    const float left = std::min(x - 0.5F * width, right_end - width);
    if (left < end + 0.5F * pen.size()) continue;
    sheet.list.AddLine({x, box.to.y + sheet.thin()}, {x, box.to.y + 0.3F * sheet.line()}, sheet.style.line,
                       sheet.thin());
    pen.write({left, box.to.y + 0.35F * sheet.line()}, text);
    end = left + width;
  }
}

/// Above `corner`, which is at the right. Returns how high it is.
float draw_bar(const OverlaySheet& sheet, ImVec2 corner, float most_wide, const ColorBar& bar) {
  const float line = sheet.line();
  const auto pen = text_pen(sheet);
  const float width = std::min(std::max(16.0F * line, pen.width(bar.title)), most_wide);
  // Room for what points out of it.
  if (bar.over) corner.x -= line;
  const float bottom = corner.y - 0.45F * line - letter_height(*sheet.small);
  const OverlayBox box{{std::round(corner.x - width), std::round(bottom - 0.75F * line)},
                       {std::round(corner.x), std::round(bottom)}};
  draw_strip(sheet, box, bar);
  draw_ends(sheet, box, bar);
  write_marks(sheet, box, bar, corner.x + 0.6F * line);
  const auto title = pen.fitted(bar.title, width);
  float top = box.from.y - 1.25F * line;
  pen.write({box.to.x - 0.5F * (width + pen.width(title)), top}, title);
  if (bar.no_number) top -= draw_no_number(sheet, {box.to.x - 0.5F * width, top}, *bar.no_number);
  sheet.taken.push_back({{box.from.x, top}, corner});
  return corner.y - top;
}

/// A quantity's name with its unit, and the factor to that unit.
std::pair<std::string, double> in_unit(const render::ColorMode& mode, float largest,
                                       const sim::PhysicalUnits& units) {
  sim::Measure unit;
  if (mode.dimension == "velocity") unit = sim::velocity_measure(units);
  if (mode.dimension == "length") unit = sim::length_measure(double{largest}, units);
  if (!unit.name.empty()) return {fmt::format("{} ({})", mode.quantity, unit.name), unit.factor};
  const bool plain = mode.dimension.empty();
  return {plain ? std::string(mode.quantity) : fmt::format("{} (dataset's units)", mode.quantity), 1.0};
}

/// Marks both ends of a range with a single value, which has no position on an axis.
void mark_both_ends(ColorBar& bar, double low, double high) {
  bar.marks = {{0.0F, plots::short_number(low)}, {1.0F, plots::short_number(high)}};
}

/// The colours of what lies outside, as the options say.
void set_outside(ColorBar& bar, const Look& look) {
  const auto outside = look.color.outside();
  const auto own = [&](std::size_t which) -> std::optional<ImU32> {
    const auto& color = outside.at(which);
    if (color.a == 0.0F) return std::nullopt;
    return packed(shown(render::srgb_encode(glm::vec3(color)), look.light.paper));
  };
  bar.under = own(0);
  bar.over = own(1);
  bar.no_number = own(2);
}

ColorBar bar_of(const render::ColorMode& mode, const SceneSummary& summary, const Look& look,
                const sim::PhysicalUnits& units) {
  const auto [low, high] = active_range(look, summary);
  auto [title, factor] = in_unit(mode, std::max(std::abs(low), std::abs(high)), units);
  const auto* map = &active_map(look, mode);
  ColorBar bar{.title = std::move(title),
               .axis = {.label = {}, .low = factor * double{low}, .high = factor * double{high}},
               .color = [map, reversed = look.color.is_reversed(), paper = look.light.paper](float t) {
                 return packed(shown(map->evaluate_srgb(reversed ? 1.0F - t : t), paper));
               }};
  const bool logarithmic = look.color.is_logarithmic() && low > 0.0F && high > 0.0F;
  if (logarithmic) bar.axis.scale = plots::Scale::logarithmic;
  set_outside(bar, look);
  const auto& axis = bar.axis;
  const bool narrow =
      std::abs(axis.high - axis.low) < 1e-6 * std::max(std::abs(axis.low), std::abs(axis.high));
  if (narrow || axis.high < axis.low || !std::isfinite(axis.high - axis.low))
    mark_both_ends(bar, axis.low, axis.high);
  return bar;
}

/// The colour bar of the activity map.
ColorBar map_bar(const LegendInfo& info, const SceneSummary& summary, const Look& look) {
  const auto shown_map = map_look(look, summary.bodies);
  constexpr std::size_t shades = 256;
  const auto colors = render::map_shades(shown_map, shades);
  const bool counts = look.counted.says_counts();
  ColorBar bar{
      .title = fmt::format("{}, {} × {}{}", counts ? "bodies a cell" : "count / N × D", look.counted.size,
                           look.counted.size, shown_map.logarithmic ? ", log" : ""),
      .axis = {},
      .color = [colors](float t) {
        return packed(render::srgb_encode(colors[static_cast<std::size_t>(t * (shades - 1))]));
      }};
  mark_both_ends(bar, 0.0,
                 double{shown_map.highest > 0.0F ? shown_map.highest : info.map_largest.value_or(0.0F)});
  return bar;
}

/// Dots, names and, in a column of their own, numbers.
void draw_components(const OverlaySheet& sheet, ImVec2 corner, const SceneSummary& summary,
                     const Look& look) {
  const auto palette = render::BodyStyle::default_palette();
  const auto pen = text_pen(sheet);
  auto numbers = pen;
  numbers.color = sheet.style.soft;
  std::vector<std::size_t> drawn;
  // What gives no light is there all the same: of galaxies, most of the mass.
  const auto label = [&](std::size_t i) {
    return summary.component_labels.at(i) + (shines(i, look.stars, summary) ? "" : ", dark");
  };
  float name_width = 0.0F, number_width = 0.0F;
  for (std::size_t i = 0; i < sim::component_count; ++i) {
    const std::string name(sim::component_name(static_cast<sim::Component>(i)));
    if (summary.components.at(i) == 0 || !sim::lists(look.picture.show, name)) continue;
    drawn.push_back(i);
    name_width = std::max(name_width, pen.width(label(i)));
    number_width = std::max(number_width, pen.width(sim::grouped(summary.components.at(i))));
  }
  const float line = sheet.line();
  const float left = corner.x - number_width - 0.8F * line - name_width;
  float y = corner.y - line - row * line * (static_cast<float>(drawn.size()) - 1.0F);
  if (!drawn.empty()) sheet.taken.push_back({{left - line, y}, corner});
  for (const auto i : drawn) {
    const auto count = sim::grouped(summary.components.at(i));
    const ImVec2 dot{left - 0.7F * line, y + 0.52F * line};
    sheet.list.AddCircleFilled(dot, 0.34F * line + sheet.thin(), sheet.style.halo);
    const auto color = packed(shown(swatch(palette.at(i)), look.light.paper));
    if (shines(i, look.stars, summary))
      sheet.list.AddCircleFilled(dot, 0.34F * line, color);
    else
      sheet.list.AddCircle(dot, 0.3F * line, sheet.style.soft, 0, 1.5F * sheet.thin());
    pen.write({left, y}, label(i));
    numbers.write({corner.x - numbers.width(count), y}, count);
    y += row * line;
  }
}

/// Colours that stand for nothing but themselves: a line that says so.
void draw_color_caption(const OverlaySheet& sheet, ImVec2 corner, float width, const render::ColorMode& mode,
                        const SceneSummary& summary) {
  const bool all = summary.colored == summary.bodies;
  const auto whole = all ? std::string(mode.quantity)
                         : fmt::format("{} ({} of {} bodies)", mode.quantity, sim::grouped(summary.colored),
                                       sim::grouped(summary.bodies));
  const auto pen = text_pen(sheet);
  const auto text = pen.fitted(whole, width);
  const ImVec2 from{corner.x - pen.width(text), corner.y - sheet.line()};
  sheet.taken.push_back({from, corner});
  pen.write(from, text);
}

}  // namespace

float draw_title(const OverlaySheet& sheet, ImVec2 corner, const LegendInfo& info,
                 const SceneSummary& summary, const sim::PhysicalUnits& units) {
  const auto pen = text_pen(sheet);
  auto state = pen;
  state.color = sheet.style.soft;
  const float most = 0.6F * sheet.free_width();
  const auto bodies =
      fmt::format("{} {}", sim::grouped(summary.bodies), summary.bodies == 1 ? "body" : "bodies");
  const auto first = fmt::format("{}: {}", pen.fitted(info.title, most - pen.width(": " + bodies)), bodies);
  const auto what =
      info.snapshot > 0 ? fmt::format("snapshot {}", info.snapshot) : fmt::format("step {}", info.steps);
  const auto second = fmt::format("{}, {}", sim::time_text(info.time, units), what);
  float top = corner.y - (1.0F + row) * sheet.line();
  pen.write({corner.x, top}, first);
  state.write({corner.x, corner.y - sheet.line()}, second);
  const float width = std::max(pen.width(first), sheet.room_for(state.width(second)));
  sheet.taken.push_back({{corner.x, top}, {corner.x + width, corner.y}});
  if (info.problem.empty()) return corner.y - top;
  const auto problem = pen.fitted(info.problem, 0.95F * sheet.free_width());
  top -= row * sheet.line();
  pen.write({corner.x, top}, problem);
  sheet.taken.push_back({{corner.x, top}, {corner.x + pen.width(problem), top + sheet.line()}});
  return corner.y - top;
}

void draw_color_key(const OverlaySheet& sheet, ImVec2 corner, float width, const LegendInfo& info,
                    const SceneSummary& summary, const Look& look, const sim::PhysicalUnits& units) {
  if (info.map_largest) {
    corner.y -= draw_bar(sheet, corner, width, map_bar(info, summary, look)) + 0.8F * sheet.line();
    // Bodies that are hidden have no colours to explain.
    if (!look.has_map_over_bodies()) return;
  }
  const auto& mode = color_mode_of(look, summary);
  if (mode.is_color) {
    draw_color_caption(sheet, corner, width, mode, summary);
  } else if (mode.categorical) {
    draw_components(sheet, corner, summary, look);
  } else if (!mode.fixed_range) {
    draw_bar(sheet, corner, width, bar_of(mode, summary, look, units));
  }
}

}  // namespace orrery::app
