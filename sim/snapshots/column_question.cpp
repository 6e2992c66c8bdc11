#include "sim/snapshots/column_question.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "sim/snapshots/text_table.h"

namespace orrery::sim {

ColumnQuestion question_of(std::vector<std::vector<std::string>> rows,
                           std::span<const std::vector<Column>> layouts) {
  ColumnQuestion question{std::move(rows), {}};
  if (question.rows.empty()) return question;
  for (const auto& columns : layouts.first(std::min(layouts.size(), ColumnQuestion::most_proposals)))
    question.proposals.push_back({text_of(columns), outcome_of(question, columns)});
  return question;
}

std::vector<DVec3> places_of(const ColumnQuestion& question, const std::vector<Column>& columns) {
  std::vector<DVec3> places;
  for (const auto& row : question.rows) {
    DVec3 place{};
    for (std::size_t k = 0; k < std::min(columns.size(), row.size()); ++k) {
      const double number = parse_number(row[k]).value_or(NAN);
      if (columns[k] == Column::x) place.x = number;
      if (columns[k] == Column::y) place.y = number;
      if (columns[k] == Column::z) place.z = number;
    }
    if (is_finite(place)) places.push_back(place);
  }
  return places;
}

std::string outcome_of(const ColumnQuestion& question, const std::vector<Column>& columns) {
  double mass = 0.0, farthest = 0.0;
  const auto masses = std::ranges::find(columns, Column::mass) - columns.begin();
  for (const auto& row : question.rows)
    if (static_cast<std::size_t>(masses) < row.size())
      mass += parse_number(row[static_cast<std::size_t>(masses)]).value_or(0.0);
  for (const auto& place : places_of(question, columns)) farthest = std::max(farthest, norm(place));
  return fmt::format("{}, within {:.3g}{}",
                     contains(columns, Column::mass) ? fmt::format("mass {:.4g}", mass) : "no masses",
                     farthest, contains(columns, Column::vx) ? "" : ", at rest");
}

std::string text_of(const ColumnQuestion& question) {
  constexpr std::size_t shown = 3;
  const auto& rows = question.rows;
  std::vector<std::string> lines(std::min(rows.size(), shown) + 1, " ");
  for (std::size_t k = 0; !rows.empty() && k < rows.front().size(); ++k) {
    std::size_t width = fmt::formatted_size("{}", k + 1);
    for (std::size_t i = 1; i < lines.size(); ++i) width = std::max(width, rows[i - 1][k].size());
    lines[0] += fmt::format(" {:>{}}", k + 1, width);
    for (std::size_t i = 1; i < lines.size(); ++i) lines[i] += fmt::format(" {:>{}}", rows[i - 1][k], width);
  }
  for (const auto& each : question.proposals)
    lines.push_back(fmt::format("  --columns {}  {}", each.columns, each.gives));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace orrery::sim
