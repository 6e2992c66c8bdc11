#include "lab/figures/board_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery::lab {

namespace {

bool is_dot(const MeasuredVariant& tried) {
  return tried.gips > 0.0 && tried.error > 0.0 && std::isfinite(tried.error);
}

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

/// A rival that has something to say about the dataset.
struct Placed {
  const Rival* rival;
  double seconds;
};

std::vector<Placed> placed_rivals(const Board& board) {
  std::vector<Placed> placed;
  for (const auto& rival : board.rivals) {
    if (const auto seconds = seconds_for(rival, board.size)) placed.push_back({&rival, *seconds});
  }
  return placed;
}

/// Rivals whose errors nobody stated: at the top, one under the other where their times are alike.
plots::Line unstated_line(const std::vector<Placed>& placed, const plots::Axis& y) {
  auto line = dots("published, error not stated", plots::distinct(3), plots::Marker::diamond, 4.5);
  double share = 0.93;
  for (const auto& [rival, seconds] : placed) {
    if (rival->error > 0.0) continue;
    line.points.push_back({1e3 * seconds, y.value_at(share)});
    const auto many = rival->galaxies > 1 ? fmt::format("{} x ", rival->galaxies) : std::string();
    line.labels.push_back(fmt::format("{}, N = {}{}", rival->hardware, many, rival->bodies));
    share = share > 0.8 ? share - 0.045 : 0.93;
  }
  return line;
}

plots::Line measured_line(const std::vector<Placed>& placed) {
  auto line = dots("of others, measured", plots::distinct(2), plots::Marker::diamond, 4.5);
  for (const auto& [rival, seconds] : placed) {
    if (rival->error == 0.0) continue;
    line.points.push_back({1e3 * seconds, rival->error});
    line.labels.push_back(fmt::format("{}, {}", rival->name, rival->hardware));
  }
  return line;
}

/// Names of those that are on the board, each once.
std::string names_of(const std::vector<Placed>& placed) {
  std::string names;
  for (const auto& each : placed) {
    const auto& name = each.rival->name;
    if (names.find(name) == std::string::npos) names += (names.empty() ? "" : "; ") + name;
  }
  return names;
}

}  // namespace

bool has_dots(const Board& board) { return std::ranges::any_of(board.tried, is_dot); }

plots::Panel board_panel(const Board& board) {
  auto tried = dots("tried here", plots::distinct(0), plots::Marker::circle, 4.0);
  auto present = dots("computes now", plots::distinct(1), plots::Marker::circle, 5.5);
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
  const auto placed = placed_rivals(board);
  for (const auto& each : placed) {
    times.push_back(1e3 * each.seconds);
    if (each.rival->error > 0.0) errors.push_back(each.rival->error);
  }
  const bool room = std::ranges::any_of(placed, [](const Placed& each) { return each.rival->error == 0.0; });
  plots::Panel panel{.x = plots::fitted("ms per force evaluation", plots::Scale::logarithmic, times, 0.1),
                     .y = error_axis(errors, room)};
  panel.lines = {std::move(tried), std::move(present), unstated_line(placed, panel.y), measured_line(placed)};
  return panel;
}

plots::Figure board_figure(const Board& board) {
  auto note = names_of(placed_rivals(board));
  if (!note.empty())
    note = fmt::format("Of others: their time on that card, carried over to this dataset. {}.", note);
  return {.title = "Error against time, one dot a configuration",
          .subtitle = board.subtitle,
          .note = note,
          .panels = {board_panel(board)},
          .width = 900.0,
          .height = 560.0};
}

}  // namespace orrery::lab
