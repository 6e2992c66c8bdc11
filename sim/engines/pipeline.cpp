#include "sim/engines/pipeline.h"

#include <algorithm>
#include <map>
#include <utility>

namespace orrery::sim {

namespace {

bool is_copy(const TimelineSpan& span) {
  return span.activity == TimelineKind::copy_in || span.activity == TimelineKind::copy_out;
}

using Interval = std::pair<double, double>;

/// Overlapping intervals joined.
std::vector<Interval> united(std::vector<Interval> intervals) {
  std::ranges::sort(intervals);
  std::vector<Interval> joined;
  for (const auto& each : intervals) {
    if (!joined.empty() && each.first <= joined.back().second)
      joined.back().second = std::max(joined.back().second, each.second);
    else
      joined.push_back(each);
  }
  return joined;
}

double length(const std::vector<Interval>& intervals) {
  double sum = 0.0;
  for (const auto& [start, end] : intervals) sum += end - start;
  return sum;
}

std::vector<Interval> intervals_of(const std::vector<TimelineSpan>& spans, int device, bool copies) {
  std::vector<Interval> intervals;
  for (const auto& span : spans) {
    if (span.device == device && (copies || !is_copy(span)))
      intervals.emplace_back(span.start_ms, span.end_ms);
  }
  return united(std::move(intervals));
}

void add_to(PipelineStage& stage, const TimelineSpan& span, Interval& compute) {
  const double duration = span.end_ms - span.start_ms;
  if (span.activity == TimelineKind::copy_in) stage.copy_in_ms += duration;
  if (span.activity == TimelineKind::copy_out) stage.copy_out_ms += duration;
  if (is_copy(span)) return;
  compute = {std::min(compute.first, span.start_ms), std::max(compute.second, span.end_ms)};
}

}  // namespace

double kernel_ms(const PipelineResult& result) {
  const double share = result.traced_ms > 0.0 ? result.total_ms / result.traced_ms : 1.0;
  return result.compute_ms * share;
}

void summarize(PipelineResult& result) {
  const auto& spans = result.timeline.spans;
  std::map<int, int> devices;
  for (const auto& span : spans) ++devices[span.device];
  result.traced_ms = result.compute_ms = result.exposed_copy_ms = 0.0;
  result.galaxies.clear();
  if (spans.empty()) return;
  const auto first = std::ranges::min_element(spans, {}, &TimelineSpan::start_ms);
  const auto last = std::ranges::max_element(spans, {}, &TimelineSpan::end_ms);
  result.traced_ms = last->end_ms - first->start_ms;
  for (const auto& [device, count] : devices) {
    const double busy = length(intervals_of(spans, device, true));
    const double compute = length(intervals_of(spans, device, false));
    result.compute_ms += compute / static_cast<double>(devices.size());
    result.exposed_copy_ms += (busy - compute) / static_cast<double>(devices.size());
  }
  std::map<std::pair<int, int>, std::pair<PipelineStage, Interval>> stages;
  for (const auto& span : spans) {
    auto& [stage, compute] =
        stages
            .try_emplace({span.device, span.galaxy},
                         PipelineStage{.galaxy = span.galaxy, .device = span.device, .stream = span.stream},
                         Interval{span.end_ms, span.start_ms})
            .first->second;
    add_to(stage, span, compute);
  }
  for (auto& [key, each] : stages) {
    auto& [stage, compute] = each;
    stage.forces_ms = std::max(compute.second - compute.first, 0.0);
    result.galaxies.push_back(stage);
  }
}

}  // namespace orrery::sim
