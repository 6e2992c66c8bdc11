#include "lab/figures/board_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery::lab {

namespace {

bool is_dot(const Tried& tried) {
  return tried.gips > 0.0 && tried.error > 0.0 && std::isfinite(tried.error);
}

double seconds_of(const Rival& rival, double interactions) { return interactions / rival.gips * 1e-9; }

plots::Line dots(std::string name, plots::Color color, plots::Marker marker, double size) {
  return {.name = std::move(name),
          .points = {},
          .color = color,
          .marker = marker,
          .marker_size = size,
          .joined = false};
}

/// Whole decades, so that every tick has a plain name, and room above for what has no error.
plots::Axis error_axis(const std::vector<double>& errors, bool room) {
  const auto [low, high] = std::ranges::minmax(errors);
  const double bottom = std::floor(std::log10(low) - 0.15), top = std::ceil(std::log10(high) + 0.15);
  return {.label = "force error, median",
          .scale = plots::Scale::logarithmic,
          .low = std::pow(10.0, bottom),
          .high = std::pow(10.0, top + (room ? 1.0 : 0.0))};
}

}  // namespace

bool has_dots(const Board& board) { return std::ranges::any_of(board.tried, is_dot); }

plots::Panel board_panel(const Board& board) {
  auto tried = dots("tried here", plots::distinct(0), plots::Marker::circle, 4.0);
  auto present = dots("computes now", plots::distinct(1), plots::Marker::circle, 5.5);
  auto rivals = dots("published, error not stated", plots::distinct(3), plots::Marker::diamond, 4.5);
  std::vector<double> times, errors;
  for (std::size_t k = 0; k < board.tried.size(); ++k) {
    const auto& each = board.tried[k];
    if (!is_dot(each)) continue;
    auto& line = k == board.present ? present : tried;
    line.points.push_back({1e3 * each.seconds, each.error});
    line.labels.push_back(each.name);
    times.push_back(1e3 * each.seconds);
    errors.push_back(each.error);
  }
  for (const auto& rival : board.rivals) times.push_back(1e3 * seconds_of(rival, board.interactions));
  plots::Panel panel{.x = plots::fitted("ms a force evaluation", plots::Scale::logarithmic, times, 0.1),
                     .y = error_axis(errors, !board.rivals.empty())};
  // One under the other where their times are alike.
  double share = 0.93;
  for (const auto& rival : board.rivals) {
    rivals.points.push_back({1e3 * seconds_of(rival, board.interactions), panel.y.value_at(share)});
    const auto many = rival.galaxies > 1 ? fmt::format("{} x ", rival.galaxies) : std::string();
    rivals.labels.push_back(fmt::format("{}, N = {}{}", rival.hardware, many, rival.bodies));
    share = share > 0.8 ? share - 0.045 : 0.93;
  }
  panel.lines = {std::move(tried), std::move(present), std::move(rivals)};
  return panel;
}

plots::Figure board_figure(const Board& board) {
  std::string note;
  for (const auto& rival : board.rivals) {
    if (note.find(rival.name) == std::string::npos) note += (note.empty() ? "" : "; ") + rival.name;
  }
  if (!note.empty())
    note =
        fmt::format("Published: the rate at that N on that card, as a time for this dataset. From {}.", note);
  return {.title = "Error against time, one dot a configuration",
          .subtitle = board.subtitle,
          .note = note,
          .panels = {board_panel(board)},
          .width = 900.0,
          .height = 560.0};
}

}  // namespace orrery::lab
