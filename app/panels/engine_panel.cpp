#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/theme.h"
#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"
#include "lab/bench/engine_facts.h"
#include "lab/bench/rates.h"
#include "sim/options/engine_option.h"
#include "sim/options/tree_options.h"

namespace orrery::app {

namespace {

/// The rate as percentages of the first limit and of the limit set by the kernel's own instructions.
void limits(const sim::EngineReport& report, double gips) {
  if (report.limits.empty()) return;
  const auto& first = report.limits.front();
  const auto text = first.gips > 0.0
                        ? fmt::format("{:.0f} % of the {} of {} GInteractions/s", 100.0 * gips / first.gips,
                                      first.label, lab::rate_text(first.gips))
                        : fmt::format("{}: not known", first.label);
  ImGui::TextUnformatted(text.c_str());
  tooltip(std::string(first.hint));
  wrapped_text(lab::counted_text(report, gips));
  tooltip(
      "Counted in the machine code of this kernel: the instructions of its main loop, for each "
      "interaction.\nPer clock, a multiprocessor issues 128 instructions (4 warps) and computes 16 special "
      "functions (MUFU).\nRare branches and code outside the loop are not counted.");
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
    wrapped_text(report.device + devices);
  }
  limits(report, gips);
  facts(report);
  if (report.compiling) ImGui::TextDisabled("compiling another kernel; this one runs on");
}

void problem(const std::string& text) {
  if (!text.empty()) wrapped_text(wrong_color(), text);
}

/// Tuning tries these last, or never.
bool is_fine(const PanelContext& context, const sim::Option& option) {
  constexpr int last_coarse_rank = 20;
  const bool coarse = option.tuning_rank > 0 && option.tuning_rank <= last_coarse_rank;
  // What is not as usual is to be seen.
  const auto& configuration = context.session.configuration;
  return !coarse && option.group != "engine" && option.name != "precision" &&
         configuration.value(option.name) == option.default_value;
}

/// The switches for which the window has rows, beside the rest of this tab.
std::ptrdiff_t rows_for_switches() {
  constexpr std::ptrdiff_t rest = 26;
  constexpr std::ptrdiff_t least = 5;
  const auto rows = std::floor(ImGui::GetIO().DisplaySize.y / ImGui::GetFrameHeightWithSpacing());
  return std::max(static_cast<std::ptrdiff_t>(rows) - rest, least);
}

/// Where there are that many switches that the panel would have to be scrolled; null: all may show.
OptionTest finer_switches(const PanelContext& context) {
  const auto& session = context.session;
  const auto shown = std::ranges::count_if(session.table().options(), [&](const sim::Option& option) {
    return sim::is_of_engine(option, session.configuration) && sim::applies(option, session.configuration);
  });
  return shown > rows_for_switches() ? is_fine : nullptr;
}

/// The switches of an engine that this machine lacks can be read all the same.
void switches_of(PanelContext& context, const std::string& engine, const std::string& reason) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  heighten_for_fingers();
  const bool open = ImGui::TreeNode(engine.c_str(), "%s: not on this machine", engine.c_str());
  context.widgets.note("unavailable:" + engine);
  tooltip(reason);
  if (open) wrapped_text(reason);
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
    if (engine == sim::engine_group(session.configuration)) continue;
    const auto reason = session.refusal(engines, engine);
    if (!reason.empty()) switches_of(context, engine, reason);
  }
}

void draw_engine(PanelContext& context) {
  const auto& session = context.session;
  // Copied: a widget may change it.
  const std::string engine = sim::engine_group(session.configuration);
  option_groups(context, {"engine", engine, sim::tree_options_group}, nullptr, finer_switches(context));
  unavailable_engines(context);
  if (!session.has_dataset()) return;
  problem(session.frame().report.problem);
  problem(session.frame().problem);
}

/// Some facts are for JSON only.
bool tells_nothing(const sim::EngineReport& report) {
  return report.device.empty() && report.limits.empty() &&
         std::ranges::all_of(report.facts, [](const auto& fact) { return lab::fact_text(fact).empty(); });
}

/// The limits that the engine reports.
void draw_limits(PanelContext& context) {
  const auto& session = context.session;
  if (!session.has_dataset()) return;
  const auto& report = session.frame().report;
  if (tells_nothing(report)) ImGui::TextDisabled("GPU only");
  report_section(report, session.rates().kernel_gips());
  if (!session.drawn_how().empty()) wrapped_text(session.drawn_how());
}

}  // namespace

extern const Panel limits_panel{"Device and limits", true, draw_limits, PanelTab::measure};
extern const Panel engine_panel{"Engine", true, draw_engine, PanelTab::run};

}  // namespace orrery::app
