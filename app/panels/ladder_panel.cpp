#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/gui/drawn_plot.h"
#include "app/gui/gui.h"
#include "app/gui/theme.h"
#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"
#include "lab/bench/rates.h"
#include "lab/ladders/ladder_benchmark.h"
#include "sim/core/counted.h"

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

/// "12.3x".
std::string times_text(double factor) {
  return factor >= 100.0 ? fmt::format("{:.0f}x", factor) : fmt::format("{:.3g}x", factor);
}

/// The speed-up over the first rung where the report's numbers give it; in brackets one over another rung.
std::string published_text(const lab::Ladder& ladder, const lab::PublishedFigure* figure) {
  if (figure == nullptr) return {};
  if (const double speedup = lab::published_speedup(ladder, *figure); speedup > 0.0)
    return times_text(speedup);
  if (figure->speedup > 0.0) return fmt::format("({:.3g}x)", figure->speedup);
  if (figure->gips > 0.0) return lab::rate_text(figure->gips, 3);
  if (figure->seconds > 0.0) return fmt::format("{:.3g} s", figure->seconds);
  return figure->remark.empty() ? "" : "see tip";
}

/// How many times faster than the first rung that was measured, as far as the measurements tell.
std::string factor_here(const RungState& state, const lab::MeasuredSpeed& first) {
  if (!state.measured) return {};
  const lab::Factor factor(first, state.speed);
  if (factor.counts()) return (factor.is_rough() ? "~" : "") + times_text(factor.value());
  return factor.says() == lab::Factor::Says::machine_busy ? "busy" : "same";
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
                        lab::rate_text(state.speed.median), lab::rate_text(state.gips_frame));
    if (state.speed.busy) text += " Other programs used the cores: measure again.";
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
  for (const auto& state : climb.rungs()) fastest = std::max(fastest, state.speed.median);
  return fastest;
}

/// The speed of the first rung that was measured: what speed-ups are against.
lab::MeasuredSpeed first_speed(const LadderClimb& climb) {
  for (const auto& state : climb.rungs()) {
    if (state.measured) return state.speed;
  }
  return {};
}

/// The text in a rung's bar.
std::string bar_text(const RungState& state) {
  if (!state.too_slow.empty()) return state.too_slow;
  if (!state.measured) return {};
  return slow(state) ? fmt::format("{:.2g} s/step", state.seconds) : lab::rate_text(state.speed.median, 3);
}

/// A bar from 0 to the fastest rung, with the rate in it. Its column has room for the text.
void rate_bar(const RungState& state, double fastest, bool standing) {
  const ImVec2 size{std::max(ImGui::GetContentRegionAvail().x, 20.0F), ImGui::GetTextLineHeight()};
  const auto corner = ImGui::GetCursorScreenPos();
  if (!state.too_slow.empty()) return ImGui::TextDisabled("%s", state.too_slow.c_str());
  ImGui::Dummy(size);
  if (!state.measured) return;
  auto& canvas = *ImGui::GetWindowDrawList();
  const auto part = static_cast<float>(state.speed.median / std::max(fastest, 1e-12));
  const ImVec2 end{corner.x + size.x * part, corner.y + size.y};
  canvas.AddRectFilled(corner, end, standing ? running_bar_color() : bar_color(), 2.0F);
  const float indent = 0.25F * ImGui::GetFontSize();
  canvas.AddText({corner.x + indent, corner.y}, ImGui::GetColorU32(ImGuiCol_Text), bar_text(state).c_str());
}

/// Scrolls to the rung that was reached.
void follow(PanelContext& context, std::size_t k) {
  auto& seen = context.layout.rung_seen;
  if (context.laboratory.ladder.rung() != k || seen == k) return;
  ImGui::SetScrollHereY(0.5F);
  seen = k;
}

/// Shortened to a width, with dots at the end; the tooltip has all of it.
std::string fitted(const std::string& text, float width) {
  if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
  auto part = text;
  while (!part.empty() && ImGui::CalcTextSize((part + "..").c_str()).x > width) part.pop_back();
  return part + "..";
}

/// The widths of the columns. Numbers are never cut off; names give way to them, and bars get what is left.
struct Columns {
  float name = 0.0F, rate = 0.0F, here = 0.0F, published = 0.0F;
};

Columns columns(const PanelContext& context) {
  const auto& climb = context.laboratory.ladder;
  const auto width = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
  const auto first = first_speed(climb);
  Columns wide{.rate = width("0.0123"), .here = width("here"), .published = width("report")};
  for (std::size_t k = 0; k < climb.rungs().size(); ++k) {
    const auto& rung = climb.ladder().rungs[k];
    const auto& state = climb.rungs()[k];
    if (!state.refusal.empty()) continue;
    wide.name = std::max(wide.name, width(rung.name));
    wide.rate = std::max(wide.rate, width(bar_text(state)));
    wide.here = std::max(wide.here, width(factor_here(state, first)));
    wide.published =
        std::max(wide.published,
                 width(published_text(climb.ladder(), nearest_figure(rung, context.session.context()))));
  }
  wide.rate += ImGui::GetFontSize();
  const float gaps = 8.0F * ImGui::GetStyle().CellPadding.x + ImGui::GetStyle().ScrollbarSize;
  const float left = ImGui::GetContentRegionAvail().x - wide.rate - wide.here - wide.published - gaps;
  wide.name = std::max(std::min(wide.name, left), 3.0F * ImGui::GetFontSize());
  return wide;
}

void rung_row(PanelContext& context, std::size_t k, const Columns& wide, double fastest,
              const lab::MeasuredSpeed& first) {
  auto& laboratory = context.laboratory;
  auto& climb = laboratory.ladder;
  const auto& rung = climb.ladder().rungs[k];
  const auto& state = climb.rungs()[k];
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  constexpr auto flags = ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowItemOverlap;
  if (ImGui::Selectable(fitted(rung.name, wide.name).c_str(), climb.rung() == k, flags))
    climb.climb_to(context.session, laboratory.experiment, k);
  context.widgets.note("rung:" + rung.name);
  if (state.measured) context.widgets.note("rung-measured:" + rung.name);
  if (ImGui::IsItemHovered()) tooltip(rung_help(rung, state));
  follow(context, k);
  ImGui::TableNextColumn();
  rate_bar(state, fastest, climb.rung() == k);
  const auto at = ImGui::GetItemRectMin();
  context.widgets.note_box(
      "rung-rate:" + rung.name, {at.x, at.y},
      {at.x + ImGui::CalcTextSize(bar_text(state).c_str()).x, ImGui::GetItemRectMax().y});
  context.widgets.note_box("rung-room:" + rung.name, {at.x, at.y},
                           {ImGui::GetItemRectMax().x, ImGui::GetItemRectMax().y});
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(factor_here(state, first).c_str());
  ImGui::TableNextColumn();
  const auto* figure = nearest_figure(rung, context.session.context());
  ImGui::TextDisabled("%s", published_text(climb.ladder(), figure).c_str());
}

/// Those that cannot run here, folded: what can is a ladder without gaps.
void refused_rungs(PanelContext& context) {
  const auto& climb = context.laboratory.ladder;
  const auto refused =
      std::ranges::count_if(climb.rungs(), [](const RungState& rung) { return !rung.refusal.empty(); });
  if (refused == 0) return;
  const auto label = fmt::format("{} cannot run here###refused",
                                 sim::counted(static_cast<std::size_t>(refused), "rung", "rungs"));
  heighten_for_fingers();
  const bool open = ImGui::TreeNode(label.c_str());
  context.widgets.note("rungs-refused");
  if (!open) return;
  for (auto k = climb.rungs().size(); k-- > 0;) {
    if (climb.rungs()[k].refusal.empty()) continue;
    const auto& rung = climb.ladder().rungs[k];
    ImGui::TextDisabled("%s", rung.name.c_str());
    context.widgets.note("rung:" + rung.name);
    tooltip(rung_help(rung, climb.rungs()[k]));
  }
  ImGui::TreePop();
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
  const auto wide = columns(context);
  if (!ImGui::BeginTable("rungs", 4, flags)) return;
  ImGui::TableSetupColumn("rung", ImGuiTableColumnFlags_WidthFixed, wide.name);
  ImGui::TableSetupColumn("GI/s", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("here", ImGuiTableColumnFlags_WidthFixed, wide.here);
  ImGui::TableSetupColumn("report", ImGuiTableColumnFlags_WidthFixed, wide.published);
  ImGui::TableHeadersRow();
  const double fastest = fastest_rung(climb);
  const auto first = first_speed(climb);
  // The first rung stands at the bottom, as of any ladder.
  for (auto k = climb.rungs().size(); k-- > 0;) {
    if (!climb.rungs()[k].refusal.empty()) continue;
    ImGui::PushID(static_cast<int>(k));
    rung_row(context, k, wide, fastest, first);
    ImGui::PopID();
  }
  rate_axis(fastest);
  ImGui::EndTable();
}

/// The same rungs in a window of their own over the picture, for a room.
void large_ladder(PanelContext& context, bool& shown) {
  const auto size = ImGui::GetIO().DisplaySize;
  const auto panel = ImGui::GetWindowPos();
  const float left = std::min(panel.x + ImGui::GetWindowWidth() + 20.0F * context.scale, 0.5F * size.x);
  const float width = std::max(size.x - left - 20.0F * context.scale, 64.0F);
  ImGui::SetNextWindowPos({left, 0.2F * size.y}, ImGuiCond_Appearing);
  ImGui::SetNextWindowSize({std::min(width, 900.0F * context.scale), 0.0F}, ImGuiCond_Always);
  constexpr auto flags =
      ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoResize;
  const auto title = context.laboratory.ladder.ladder().title + "###large-ladder";
  if (ImGui::Begin(title.c_str(), &shown, flags)) {
    ImGui::PushFont(Gui::large_font());
    rungs(context);
    ImGui::PopFont();
  }
  context.widgets.note("ladder-large-window");
  ImGui::End();
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
      "Measures every rung that runs here, for about a second each. Pause and speed limit are lifted "
      "meanwhile and restored afterwards.");
  ImGui::SameLine();
  const auto& ladder = climb.ladder();
  if (named_button(context.widgets, "ladder-scene", "Load its scene",
                   fmt::format("Opens the problem that the report measured: {} x {} bodies of the model {}.",
                               ladder.galaxies, ladder.bodies, ladder.model)))
    context.actions.open(climb.own_scene());
  ImGui::SameLine();
  auto& large = *ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID("large"), false);
  if (named_button(context.widgets, "ladder-large", large ? "Small" : "Large",
                   "Shows the rungs in a large window over the picture, to be read across a room. Keys Up "
                   "and Down climb."))
    large = !large;
  if (large) large_ladder(context, large);
}

void draw_ladder(PanelContext& context) {
  if (context.laboratory.ladder.ladders().empty()) {
    ImGui::TextDisabled("no ladders found");
    return;
  }
  choose_ladder(context);
  rungs(context);
  refused_rungs(context);
  buttons(context);
}

}  // namespace

extern const Panel ladder_panel{"Ladder", true, draw_ladder, PanelTab::measure};

}  // namespace orrery::app
