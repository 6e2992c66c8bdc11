#include <fmt/format.h>
#include <imgui.h>

#include <utility>

#include "app/gui/theme.h"
#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"
#include "lab/bench/counted_limits.h"
#include "lab/bench/engine_facts.h"

namespace orrery::app {

namespace {

/// How near the rate comes to the first limit, and to what the kernel's own instructions allow.
void limits(const sim::EngineReport& report, double gips) {
  if (report.limits.empty()) return;
  const auto& first = report.limits.front();
  const auto text = first.gips > 0.0 ? fmt::format("{:.0f} % of the {} of {:.0f} GInteractions/s",
                                                   100.0 * gips / first.gips, first.label, first.gips)
                                     : fmt::format("{}: not known", first.label);
  ImGui::TextUnformatted(text.c_str());
  tooltip(std::string(first.hint));
  ImGui::TextWrapped("%s", lab::counted_text(report, gips).c_str());
  tooltip(
      "Counted in the machine code of this kernel: the instructions of its main loop, for each "
      "interaction.\n"
      "In a clock a multiprocessor issues 128 instructions (4 warps) and computes 16 special functions "
      "(MUFU).\n"
      "Rare branches and code outside the loop are not counted.");
}

/// One beside the other as far as there is room.
void facts(const sim::EngineReport& report) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  ImGui::PushTextWrapPos();
  bool first = true;
  for (const auto& fact : report.facts) {
    const auto text = lab::fact_text(fact);
    if (text.empty()) continue;
    const float gap = 2.0F * ImGui::GetStyle().ItemSpacing.x;
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    if (!std::exchange(first, false) && ImGui::GetItemRectMax().x + gap + width < right)
      ImGui::SameLine(0.0F, gap);
    ImGui::TextUnformatted(text.c_str());
    if (!fact.hint.empty()) tooltip(std::string(fact.hint));
  }
  ImGui::PopTextWrapPos();
}

void report_section(const sim::EngineReport& report, double gips) {
  if (!report.device.empty()) {
    const auto devices = report.devices > 1 ? fmt::format(", {} devices", report.devices) : std::string();
    ImGui::TextWrapped("%s", (report.device + devices).c_str());
  }
  limits(report, gips);
  facts(report);
  if (report.compiling) ImGui::TextDisabled("compiling another kernel; this one runs on");
}

void problem(const std::string& text) {
  if (text.empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, wrong_color());
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopStyleColor();
}

/// The switches of an engine that this machine lacks can be read all the same.
void switches_of(PanelContext& context, const std::string& engine, const std::string& reason) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  const bool open = ImGui::TreeNode(engine.c_str(), "switches of %s: not here", engine.c_str());
  context.widgets.note("unavailable:" + engine);
  tooltip(reason);
  if (open) ImGui::TextWrapped("%s", reason.c_str());
  ImGui::PopStyleColor();
  if (!open) return;
  for (const auto& option : context.session.table().options())
    if (option.group == engine) option_widget(context, option, reason);
  ImGui::TreePop();
}

void unavailable_engines(PanelContext& context) {
  const auto& session = context.session;
  const auto& engines = session.table().at("engine");
  for (const auto& engine : engines.choices) {
    if (engine == session.configuration.choice("engine")) continue;
    const auto reason =
        session.table().refusal(engines, engine, session.configuration, session.context());
    if (!reason.empty()) switches_of(context, engine, reason);
  }
}

void draw(PanelContext& context) {
  const auto& session = context.session;
  // Copied: a widget may change it.
  const std::string engine = session.configuration.choice("engine");
  option_groups(context, {"engine", engine});
  unavailable_engines(context);
  if (!session.has_dataset()) return;
  report_section(session.frame().report, session.rates().kernel_gips());
  problem(session.frame().report.problem);
  if (!session.drawn_how().empty()) ImGui::TextWrapped("%s", session.drawn_how().c_str());
  problem(session.frame().problem);
}

}  // namespace

extern const Panel engine_panel{"Engine", true, draw, PanelTab::run};

}  // namespace orrery::app
