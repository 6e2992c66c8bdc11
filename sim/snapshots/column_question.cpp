#include "sim/snapshots/column_question.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace orrery::sim {

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
