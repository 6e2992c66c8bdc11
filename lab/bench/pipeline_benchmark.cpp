#include "lab/bench/pipeline_benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "lab/bench/engine_facts.h"
#include "lab/bench/rates.h"
#include "lab/setup/watched.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/cuda/options/gpu_options.h"

namespace orrery::lab {

namespace {

using nlohmann::json;
using sim::PipelineResult;
using sim::PipelineStage;

struct StageName {
  const char* key;
  const char* text;
  double PipelineStage::*time;
};

constexpr std::array stages{StageName{"copy_in", "copy in", &PipelineStage::copy_in_ms},
                            StageName{"forces", "compute", &PipelineStage::forces_ms},
                            StageName{"copy_out", "copy out", &PipelineStage::copy_out_ms}};

double copies_ms(const PipelineResult& result) {
  double sum = 0.0;
  for (const auto& galaxy : result.galaxies) sum += galaxy.copy_in_ms + galaxy.copy_out_ms;
  return sum;
}

Rates pipeline_rates(const PipelineResult& result) {
  return rates_of({result.interactions, sim::kernel_ms(result)}, {result.interactions, result.total_ms});
}

/// The speed-up of the total over the first run; 0 if one of them is unknown.
double speedup(std::span<const PipelineResult> results, const PipelineResult& result) {
  return result.total_ms > 0.0 ? results.front().total_ms / result.total_ms : 0.0;
}

/// The share of the whole job in which only copies ran.
double exposed_share(const PipelineResult& result) {
  const double whole = result.traced_ms > 0.0 ? result.traced_ms : result.total_ms;
  return whole > 0.0 ? result.exposed_copy_ms / whole : 0.0;
}

std::string hidden_text(const PipelineResult& result) {
  const double hidden = hidden_copies(result);
  return hidden < 0.0 ? "-" : fmt::format("{:.1f} %", 100.0 * hidden);
}

/// Names by ordinal have holes for devices that had nothing to do.
std::vector<std::string> used_devices(const PipelineResult& result) {
  std::vector<std::string> used;
  std::ranges::copy_if(result.devices, std::back_inserter(used),
                       [](const auto& name) { return !name.empty(); });
  return used;
}

/// Each different device with how often it is there.
std::string device_text(const PipelineResult& result) {
  const auto devices = used_devices(result);
  std::string text;
  for (auto device = devices.begin(); device != devices.end();) {
    const auto next = std::find_if(device, devices.end(), [&](const auto& name) { return name != *device; });
    if (!text.empty()) text += ", ";
    if (next - device > 1) text += fmt::format("{} x ", next - device);
    text += *device;
    device = next;
  }
  return text.empty() ? "no device" : text;
}

/// A schedule with one launch for all of them does not tell galaxies apart.
std::string galaxies_text(std::span<const PipelineResult> results) {
  std::size_t most = 0;
  for (const auto& result : results) {
    const auto is_one = [](const PipelineStage& stage) { return stage.galaxy >= 0; };
    most = std::max(most, static_cast<std::size_t>(std::ranges::count_if(result.galaxies, is_one)));
  }
  return most > 0 ? sim::counted(most, "galaxy", "galaxies") : "all galaxies at once";
}

/// Says when the runs counted the activity map, which depends on the schedule.
std::string map_text(std::span<const PipelineResult> results) {
  const auto size = results.front().map.size;
  if (size == 0) return {};
  const auto each = std::ranges::count_if(results, &PipelineResult::map_every_step);
  const char* when = each == std::ssize(results) ? "in every step"
                     : each == 0                 ? "after the last step"
                                                 : "in every step or, galaxy by galaxy, after the last one";
  return fmt::format(", a map of {0} x {0} cells {1}", size, when);
}

/// Bodies, or normalised values, in all cells.
double map_sum(const PipelineResult& result) {
  const auto cells = std::span(result.map_values).subspan(sim::map_header);
  return std::accumulate(cells.begin(), cells.end(), 0.0);
}

std::string run_line(std::span<const PipelineResult> results, const PipelineResult& result) {
  const auto rates = pipeline_rates(result);
  return fmt::format("{:<20} {:>7} {:>8} {:>11.3f} {:>11.3f} {:>11} {:>9} {:>11} {:>11} {:>8.2f}\n",
                     result.schedule, result.streams, result.pinned ? "pinned" : "pageable", result.total_ms,
                     sim::kernel_ms(result), fmt::format("{:.2f} %", 100.0 * exposed_share(result)),
                     hidden_text(result), rate_text(rates.whole), rate_text(rates.kernel),
                     speedup(results, result));
}

std::string stage_lines(const PipelineResult& result) {
  std::string text;
  for (const auto& stage : stages) {
    const auto times = stage_times(result, stage.time);
    text += fmt::format("{:<20} {:<9} {:>11.4f} {:>11.4f} {:>11.4f}\n",
                        &stage == stages.data() ? result.schedule : std::string(), stage.text, times.first,
                        times.median, times.last);
  }
  return text;
}

json galaxy_json(const PipelineStage& galaxy) {
  return {{"galaxy", galaxy.galaxy},       {"device", galaxy.device},
          {"stream", galaxy.stream},       {"copy_in_ms", galaxy.copy_in_ms},
          {"forces_ms", galaxy.forces_ms}, {"copy_out_ms", galaxy.copy_out_ms}};
}

/// The summed duration of all spans of each activity; simultaneous work counts several times.
json busy_json(const sim::Timeline& timeline) {
  std::array<double, sim::activity_count> busy{};
  for (const auto& span : timeline.spans)
    busy.at(static_cast<std::size_t>(span.activity)) += span.end_ms - span.start_ms;
  json all = json::object();
  for (std::size_t k = 0; k < busy.size(); ++k)
    all[std::string(sim::activity_name(static_cast<sim::TimelineKind>(k)))] = busy.at(k);
  return all;
}

json run_json(std::span<const PipelineResult> results, const PipelineResult& result) {
  const double hidden = hidden_copies(result);
  const auto rates = pipeline_rates(result);
  json run{{"schedule", result.schedule},
           {"streams", result.streams},
           {"pinned", result.pinned},
           {"steps", result.steps},
           {"devices", result.devices},
           {"total_ms", result.total_ms},
           {"compute_ms", result.compute_ms},
           {"traced_ms", result.traced_ms},
           {"exposed_copy_ms", result.exposed_copy_ms},
           {"exposed_share", exposed_share(result)},
           {"copies_ms", copies_ms(result)},
           {"busy_ms", busy_json(result.timeline)},
           {"copies_hidden", hidden < 0.0 ? json() : json(hidden)},
           {"interactions", result.interactions},
           {"gips", rates.whole},
           {"gips_compute", rates.kernel},
           {"speedup_first", speedup(results, result)},
           {"kernel", report_json(result.report, rates.kernel)},
           {"galaxies", json::array()}};
  for (const auto& stage : stages) {
    const auto times = stage_times(result, stage.time);
    run["stages"][stage.key] = {
        {"first_ms", times.first}, {"median_ms", times.median}, {"last_ms", times.last}};
  }
  if (result.map.size > 0)
    run["map"] = {{"size", result.map.size},
                  {"every_step", result.map_every_step},
                  {"largest", result.map_values.front()},
                  {"sum", map_sum(result)}};
  for (const auto& galaxy : result.galaxies) run["galaxies"].push_back(galaxy_json(galaxy));
  return run;
}

/// Empty if it can run.
std::string refusal(const BenchSetup& setup) {
  const auto& configuration = setup.configuration;
  std::string reason;
  for (const char* name : {"schedule", "map-count", "constants"}) {
    if (reason.empty())
      reason =
          setup.table.refusal(setup.table.at(name), configuration.value(name), configuration, setup.context);
  }
  const auto options = sim::gpu_options(configuration);
  if (reason.empty() && options.schedule == "graph" && options.host_memory == "pageable")
    reason = "a graph copies from page-locked memory";
  return reason;
}

/// Adds one schedule to the results. False: interrupted.
bool time_schedule(const BenchSetup& setup, const std::string& work, int steps,
                   std::vector<sim::PipelineResult>& results) try {
  constexpr int repetitions = 5;
  Watch watch(work);
  results.push_back(
      sim::run_pipeline(setup.table, setup.configuration, setup.scene, steps, repetitions, watch.progress()));
  return true;
} catch (const sim::Cancelled&) {
  return false;
}

}  // namespace

StageTimes stage_times(const PipelineResult& result, double PipelineStage::*stage) {
  if (result.galaxies.empty()) return {};
  std::vector<double> times;
  for (const auto& galaxy : result.galaxies) times.push_back(galaxy.*stage);
  const StageTimes ends{.first = times.front(), .last = times.back()};
  std::ranges::sort(times);
  const auto middle = times.size() / 2;
  const double median = times.size() % 2 == 1 ? times[middle] : 0.5 * (times[middle - 1] + times[middle]);
  return {.first = ends.first, .median = median, .last = ends.last};
}

double hidden_copies(const PipelineResult& result) {
  const double copies = copies_ms(result);
  const auto devices = static_cast<double>(std::max<std::size_t>(used_devices(result).size(), 1));
  return copies > 0.0 ? std::clamp(1.0 - result.exposed_copy_ms * devices / copies, 0.0, 1.0) : -1.0;
}

std::string pipeline_table(std::span<const PipelineResult> results) {
  if (results.empty()) return "no schedule was run\n";
  const auto& first = results.front();
  auto text = fmt::format("{}, {}{}, on {}\n", galaxies_text(results),
                          sim::counted(first.steps, "step", "steps"), map_text(results), device_text(first));
  text += fmt::format("{:<20} {:>7} {:>8} {:>11} {:>11} {:>11} {:>9} {:>11} {:>11} {:>8}\n", "schedule",
                      "streams", "memory", "total ms", "kernels ms", "copies *", "hidden", "GI/s",
                      "GI/s comp.", "x first");
  for (const auto& result : results) text += run_line(results, result);
  text += "* share of the job in which only copies ran; hidden: share of all copies beside other work\n\n";
  text += fmt::format("{:<20} {:<9} {:>11} {:>11} {:>11}\n", "ms of a galaxy", "stage", "first", "median",
                      "last");
  for (const auto& result : results) text += stage_lines(result);
  return text;
}

json pipeline_json(std::span<const PipelineResult> results) {
  json document{{"version", ORRERY_VERSION}, {"runs", json::array()}};
  for (const auto& result : results) document["runs"].push_back(run_json(results, result));
  return document;
}

std::vector<std::string> schedule_names(const sim::OptionTable& table, const std::string& list) {
  if (list == "all") return {"serial", "streams", "phased", "batched", "graph"};
  std::vector<std::string> names;
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');)
    names.push_back(sim::to_string(table.parse(table.at("schedule"), name)));
  return names;
}

std::vector<sim::PipelineResult> time_schedules(BenchSetup& setup, const std::vector<std::string>& names,
                                                bool which_can, int steps) {
  fmt::print(stderr, "{} in {} of {}, {}, median of 5 runs after one to warm up\n",
             sim::counted(setup.scene.bodies.size(), "body", "bodies"),
             sim::counted(setup.scene.bodies.galaxies().size(), "galaxy", "galaxies"), setup.scene.title,
             sim::counted(steps, "step", "steps"));
  std::vector<sim::PipelineResult> results;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto& name = names[k];
    setup.configuration.set("schedule", name);
    if (const auto reason = which_can ? refusal(setup) : std::string(); !reason.empty()) {
      fmt::print(stderr, "{} is left out: {}\n", name, reason);
      continue;
    }
    if (!time_schedule(setup, fmt::format("pipeline: {}, {} of {}", name, k + 1, names.size()), steps,
                       results))
      return results;
  }
  if (results.empty()) throw sim::UsageError("none of the schedules can run with these options");
  return results;
}

}  // namespace orrery::lab
