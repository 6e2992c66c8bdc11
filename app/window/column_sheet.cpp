#include "app/window/column_sheet.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "app/gui/gui.h"
#include "app/gui/named_widgets.h"
#include "app/gui/theme.h"
#include "sim/scene/unit_systems.h"
#include "sim/snapshots/text_table.h"

namespace orrery::app {

namespace {

using sim::Column;

constexpr std::array offered{Column::skip,      Column::x,    Column::y,     Column::z,  Column::vx,
                             Column::vy,        Column::vz,   Column::mass,  Column::id, Column::name,
                             Column::component, Column::time, Column::charge};
constexpr std::size_t most_rows = 6;

std::string meaning_of(Column column) {
  return column == Column::skip ? "leave out" : std::string(name_of(column));
}

}  // namespace

/// Tables with numbers and words in the same columns.
std::string ColumnSheet::kind() const {
  std::string kind;
  for (const auto& field : table_->question.rows.front()) kind += sim::parse_number(field) ? 'n' : 'w';
  return kind;
}

void ColumnSheet::ask(UnclearTable table) {
  if (table.question.rows.empty()) return void(problem_ = table.problem);
  table_ = std::move(table);
  units_ = table_->request.units;
  accepted_ = false;
  const auto& proposals = table_->question.proposals;
  const auto known = answers_.find(kind());
  const auto first = known != answers_.end() ? known->second
                     : proposals.empty()     ? ""
                                             : proposals.front().columns;
  columns_.assign(table_->question.rows.front().size(), Column::skip);
  if (first.empty()) return;
  columns_ = sim::columns_of_option(first);
  columns_.resize(table_->question.rows.front().size(), Column::skip);
}

void ColumnSheet::choose(std::size_t column, Column meaning) {
  if (meaning != Column::skip) std::ranges::replace(columns_, meaning, Column::skip);
  columns_.at(column) = meaning;
}

std::string ColumnSheet::lacking() const {
  if (!names_positions(columns_)) return "choose the columns of x and y";
  auto whole = columns_;
  drop_partial_velocity(whole);
  return whole == columns_ ? "" : "choose all columns of the velocity, or none";
}

void ColumnSheet::dismiss() {
  if (table_) problem_ = table_->problem;
  table_.reset();
}

lab::DatasetRequest ColumnSheet::take_answer() {
  auto request = table_->request;
  request.columns = columns();
  request.units = units_;
  answers_[kind()] = request.columns;
  table_.reset();
  return request;
}

void ColumnSheet::draw_choice(std::size_t column, WidgetMap& widgets) {
  const auto name = fmt::format("column-{}", column + 1);
  const auto present = columns_[column];
  ImGui::SetNextItemWidth(-1.0F);
  if (!begin_named_list(widgets, name, meaning_of(present), {}, ImGuiComboFlags_HeightLarge)) return;
  for (const auto meaning : offered)
    if (named_entry(widgets, fmt::format("{}={}", name, name_of(meaning)), meaning_of(meaning),
                    meaning == present))
      choose(column, meaning);
  ImGui::EndCombo();
}

void ColumnSheet::draw_table(float scale, WidgetMap& widgets) {
  const auto& rows = table_->question.rows;
  const auto count = static_cast<int>(columns_.size());
  constexpr auto flags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_BordersInnerV |
                         ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollX;
  const float height =
      ImGui::GetFrameHeightWithSpacing() +
      (static_cast<float>(std::min(rows.size(), most_rows)) + 1.5F) * ImGui::GetTextLineHeightWithSpacing();
  const float width = std::clamp(ImGui::GetContentRegionAvail().x / static_cast<float>(count) - 10.0F * scale,
                                 76.0F * scale, 120.0F * scale);
  if (!ImGui::BeginTable("##rows", count, flags, {0.0F, height})) return;
  for (int k = 0; k < count; ++k) ImGui::TableSetupColumn(nullptr, ImGuiTableColumnFlags_WidthFixed, width);
  for (int k = 0; k < count; ++k) {
    ImGui::TableNextColumn();
    draw_choice(static_cast<std::size_t>(k), widgets);
  }
  for (std::size_t i = 0; i < std::min(rows.size(), most_rows); ++i)
    for (int k = 0; k < count; ++k) {
      ImGui::TableNextColumn();
      const bool left_out = columns_[static_cast<std::size_t>(k)] == Column::skip;
      ImGui::TextColored(ImGui::GetStyleColorVec4(left_out ? ImGuiCol_TextDisabled : ImGuiCol_Text), "%s",
                         rows[i][static_cast<std::size_t>(k)].c_str());
    }
  ImGui::EndTable();
}

void ColumnSheet::draw_units(float scale, WidgetMap& widgets) {
  const auto* const system = sim::find_unit_system(units_);
  const std::string own = "units of the file";
  ImGui::SetNextItemWidth(260.0F * scale);
  if (!begin_named_list(
          widgets, "column-units", system == nullptr ? own : std::string(system->meaning),
          "What the numbers are in: of a file that does not say it, those that fit, else G = 1."))
    return;
  if (named_entry(widgets, "column-units=file", own, units_.empty())) units_.clear();
  for (const auto& each : sim::unit_systems())
    if (named_entry(widgets, fmt::format("column-units={}", each.name), std::string(each.meaning),
                    units_ == each.name))
      units_ = each.name;
  ImGui::EndCombo();
}

/// x to the right and y up, of the rows that were looked at.
void ColumnSheet::draw_picture(float scale) const {
  const float side = 150.0F * scale;
  const auto corner = ImGui::GetCursorScreenPos();
  auto* const list = ImGui::GetWindowDrawList();
  list->AddRectFilled(corner, {corner.x + side, corner.y + side}, IM_COL32(8, 9, 13, 255));
  const auto places = places_of(table_->question, columns_);
  double left = INFINITY, right = -INFINITY, low = INFINITY, high = -INFINITY;
  for (const auto& place : places) {
    left = std::min(left, place.x), right = std::max(right, place.x);
    low = std::min(low, place.y), high = std::max(high, place.y);
  }
  const double reach = std::max({right - left, high - low, 1e-300});
  for (const auto& place : places) {
    const auto x = 0.5 + 0.85 * (place.x - 0.5 * (left + right)) / reach;
    const auto y = 0.5 - 0.85 * (place.y - 0.5 * (low + high)) / reach;
    list->AddCircleFilled({corner.x + static_cast<float>(x) * side, corner.y + static_cast<float>(y) * side},
                          2.2F * scale, IM_COL32(240, 225, 190, 230));
  }
  ImGui::Dummy({side, side});
}

std::optional<lab::DatasetRequest> ColumnSheet::draw(float left, float scale, WidgetMap& widgets) {
  if (!is_open()) return std::nullopt;
  if (std::exchange(accepted_, false)) return take_answer();
  const auto size = ImGui::GetIO().DisplaySize;
  const float room = size.x - left < 360.0F * scale ? size.x : size.x - left;
  const float columns_width = 100.0F * scale * static_cast<float>(columns_.size()) + 40.0F * scale;
  const float width = std::min(0.94F * room, std::max(columns_width, 520.0F * scale));
  ImGui::SetNextWindowPos({size.x - 0.5F * room, 0.5F * size.y}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({width, 0.0F});
  ImGui::SetNextWindowBgAlpha(0.97F);
  ImGui::Begin("##columns", nullptr, bare_window);
  ImGui::PushFont(Gui::large_font());
  ImGui::TextWrapped("What are the columns of %s?",
                     std::filesystem::path(table_->request.source).filename().string().c_str());
  ImGui::PopFont();
  widgets.note("column-sheet");
  ImGui::TextWrapped("They have no names that say it. Choose one meaning for each; x and y must be there.");
  ImGui::Spacing();
  draw_table(scale, widgets);
  ImGui::Spacing();
  draw_picture(scale);
  ImGui::SameLine();
  ImGui::BeginGroup();
  draw_units(scale, widgets);
  const auto lacks = lacking();
  const auto& rows = table_->question.rows;
  wrapped_text(lacks.empty()
                   ? fmt::format("{} rows looked at: {}", rows.size(), outcome_of(table_->question, columns_))
                   : lacks);
  ImGui::Spacing();
  ImGui::BeginDisabled(!lacks.empty());
  if (named_button(widgets, "columns-open", "Open", "Enter does it, too.")) accept();
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (named_button(widgets, "columns-cancel", "Do not open", "Esc does it, too.")) dismiss();
  ImGui::EndGroup();
  ImGui::End();
  return std::nullopt;
}

}  // namespace orrery::app
