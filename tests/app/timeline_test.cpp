#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/panels/timeline_view.h"
#include "lab/bench/pipeline_benchmark.h"
#include "lab/bench/timeline_trace.h"
#include "sim/core/error.h"
#include "tests/temporary_folder.h"

namespace orrery::app {
namespace {

namespace fs = std::filesystem;
using sim::TimelineKind;

/// Two devices; galaxy 1 is copied while galaxy 0 is computed.
sim::Timeline two_devices() {
  return {.schedule = "overlapped",
          .spans = {{TimelineKind::copy_in, 0, 0, 0, 0, 0.5, 0.75},
                    {TimelineKind::forces, 0, 0, 0, 0, 0.75, 2.75},
                    {TimelineKind::copy_in, 0, 1, 1, 0, 0.75, 1.0},
                    {TimelineKind::forces, 1, 0, -1, 3, 1.0, 4.5}}};
}

TEST(Trace, HoldsEverySpanInMicrosecondsAndNamesTheRows) {
  const std::vector<std::string> names{"Graphics card"};
  const auto trace = lab::trace_json(two_devices(), names);
  EXPECT_EQ(trace["otherData"]["schedule"], "overlapped");
  std::vector<nlohmann::json> spans;
  std::map<std::string, std::string> processes, threads;
  for (const auto& event : trace["traceEvents"]) {
    if (event["ph"] == "X") spans.push_back(event);
    const auto row = event["pid"].dump() + ":" + event["tid"].dump();
    if (event["name"] == "process_name") processes[event["pid"].dump()] = event["args"]["name"];
    if (event["name"] == "thread_name") threads[row] = event["args"]["name"];
  }
  ASSERT_EQ(spans.size(), 4U);
  EXPECT_EQ(spans[1]["name"], "forces");
  EXPECT_DOUBLE_EQ(spans[1]["ts"], 750.0);
  EXPECT_DOUBLE_EQ(spans[1]["dur"], 2000.0);
  EXPECT_EQ(spans[2]["tid"], 1);
  EXPECT_EQ(spans[2]["args"]["galaxy"], 1);
  EXPECT_EQ(spans[3]["pid"], 1);
  EXPECT_EQ(spans[3]["args"]["step"], 3);
  EXPECT_FALSE(spans[3]["args"].contains("galaxy"));
  EXPECT_EQ(processes, (std::map<std::string, std::string>{{"0", "0: Graphics card"}, {"1", "device 1"}}));
  EXPECT_EQ(threads, (std::map<std::string, std::string>{
                         {"0:0", "stream 0"}, {"0:1", "stream 1"}, {"1:0", "stream 0"}}));
}

TEST(Trace, IsWrittenWholeUnderAFreeName) {
  const test::TemporaryFolder folder;
  const auto first = lab::free_trace_name(folder / "new", "a b/c.bin", 12);
  EXPECT_EQ(first.filename(), "a-b-c.bin-step12-trace-0001.json");
  lab::write_trace(first, two_devices());
  std::ifstream file(first);
  EXPECT_EQ(nlohmann::json::parse(file), lab::trace_json(two_devices()));
  EXPECT_EQ(lab::free_trace_name(folder / "new", "a b/c.bin", 12).filename(),
            "a-b-c.bin-step12-trace-0002.json");
  EXPECT_THROW(lab::write_trace(folder / "absent" / "x.json", two_devices()), sim::Error);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "new"), fs::directory_iterator()), 1);
}

TEST(TimelineView, RowsAreStreamsOfDevicesOverAllTime) {
  const auto timeline = two_devices();
  const TimelineLayout layout(timeline);
  EXPECT_EQ(layout.rows, (std::vector<TimelineLayout::Row>{{0, 0}, {0, 1}, {1, 0}}));
  EXPECT_EQ(layout.start_ms, 0.0);
  EXPECT_EQ(layout.end_ms, 4.5);
  EXPECT_EQ(layout.row_of(timeline.spans[3]), 2U);
  EXPECT_EQ(layout.span_at(timeline, 0, 0.6), &timeline.spans[0]);
  EXPECT_EQ(layout.span_at(timeline, 0, 2.0), &timeline.spans[1]);
  EXPECT_EQ(layout.span_at(timeline, 1, 2.0), nullptr);
  EXPECT_EQ(layout.span_at(timeline, 7, 2.0), nullptr);
  const auto busy = layout.busy_ms(timeline);
  EXPECT_DOUBLE_EQ(busy[static_cast<std::size_t>(TimelineKind::copy_in)], 0.5);
  EXPECT_DOUBLE_EQ(busy[static_cast<std::size_t>(TimelineKind::forces)], 5.5);
  EXPECT_DOUBLE_EQ(busy[static_cast<std::size_t>(TimelineKind::exchange)], 0.0);
  EXPECT_TRUE(TimelineLayout({}).rows.empty());
}

TEST(TimelineView, TheWindowZoomsAroundAPointAndStaysInside) {
  TimeWindow window;
  window.zoom(4.0, 0.5);
  EXPECT_DOUBLE_EQ(window.from, 0.375);
  EXPECT_DOUBLE_EQ(window.to, 0.625);
  window.move(0.5);
  EXPECT_DOUBLE_EQ(window.from, 0.5);
  window.move(100.0);
  EXPECT_DOUBLE_EQ(window.to, 1.0);
  EXPECT_DOUBLE_EQ(window.from, 0.75);
  window.zoom(1e-9, 0.0);
  EXPECT_DOUBLE_EQ(window.from, 0.0);
  EXPECT_DOUBLE_EQ(window.to, 1.0);
  for (int k = 0; k < 100; ++k) window.zoom(2.0, 0.3);
  EXPECT_GT(window.to, window.from);
}

/// Four galaxies through one stream, or through two of which one hides the copies.
sim::PipelineResult run_of(std::string schedule, double total_ms, double exposed_ms) {
  sim::PipelineResult result{.schedule = std::move(schedule),
                             .streams = 2,
                             .pinned = true,
                             .steps = 10,
                             .devices = {"Card", "Card"},
                             .total_ms = total_ms,
                             .compute_ms = 80.0,
                             .exposed_copy_ms = exposed_ms,
                             .interactions = 4e9};
  const double copies[] = {4.0, 1.0, 2.0, 1.5};
  for (int k = 0; k < 4; ++k)
    result.galaxies.push_back(
        {.copy_in_ms = copies[k], .forces_ms = 20.0 + k, .copy_out_ms = 0.375, .galaxy = k});
  result.report.facts = {{.key = "registers", .value = std::int64_t{40}}};
  return result;
}

TEST(PipelineReport, NumbersFollowFromTheTimes) {
  const auto run = run_of("overlapped", 100.0, 1.0);
  const auto in = lab::stage_times(run, &sim::PipelineStage::copy_in_ms);
  EXPECT_DOUBLE_EQ(in.first, 4.0);
  EXPECT_DOUBLE_EQ(in.median, 1.75);
  EXPECT_DOUBLE_EQ(in.last, 1.5);
  EXPECT_DOUBLE_EQ(lab::hidden_copies(run), 0.8);  // 1 ms on each of two devices, of 10 ms
  EXPECT_EQ(lab::hidden_copies(run_of("serial", 100.0, 12.0)), 0.0);
  sim::PipelineResult empty;
  EXPECT_LT(lab::hidden_copies(empty), 0.0);
  EXPECT_EQ(lab::stage_times(empty, &sim::PipelineStage::forces_ms).median, 0.0);
}

TEST(PipelineReport, TheTableSetsSchedulesSideBySide) {
  const std::vector runs{run_of("serial", 150.0, 10.0), run_of("overlapped", 100.0, 1.0)};
  const auto table = lab::pipeline_table(runs);
  EXPECT_NE(table.find("4 galaxies, 10 steps, on 2 x Card"), std::string::npos) << table;
  std::istringstream lines(table);
  std::map<std::string, std::string> of_schedule;
  for (std::string line; std::getline(lines, line);)
    of_schedule.emplace(line.substr(0, line.find(' ')), line);
  EXPECT_NE(of_schedule.at("serial").find("0.0 %"), std::string::npos) << table;
  EXPECT_NE(of_schedule.at("serial").find("1.00"), std::string::npos);
  EXPECT_NE(of_schedule.at("overlapped").find("80.0 %"), std::string::npos);
  EXPECT_NE(of_schedule.at("overlapped").find("1.50"), std::string::npos);
  EXPECT_NE(of_schedule.at("overlapped").find("pinned"), std::string::npos);
  for (const char* stage : {"copy in ", "compute ", "copy out "})
    EXPECT_NE(table.find(stage), std::string::npos);
  EXPECT_FALSE(lab::pipeline_table({}).empty());
  // One launch for all galaxies has one entry, which is none of them.
  auto together = run_of("batched", 90.0, 1.0);
  together.galaxies.resize(1);
  together.galaxies[0].galaxy = -1;
  const std::vector mixed{together, runs[0]};
  EXPECT_TRUE(lab::pipeline_table(mixed).starts_with("4 galaxies, ")) << lab::pipeline_table(mixed);
  EXPECT_TRUE(lab::pipeline_table({&together, 1}).starts_with("all galaxies at once, "));
}

TEST(PipelineReport, JsonHoldsRunsStagesAndGalaxies) {
  const std::vector runs{run_of("serial", 150.0, 10.0), run_of("overlapped", 100.0, 1.0)};
  const auto json = lab::pipeline_json(runs);
  ASSERT_EQ(json["runs"].size(), 2U);
  const auto& second = json["runs"][1];
  EXPECT_EQ(second["schedule"], "overlapped");
  EXPECT_DOUBLE_EQ(second["speedup_first"], 1.5);
  EXPECT_DOUBLE_EQ(second["copies_hidden"], 0.8);
  EXPECT_DOUBLE_EQ(second["gips_compute"], 50.0);
  EXPECT_DOUBLE_EQ(second["stages"]["copy_in"]["median_ms"], 1.75);
  EXPECT_DOUBLE_EQ(second["stages"]["forces"]["last_ms"], 23.0);
  EXPECT_EQ(second["galaxies"].size(), 4U);
  EXPECT_EQ(second["kernel"]["registers"], 40);
  const std::vector none{sim::PipelineResult{}};
  EXPECT_TRUE(lab::pipeline_json(none)["runs"][0]["copies_hidden"].is_null());
}

}  // namespace
}  // namespace orrery::app
