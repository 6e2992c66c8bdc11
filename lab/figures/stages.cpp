#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "lab/figures/figure_kind.h"
#include "lab/figures/saved.h"
#include "sim/core/error.h"
#include "sim/engines/timeline.h"
#include "sim/options/engine_option.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

/// One row of the figure: how long each part took, in the order of the parts, and all of it by the clock.
struct Staged {
  std::string name;
  std::vector<double> parts_ms;
  double clock_ms = 0.0;

  double sum_ms() const { return std::accumulate(parts_ms.begin(), parts_ms.end(), 0.0); }
};

struct Part {
  std::string name;
  plots::Color color;
};

std::vector<Part> parts_of_schedules() {
  std::vector<Part> parts;
  for (std::size_t k = 0; k < sim::activity_count; ++k) {
    const auto activity = static_cast<sim::TimelineKind>(k);
    parts.push_back({std::string(sim::activity_name(activity)), activity_color(activity)});
  }
  return parts;
}

Staged staged_schedule(const json& run, const std::vector<Part>& parts) {
  Staged row{.name = text_in(run, "schedule"), .parts_ms = {}, .clock_ms = number_in(run, "total_ms")};
  for (const auto& part : parts) {
    const double busy = number_in(run.at("busy_ms"), part.name);
    // Earlier versions knew fewer activities.
    row.parts_ms.push_back(std::isfinite(busy) ? busy : 0.0);
  }
  return row;
}

std::vector<Part> parts_of_steps() {
  return {{"forces", activity_color(sim::TimelineKind::forces)},
          {"adding partial sums", activity_color(sim::TimelineKind::sums)},
          {"update and all else of a step", activity_color(sim::TimelineKind::update)}};
}

/// A step of a kernel or rung: its forces, the part of them that adds partial sums, and what is left of the
/// time of whole steps.
Staged staged_step(const json& row, std::string name, double step_ms) {
  const double forces_ms = number_in(row, "kernel_ms"), share = number_in(row, "sums_share");
  const double sums_ms = share > 0.0 ? share * forces_ms : 0.0;
  return {.name = std::move(name),
          .parts_ms = {forces_ms - sums_ms, sums_ms, std::max(step_ms - forces_ms, 0.0)},
          .clock_ms = step_ms};
}

double step_ms_of(const json& row) {
  const double galaxies = std::max(number_in(row, "galaxies"), 1.0), bodies = bodies_of_galaxy(row);
  return bodies * bodies * galaxies / number_in(row, "gips_frame") * 1e-6;
}

std::vector<Staged> staged_rows(const json& document) {
  std::vector<Staged> all;
  for (const auto& row : document.at("rows"))
    all.push_back(staged_step(row, text_in(row, "label"), step_ms_of(row)));
  return all;
}

std::vector<Staged> staged_rungs(const json& document, const FigureRequest& request) {
  std::vector<Staged> all;
  for (const auto* rung : chosen_rungs(one_ladder(document, request), request.rungs)) {
    if (!rung->at("measured").get<bool>()) continue;
    all.push_back(staged_step(*rung, text_in(*rung, "name"), number_in(*rung, "step_ms")));
  }
  return all;
}

/// Without the parts that took no time anywhere, such as copies of an engine that has none.
plots::Panel stage_panel(const std::vector<Staged>& rows, const std::vector<Part>& parts, bool share) {
  plots::Panel panel{.horizontal = true, .stacked = true};
  std::vector<std::string> names;
  std::vector<double> ends;
  for (const auto& row : rows) {
    names.push_back(row.name);
    ends.push_back(share ? 100.0 : std::max(row.sum_ms(), row.clock_ms));
  }
  for (std::size_t k = 0; k < parts.size(); ++k) {
    plots::Bars bars{.name = parts[k].name, .color = parts[k].color};
    double all = 0.0;
    for (const auto& row : rows) {
      bars.values.push_back(share ? 100.0 * row.parts_ms.at(k) / row.sum_ms() : row.parts_ms.at(k));
      all += row.parts_ms.at(k);
    }
    if (all > 0.0) panel.bars.push_back(std::move(bars));
  }
  panel.x =
      plots::from_zero(share ? "share of the time, %" : "ms", plots::Scale::linear, ends, share ? 0.0 : 0.12);
  panel.y = plots::of_categories("", std::move(names));
  return panel;
}

/// A mark where the clock stood at the end: left of the bar's end where work overlapped.
plots::Line clock_marks(const std::vector<Staged>& rows) {
  plots::Line marks{.name = "all, by the clock",
                    .color = plots::black,
                    .marker = plots::Marker::diamond,
                    .marker_size = 4.0,
                    .joined = false};
  for (std::size_t k = 0; k < rows.size(); ++k)
    marks.points.push_back({rows[k].clock_ms, static_cast<double>(k)});
  return marks;
}

std::string device_of(const json& document) {
  if (auto name = device_in(document); !name.empty()) return name;
  const auto& devices = document.at("runs").front().at("devices");
  for (const auto& each : devices)
    if (!each.get<std::string>().empty()) return each.get<std::string>();
  return {};
}

plots::Figure draw_stages(const Documents& documents, const FigureRequest& request) {
  const auto& document = documents.front();
  const bool schedules = document.contains("runs");
  const auto parts = schedules ? parts_of_schedules() : parts_of_steps();
  std::vector<Staged> rows;
  if (schedules)
    for (const auto& run : document.at("runs")) rows.push_back(staged_schedule(run, parts));
  else
    rows = document.contains("ladders") ? staged_rungs(document, request) : staged_rows(document);
  if (rows.empty()) throw sim::Error("there is nothing to draw: nothing was measured");
  const bool share = request.quantity == "share";
  auto panel = stage_panel(rows, parts, share);
  if (schedules && !share) panel.lines.push_back(clock_marks(rows));
  constexpr double row = 40.0, beside = 150.0;
  return {.title = schedules ? "What the schedules of the job spend their time on"
                             : "What a step spends its time on",
          .subtitle = device_of(document),
          .note = schedules && !share
                      ? "times of all streams added up: where work overlapped, the clock stood earlier"
                      : "",
          .panels = {std::move(panel)},
          .height = beside + row * static_cast<double>(std::max<std::size_t>(rows.size(), 2))};
}

constexpr std::array<std::string_view, 2> stages_quantities{"time", "share"};

}  // namespace

extern constinit const FigureKind stages_figure{
    .name = "stages",
    .meaning = "copies, forces and update of every schedule (GPU), or of a step of every kernel",
    .reads = "orrery pipeline, bench or ladder",
    .quantities = stages_quantities,
    .reads_document =
        [](const json& document) {
          return document.contains("runs") || document.contains("rows") || document.contains("ladders");
        },
    .draw = draw_stages,
};

}  // namespace orrery::lab
