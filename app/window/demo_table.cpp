#include "app/window/demo_table.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>

#include "app/gui/gui.h"
#include "app/window/card.h"

namespace orrery::app {

namespace {

/// Where the columns end, as parts of the width; the first begins at 0.
constexpr std::array<float, 2> column_ends{0.76F, 1.0F};

void right(ImVec2 end, const ImVec4& color, float size, const std::string& text) {
  auto* font = ImGui::GetFont();
  const float width = font->CalcTextSizeA(size, FLT_MAX, 0.0F, text.c_str()).x;
  ImGui::GetWindowDrawList()->AddText(font, size, {end.x - width, end.y},
                                      ImGui::ColorConvertFloat4ToU32(color), text.c_str());
}

/// One line of the table.
void draw_row(const std::string& name, const std::string& value, const std::string& error,
              const ImVec4& color, float width, float height) {
  const float size = std::min(ImGui::GetFontSize(), 0.74F * height);
  const auto at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), size, at, ImGui::ColorConvertFloat4ToU32(color),
                                      name.c_str());
  right({at.x + column_ends[0] * width, at.y}, color, size, value);
  right({at.x + column_ends[1] * width, at.y}, color, size, error);
  ImGui::Dummy({width, height - ImGui::GetStyle().ItemSpacing.y});
}

void draw_table(const DemoComparison& compared, float width, float room, WidgetMap& widgets) {
  const float lines = static_cast<float>(compared.rows().size() + 1);
  const float row = std::min(1.5F * ImGui::GetFontSize(), room / lines);
  draw_row("", compared.quantity(), "force error", card_colors::dim, width, row);
  for (std::size_t k = 0; k < compared.rows().size(); ++k) {
    const auto& each = compared.rows()[k];
    const bool ends = k == 0 || k + 1 == compared.rows().size();
    draw_row((each.label.empty() ? each.step : each.label) + (each.busy ? " (busy)" : ""),
             compared.text(each), short_error(each.error),
             each.busy ? card_colors::amber
             : ends    ? card_colors::bright
                       : card_colors::text,
             width, row);
    widgets.note("closing-row:" + each.step);
  }
}

/// The last over the first, or why nothing can be said.
void draw_factor(const DemoComparison& compared, WidgetMap& widgets) {
  const auto factor = compared.factor();
  if (factor.says() == lab::Factor::Says::unknown) return;
  ImGui::PushFont(factor.counts() ? Gui::factor_font() : Gui::caption_font());
  const auto color = factor.says() == lab::Factor::Says::faster && !factor.is_rough() ? card_colors::green
                                                                                      : card_colors::amber;
  ImGui::TextColored(color, "%s", factor.text("\xC3\x97").c_str());
  ImGui::PopFont();
  widgets.note("closing-factor");
  const auto& rows = compared.rows();
  ImGui::TextColored(card_colors::text, "%s",
                     fmt::format("from {} to {}", rows.front().label, rows.back().label).c_str());
  if (std::ranges::any_of(rows, &DemoResult::busy))
    ImGui::TextColored(card_colors::amber, "The machine was busy with other programs: measure again.");
}

}  // namespace

void draw_closing(const DemoRun& run, float width, bool keys, WidgetMap& widgets) {
  const auto size = ImGui::GetIO().DisplaySize;
  const float unit = hall_scale({size.x, size.y});
  begin_card("##closing", {0.012F * size.x, 0.5F * size.y}, {0.0F, 0.5F}, {30.0F, 26.0F}, unit);
  width -= 20.0F * unit;
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  ImGui::PushFont(Gui::caption_font());
  ImGui::TextColored(card_colors::bright, "%s", run.step().caption.c_str());
  ImGui::PopFont();
  ImGui::PushFont(Gui::hall_font());
  const DemoComparison compared(run.results(), nullptr);
  draw_factor(compared, widgets);
  ImGui::Dummy({width, 0.4F * ImGui::GetFontSize()});
  draw_table(compared, width, 0.50F * size.y, widgets);
  ImGui::PopFont();
  if (keys) ImGui::TextColored(card_colors::dim, "Space ends     Esc takes over");
  ImGui::PopTextWrapPos();
  widgets.note(fmt::format("demo-step:{}", run.step().name));
  end_card();
}

}  // namespace orrery::app
