#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "lab/figures/figure_kind.h"
#include "lab/figures/saved.h"
#include "sim/core/error.h"
#include "sim/engines/timeline.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

/// A stream of a device, which is a row.
using Row = std::pair<int, int>;

bool is_span(const json& event) { return text_in(event, "ph") == "X"; }

std::map<Row, double> rows_of(const json& events) {
  std::map<Row, double> rows;
  for (const auto& event : events)
    if (is_span(event)) rows.try_emplace({event.at("pid").get<int>(), event.at("tid").get<int>()}, 0.0);
  double next = 0.0;
  for (auto& [row, place] : rows) place = next++;
  return rows;
}

sim::TimelineKind activity_named(const std::string& name) {
  for (std::size_t k = 0; k < sim::activity_count; ++k)
    if (sim::activity_name(static_cast<sim::TimelineKind>(k)) == name)
      return static_cast<sim::TimelineKind>(k);
  throw sim::Error(fmt::format("the timeline has an activity '{}' that orrery does not know", name));
}

std::string galaxy_text(const json& event) {
  const auto arguments = event.find("args");
  if (arguments == event.end() || !arguments->contains("galaxy")) return {};
  return std::to_string(arguments->at("galaxy").get<int>());
}

std::vector<std::string> row_names(const std::map<Row, double>& rows) {
  std::set<int> devices;
  for (const auto& [row, place] : rows) devices.insert(row.first);
  std::vector<std::string> names;
  for (const auto& [row, place] : rows)
    names.push_back(devices.size() > 1 ? fmt::format("GPU {}, stream {}", row.first, row.second)
                                       : fmt::format("stream {}", row.second));
  return names;
}

void add_legend(plots::Panel& panel, const std::set<sim::TimelineKind>& activities) {
  for (const auto activity : activities)
    panel.legend.push_back({std::string(sim::activity_name(activity)), activity_color(activity)});
}

plots::Panel timeline_panel(const json& events) {
  const auto rows = rows_of(events);
  if (rows.empty()) throw sim::Error("the timeline is empty");
  plots::Panel panel;
  std::set<sim::TimelineKind> activities;
  std::vector<double> ends;
  for (const auto& event : events) {
    if (!is_span(event)) continue;
    const auto activity = activity_named(text_in(event, "name"));
    const double start = number_in(event, "ts") * 1e-3, end = start + number_in(event, "dur") * 1e-3;
    activities.insert(activity);
    ends.push_back(end);
    panel.spans.push_back(
        {.row = rows.at({event.at("pid").get<int>(), event.at("tid").get<int>()}),
         .from = start,
         .to = end,
         .color = activity_color(activity),
         .text = activity == sim::TimelineKind::forces ? galaxy_text(event) : std::string()});
  }
  add_legend(panel, activities);
  panel.x = plots::from_zero("time, ms", plots::Scale::linear, ends, 0.0);
  panel.y = plots::of_categories("", row_names(rows));
  return panel;
}

std::string schedule_in(const json& document) {
  const auto other = document.find("otherData");
  return other == document.end() ? std::string() : text_in(*other, "schedule");
}

plots::Figure draw_timeline(const Documents& documents, const FigureRequest& /*request*/) {
  const auto& document = documents.front();
  auto panel = timeline_panel(document.at("traceEvents"));
  const auto rows = static_cast<double>(panel.y.categories.size());
  const bool numbered =
      std::ranges::any_of(panel.spans, [](const plots::Span& span) { return !span.text.empty(); });
  return {.title = "What the streams do: " + schedule_in(document),
          .subtitle = device_in(document),
          .note = numbered ? "numbers are those of galaxies" : "",
          .panels = {std::move(panel)},
          .height = std::clamp(130.0 + 24.0 * rows, 210.0, 600.0)};
}

}  // namespace

extern constinit const FigureKind timeline_figure{
    .name = "timeline",
    .meaning = "what every stream does when: of some steps, or of the job with a schedule",
    .reads = "orrery pipeline --timeline or orrery diagnose --measure timeline",
    .reads_document = [](const json& document) { return document.contains("traceEvents"); },
    .draw = draw_timeline,
};

}  // namespace orrery::lab
