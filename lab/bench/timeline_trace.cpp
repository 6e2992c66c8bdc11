#include "lab/bench/timeline_trace.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "lab/setup/paths.h"
#include "sim/core/file_writer.h"
#include "sim/core/json_text.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

json span_event(const sim::TimelineSpan& span) {
  json args{{"step", span.step}};
  // Without a galaxy: the work is for all of them.
  if (span.galaxy >= 0) args["galaxy"] = span.galaxy;
  return {{"name", sim::activity_name(span.activity)},
          {"cat", "step"},
          {"ph", "X"},
          {"ts", span.start_ms * 1e3},
          {"dur", (span.end_ms - span.start_ms) * 1e3},
          {"pid", span.device},
          {"tid", span.stream},
          {"args", std::move(args)}};
}

json name_event(const char* what, int device, int stream, const std::string& name) {
  return {{"name", what}, {"ph", "M"}, {"pid", device}, {"tid", stream}, {"args", {{"name", name}}}};
}

std::string device_name(std::span<const std::string> devices, int device) {
  const auto index = static_cast<std::size_t>(device);
  return device >= 0 && index < devices.size() && !devices[index].empty()
             ? fmt::format("{}: {}", device, devices[index])
             : fmt::format("device {}", device);
}

}  // namespace

json trace_json(const sim::Timeline& timeline, std::span<const std::string> devices) {
  auto events = json::array();
  std::set<int> named;
  std::set<std::pair<int, int>> streams;
  for (const auto& span : timeline.spans) {
    if (named.insert(span.device).second)
      events.push_back(name_event("process_name", span.device, 0, device_name(devices, span.device)));
    if (streams.emplace(span.device, span.stream).second)
      events.push_back(
          name_event("thread_name", span.device, span.stream, fmt::format("stream {}", span.stream)));
    events.push_back(span_event(span));
  }
  return {{"displayTimeUnit", "ms"},
          {"otherData", {{"program", "orrery " ORRERY_VERSION}, {"schedule", timeline.schedule}}},
          {"traceEvents", std::move(events)}};
}

void write_trace(const std::filesystem::path& path, const sim::Timeline& timeline,
                 std::span<const std::string> devices) {
  sim::write_file(path, sim::dump_json(trace_json(timeline, devices)) + "\n");
}

std::filesystem::path free_trace_name(const std::filesystem::path& folder, const std::string& title,
                                      std::uint64_t step) {
  make_folder(folder);
  return next_free_name(folder, fmt::format("{}-step{}-trace", file_stem(title), step), ".json");
}

}  // namespace orrery::lab
