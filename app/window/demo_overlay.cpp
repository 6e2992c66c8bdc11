#include "app/window/demo_overlay.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/gui/gui.h"
#include "app/window/card.h"

namespace orrery::app {

namespace {

const ImVec4 bright{0.95F, 0.96F, 0.99F, 1.0F};
const ImVec4 dim{0.62F, 0.66F, 0.74F, 1.0F};
const ImVec4 amber{0.98F, 0.75F, 0.25F, 1.0F};

/// The first line of a caption is large, what follows is of normal size.
void caption(const std::string& text, float width) {
  const auto end = std::min(text.find('\n'), text.size());
  ImGui::PushTextWrapPos(width);
  ImGui::PushFont(Gui::large_font());
  ImGui::TextUnformatted(text.substr(0, end).c_str());
  ImGui::PopFont();
  if (end < text.size()) {
    ImGui::PushStyleColor(ImGuiCol_Text, {0.80F, 0.83F, 0.89F, 1.0F});
    ImGui::TextUnformatted(text.substr(end + 1).c_str());
    ImGui::PopStyleColor();
  }
  ImGui::PopTextWrapPos();
}

/// A thin line that fills while the step has its time; amber while a median is waited for.
void progress(const DemoRun& run, float width, float scale, DemoRun::Clock::time_point now) {
  const auto part = static_cast<float>(run.progress(now));
  const bool measuring = part >= 1.0F && run.waits_for_median();
  const auto corner = ImGui::GetCursorScreenPos();
  const float height = 3.0F * scale;
  auto& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, {corner.x + width, corner.y + height}, IM_COL32(255, 255, 255, 36), height);
  list.AddRectFilled(corner, {corner.x + part * width, corner.y + height},
                     ImGui::ColorConvertFloat4ToU32(measuring ? amber : ImVec4{0.45F, 0.66F, 1.0F, 1.0F}),
                     height);
  ImGui::Dummy({width, height});
}

/// Where the demonstration is, on the left; what can be done, on the right.
void foot(const DemoRun& run, bool keys, float width, WidgetMap& widgets) {
  ImGui::TextColored(dim, "%s",
                     fmt::format("{}   {} / {}", run.demo().title, run.current() + 1, run.count()).c_str());
  widgets.note(fmt::format("demo-step:{}", run.step().name));
  if (!keys) return;
  const char* next = run.waits_for_median()            ? "measuring"
                     : run.current() + 1 < run.count() ? "Space goes on"
                                                       : "Space ends";
  const auto text = fmt::format("{}     Esc takes over", next);
  ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + width - ImGui::CalcTextSize(text.c_str()).x);
  ImGui::TextColored(run.ready() ? bright : dim, "%s", text.c_str());
}

}  // namespace

void draw_demo(float left, float scale, const DemoRun& run, bool keys, WidgetMap& widgets,
               DemoRun::Clock::time_point now) {
  if (!run.playing()) return;
  const auto size = ImGui::GetIO().DisplaySize;
  const float width = std::clamp(0.72F * (size.x - left), 60.0F, 900.0F * scale);
  // What is written below grows with the picture.
  const float above_legend = 0.115F * size.y;
  begin_card("##demo", {0.5F * (left + size.x), size.y - above_legend}, {0.5F, 1.0F}, {22.0F, 14.0F}, scale);
  caption(run.step().caption, ImGui::GetCursorPosX() + width);
  widgets.note("demo-caption");
  if (!run.refusal().empty()) {
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    ImGui::TextColored(amber, "Not possible here: %s", run.refusal().c_str());
    ImGui::PopTextWrapPos();
  }
  ImGui::Spacing();
  progress(run, width, scale, now);
  foot(run, keys, width, widgets);
  end_card();
}

}  // namespace orrery::app
