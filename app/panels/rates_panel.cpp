#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/gui/drawn_plot.h"
#include "app/gui/gui.h"
#include "app/gui/theme.h"
#include "app/live/headline.h"
#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"
#include "lab/bench/rates.h"

namespace orrery::app {

namespace {

/// The cores have other work as well when threads wait for one so much of the time.
constexpr double much_waiting = 0.1;
/// Rates that differ so much within a second say that something else computes.
constexpr double much_spread = 1.5;

/// Why the computing device is busy; empty if nothing seems to use it.
std::string why_busy(const Session& session) {
  const auto spread = session.rates().kernel_spread();
  const bool on_device = !session.frame().report.device.empty();
  if (const auto wait = session.processor_wait().share(); !on_device && wait && *wait > much_waiting) {
    return fmt::format(
        "The CPU is busy. In the last second the threads of this program waited {:.0f} % of their time for a "
        "core, because of other programs or of drawing. On an idle machine the rate is higher.",
        100.0 * *wait);
  }
  if (!spread || spread->high < much_spread * spread->low) return {};
  return fmt::format("The rate varies a lot. Other programs may be using the {} too.",
                     on_device ? "GPU" : "CPU");
}

/// From the slowest to the fastest of the last second, beside the label.
void kernel_spread(const PanelContext& context) {
  const auto& session = context.session;
  // At rest there is one rate: that of the headline.
  if (session.paused) return;
  const auto spread = session.rates().kernel_spread();
  const auto busy = why_busy(session);
  if (!spread && busy.empty()) return;
  const auto range =
      spread ? fmt::format("{} to {}", lab::rate_text(spread->low, 3), lab::rate_text(spread->high, 3))
             : std::string();
  ImGui::SameLine();
  if (busy.empty())
    ImGui::TextDisabled("%s", range.c_str());
  else
    ImGui::TextColored(doubtful_color(), "%s",
                       fmt::format("{}{}busy", range, range.empty() ? "" : ", ").c_str());
  context.widgets.note("kernel-spread");
  tooltip("From the slowest to the fastest frame of the last second." +
          (busy.empty() ? std::string() : "\n\n" + busy));
}

/// A line where what computes was switched.
void switch_marks(const lab::History& history, int offset) {
  const auto low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  for (int k = 0; k < history.count; ++k) {
    if (!history.marked.at(static_cast<std::size_t>((offset + k) % lab::History::capacity))) continue;
    const float x =
        low.x + (high.x - low.x) * static_cast<float>(k) / static_cast<float>(std::max(history.count - 1, 1));
    ImGui::GetWindowDrawList()->AddLine({x, low.y}, {x, high.y},
                                        ImGui::ColorConvertFloat4ToU32(doubtful_color()));
  }
}

/// A large number and its history beside it.
void rate(const char* label, double value, const lab::History& history, float scale, const char* meaning) {
  ImGui::BeginGroup();
  const float plot_start = ImGui::GetCursorPosX() + 105.0F * scale;
  text_in(Gui::large_font(), text_color(), lab::rate_text(value));
  // Rates with an exponent are longer.
  const float text_end = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x + ImGui::GetScrollX();
  ImGui::SameLine(std::max(plot_start, text_end + ImGui::GetStyle().ItemSpacing.x));
  const int offset = history.count < lab::History::capacity ? 0 : history.next;
  ImGui::PushID(label);
  // Negative widths mean nothing to plots.
  const ImVec2 size{std::max(ImGui::GetContentRegionAvail().x, 20.0F), 30.0F * scale};
  const float highest = history.largest() * 1.1F + 1e-6F;
  ImGui::PlotLines("##history", history.values.data(), history.count, offset, nullptr, 0.0F, highest, size);
  draw_value_lines({.low = 0.0, .high = double{highest}}, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  switch_marks(history, offset);
  ImGui::PopID();
  ImGui::EndGroup();
  tooltip(meaning);
}

void stage(const char* name, double milliseconds) {
  ImGui::TableNextColumn();
  ImGui::TextDisabled("%s", name);
  ImGui::TableNextColumn();
  ImGui::Text("%s", fmt::format("{:.2f}", milliseconds).c_str());
}

void stages(const PanelContext& context) {
  const auto& frame = context.session.frame();
  if (!ImGui::BeginTable("stages", 4)) return;
  stage("forces", mean_force_ms(context.session, context.session.rates().kernel_gips()));
  stage("draw", context.times.draw_ms);
  stage("update", frame.timings.update_ms);
  stage("panel", context.times.panel_ms);
  stage("publish", frame.timings.publish_ms);
  stage("show", context.times.swap_ms);
  stage("step", frame.step_ms);
  stage("frame", context.times.total_ms);
  ImGui::EndTable();
  tooltip(
      "Times in milliseconds.\n"
      "Left: a step of the simulation. It computes the forces, updates the bodies and publishes them for "
      "drawing.\n"
      "Right: a frame of the window. Frames are drawn independently of steps.");
  ImGui::TextDisabled("%s", fmt::format("all in ms. {:.1f} steps/s, {:.0f} frames/s",
                                        context.session.rates().steps_per_second(),
                                        context.times.total_ms > 0.0 ? 1000.0 / context.times.total_ms : 0.0)
                                .c_str());
  if (context.times.drawn_by.empty()) return;
  ImGui::PushTextWrapPos();
  ImGui::TextDisabled("%s", fmt::format("drawn by {}", context.times.drawn_by).c_str());
  ImGui::PopTextWrapPos();
  tooltip("What draws the bodies. Choose it under Look, Bodies: \"Drawn by\".");
  // Its line is there always: what is below must not move with the picture.
  if (!context.times.rough) return ImGui::TextUnformatted(" ");
  ImGui::TextColored(doubtful_color(), "Coarse glow while it moves: software OpenGL");
  context.widgets.note("coarse-glow");
  tooltip(
      "Exact frames take longer than 40 ms here. Stars are always drawn at full size; the light around them "
      "is exact again when the picture stands still.");
}

void draw_rates(PanelContext& context) {
  const auto& rates = context.session.rates();
  ImGui::TextDisabled("GInteractions/s, kernel");
  kernel_spread(context);
  rate("kernel", shown_gips(context.session, context.switching.watch()), rates.kernel_history(),
       context.scale,
       "Speed of the forces, in 1e9 interactions per second:\nthe interactions of the force evaluations over "
       "the time of these evaluations. An evaluation of N bodies has N x N interactions. A tree counts those "
       "that it evaluates, of a body with a body or a cell.\nThe curve shows the history, from 0.");
  ImGui::TextDisabled("GInteractions/s, whole frame");
  rate("frame", rates.frame_gips(), rates.frame_history(), context.scale,
       "Interactions over all the time that passed: forces, updates, publishing, drawing and waiting.\nNever "
       "higher than the rate of the kernel.");
  stages(context);
}

}  // namespace

extern const Panel rates_panel{"Performance", true, draw_rates, PanelTab::measure};

}  // namespace orrery::app
