#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/gui/plot_axes.h"
#include "app/gui/theme.h"
#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"
#include "lab/bench/rates.h"
#include "lab/ladders/ladder_benchmark.h"

namespace orrery::app {

namespace {

/// Speed-ups and rates say more than the seconds of a problem of another size.
bool compares(const lab::PublishedFigure& figure) { return figure.speedup > 0.0 || figure.gips > 0.0; }

/// The figure for the size that is nearest to the present dataset's, or nullptr.
const lab::PublishedFigure* nearest_figure(const lab::Rung& rung, const sim::OptionContext& context) {
  const auto interactions = [](double bodies, double galaxies) { return bodies * bodies * galaxies; };
  const auto galaxies = static_cast<double>(std::max<std::size_t>(context.galaxies, 1));
  const double here = interactions(static_cast<double>(context.bodies) / galaxies, galaxies);
  const lab::PublishedFigure* best = nullptr;
  double least = 0.0;
  for (const auto& figure : rung.published) {
    const double there =
        interactions(static_cast<double>(figure.bodies), static_cast<double>(figure.galaxies));
    const double distance = std::abs(std::log(std::max(there, 1.0) / std::max(here, 1.0)));
    if (best != nullptr && compares(*best) && !compares(figure)) continue;
    const bool says_more = best != nullptr && compares(figure) && !compares(*best);
    if (best != nullptr && !says_more && distance >= least) continue;
    best = &figure;
    least = distance;
  }
  return best;
}

/// The speed-up over the first rung where the report's numbers give it; in brackets one over another rung.
std::string published_text(const lab::Ladder& ladder, const lab::PublishedFigure* figure) {
  if (figure == nullptr) return {};
  std::string text;
  if (const double speedup = lab::published_speedup(ladder, *figure); speedup > 0.0)
    text = speedup >= 100.0 ? fmt::format("{:.0f}x", speedup) : fmt::format("{:.3g}x", speedup);
  else if (figure->speedup > 0.0)
    text = fmt::format("({:.3g}x)", figure->speedup);
  if (figure->gips > 0.0)
    text += fmt::format("{}{}", text.empty() ? "" : "  ", lab::rate_text(figure->gips, 3));
  if (text.empty() && figure->seconds > 0.0) text = fmt::format("{:.3g} s", figure->seconds);
  return text.empty() && !figure->remark.empty() ? "see tip" : text;
}

/// "@8192" after a figure of another number of bodies than the present galaxies have.
std::string other_size(const lab::PublishedFigure* figure, const sim::OptionContext& context) {
  const auto here = context.bodies / std::max<std::size_t>(context.galaxies, 1);
  return figure == nullptr || figure->bodies == here ? "" : fmt::format(" @{}", figure->bodies);
}

std::string figure_line(const lab::PublishedFigure& figure) {
  std::string text = figure.bodies > 0 ? fmt::format("{} x {} bodies:", figure.galaxies, figure.bodies) : "";
  if (figure.seconds > 0.0) text += fmt::format(" {:.4g} s", figure.seconds);
  if (figure.gips > 0.0) text += fmt::format(" {} GInteractions/s", lab::rate_text(figure.gips));
  if (figure.speedup > 0.0) text += fmt::format(" {:.4g}x", figure.speedup);
  if (figure.memory_mb > 0.0) text += fmt::format(" {:.4g} MB of device memory", figure.memory_mb);
  if (!figure.with.empty()) text += fmt::format(", with {}", figure.with);
  if (!figure.remark.empty()) text += fmt::format(" ({})", figure.remark);
  return text;
}

/// True if a step is a matter of seconds.
bool slow(const RungState& state) { return state.measured && state.seconds >= 1.0; }

std::string rung_help(const lab::Rung& rung, const RungState& state) {
  auto text = rung.name + ": " + rung.text;
  if (!state.refusal.empty()) text += "\n\nIt cannot run here: " + state.refusal;
  if (!state.too_slow.empty())
    text += "\n\nNot measured: " + state.too_slow + ". A click sets it all the same.";
  if (state.measured) {
    text += fmt::format("\n\nMeasured here: {} GInteractions/s in the kernel, {} in whole frames.",
                        lab::rate_text(state.gips_kernel), lab::rate_text(state.gips_frame));
    if (slow(state)) text += fmt::format(" One step takes {:.3g} s.", state.seconds);
  }
  if (!rung.settings.empty()) text += "\n\nSets:";
  for (const auto& [name, value] : rung.settings) text += fmt::format(" {}={}", name, value);
  if (!rung.published.empty())
    text += fmt::format("\n\nPublished{}:", rung.hardware.empty() ? "" : " (" + rung.hardware + ")");
  for (const auto& figure : rung.published) text += "\n" + figure_line(figure);
  return text;
}

double fastest_rung(const LadderClimb& climb) {
  double fastest = 0.0;
  for (const auto& state : climb.rungs()) fastest = std::max(fastest, state.gips_kernel);
  return fastest;
}

/// The rate of the first rung that was measured: what speed-ups are against.
double first_rate(const LadderClimb& climb) {
  for (const auto& state : climb.rungs()) {
    if (state.measured) return state.gips_kernel;
  }
  return 0.0;
}

/// A bar from 0 to the fastest rung, with rate and speed-up in it.
void rate_bar(const RungState& state, double fastest, double first, bool standing) {
  const ImVec2 size{std::max(ImGui::GetContentRegionAvail().x, 20.0F), ImGui::GetTextLineHeight()};
  const auto corner = ImGui::GetCursorScreenPos();
  if (!state.refusal.empty()) return ImGui::TextUnformatted("not here");
  if (!state.too_slow.empty()) return ImGui::TextDisabled("%s", state.too_slow.c_str());
  ImGui::Dummy(size);
  if (!state.measured) return;
  auto& canvas = *ImGui::GetWindowDrawList();
  const auto part = static_cast<float>(state.gips_kernel / std::max(fastest, 1e-12));
  const ImVec2 end{corner.x + size.x * part, corner.y + size.y};
  canvas.AddRectFilled(corner, end, standing ? running_bar_color() : bar_color(), 2.0F);
  const auto text = slow(state) ? fmt::format("{:.2g} s per step", state.seconds)
                                : fmt::format("{}  {:.2g}x", lab::rate_text(state.gips_kernel, 3),
                                              state.gips_kernel / first);
  canvas.PushClipRect(corner, {corner.x + size.x, corner.y + size.y}, true);
  canvas.AddText({corner.x + 4.0F, corner.y}, ImGui::GetColorU32(ImGuiCol_Text), text.c_str());
  canvas.PopClipRect();
}

/// Scrolls to the rung that was reached.
void follow(PanelContext& context, std::size_t k) {
  auto& seen = context.layout.rung_seen;
  if (context.laboratory.ladder.rung() != k || seen == k) return;
  ImGui::SetScrollHereY(0.5F);
  seen = k;
}

void rung_row(PanelContext& context, std::size_t k, double fastest, double first) {
  auto& laboratory = context.laboratory;
  auto& climb = laboratory.ladder;
  const auto& rung = climb.ladder().rungs[k];
  const auto& state = climb.rungs()[k];
  const bool refused = !state.refusal.empty();
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, refused ? 0.45F : 1.0F);
  constexpr auto flags = ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowItemOverlap;
  if (ImGui::Selectable(rung.name.c_str(), climb.rung() == k, flags))
    climb.climb_to(context.session, laboratory.experiment, k);
  context.widgets.note("rung:" + rung.name);
  if (state.measured) context.widgets.note("rung-measured:" + rung.name);
  if (ImGui::IsItemHovered()) tooltip(rung_help(rung, state));
  follow(context, k);
  ImGui::TableNextColumn();
  rate_bar(state, fastest, first, climb.rung() == k);
  ImGui::TableNextColumn();
  if (state.measured) ImGui::TextUnformatted(lab::rate_text(state.gips_frame, 3).c_str());
  ImGui::TableNextColumn();
  const auto* figure = nearest_figure(rung, context.session.context());
  const auto text = published_text(climb.ladder(), figure);
  ImGui::TextDisabled("%s%s", text.c_str(), other_size(figure, context.session.context()).c_str());
  ImGui::PopStyleVar();
}

/// Below the bars: from 0 to the fastest rung.
void rate_axis(double fastest) {
  if (fastest <= 0.0) return;
  ImGui::TableNextRow();
  ImGui::TableSetColumnIndex(1);
  const auto corner = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x, 20.0F);
  draw_x_axis(*ImGui::GetWindowDrawList(), {.low = 0.0, .high = fastest}, corner, width);
  ImGui::Dummy({1.0F, ImGui::GetTextLineHeight()});
}

void rungs(PanelContext& context) {
  const auto& climb = context.laboratory.ladder;
  constexpr auto flags = ImGuiTableFlags_RowBg;
  if (!ImGui::BeginTable("rungs", 4, flags)) return;
  // Names and numbers are never cut off: the bars get what is left.
  ImGui::TableSetupColumn("rung", ImGuiTableColumnFlags_WidthFixed);
  ImGui::TableSetupColumn("GI/s", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("frame", ImGuiTableColumnFlags_WidthFixed);
  ImGui::TableSetupColumn("published", ImGuiTableColumnFlags_WidthFixed);
  ImGui::TableHeadersRow();
  const double fastest = fastest_rung(climb), first = first_rate(climb);
  // The first rung stands at the bottom, as of any ladder.
  for (auto k = climb.rungs().size(); k-- > 0;) {
    ImGui::PushID(static_cast<int>(k));
    rung_row(context, k, fastest, first);
    ImGui::PopID();
  }
  rate_axis(fastest);
  ImGui::EndTable();
}

void choose_ladder(PanelContext& context) {
  auto& climb = context.laboratory.ladder;
  ImGui::SetNextItemWidth(-1.0F);
  if (!begin_named_list(context.widgets, "ladder", climb.ladder().title, climb.ladder().source)) return;
  for (std::size_t k = 0; k < climb.ladders().size(); ++k) {
    const auto& ladder = climb.ladders()[k];
    if (named_entry(context.widgets, "ladder=" + ladder.name, ladder.title, k == climb.chosen(),
                    ladder.source))
      climb.choose(k);
  }
  ImGui::EndCombo();
}

void buttons(PanelContext& context) {
  auto& laboratory = context.laboratory;
  auto& climb = laboratory.ladder;
  if (laboratory.experiment.running_for(&climb) && laboratory.experiment.live().results().size() > 1) {
    if (ImGui::Button("Stop")) laboratory.experiment.stop(context.session);
  } else if (ImGui::Button("Climb all")) {
    climb.climb_all(context.session, laboratory.experiment);
  }
  context.widgets.note("climb-all");
  tooltip(
      "Measures every rung that runs here, from the first to the last, for about a second each. Pause and "
      "speed "
      "limit are lifted meanwhile. Then everything is as before.");
  ImGui::SameLine();
  const auto& ladder = climb.ladder();
  if (named_button(context.widgets, "ladder-scene", "Load its scene",
                   fmt::format("Opens what the report measured: {} x {} bodies of the model {}.",
                               ladder.galaxies, ladder.bodies, ladder.model)))
    context.actions.open(climb.own_scene());
  ImGui::SameLine();
  ImGui::TextDisabled("keys: Up, Down");
}

void draw(PanelContext& context) {
  if (context.laboratory.ladder.ladders().empty()) {
    ImGui::TextDisabled("no ladders found");
    return;
  }
  choose_ladder(context);
  rungs(context);
  buttons(context);
}

}  // namespace

extern const Panel ladder_panel{"Ladder", true, draw, PanelTab::measure};

}  // namespace orrery::app
