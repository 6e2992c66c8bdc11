#include "sim/cuda/schedules/timeline_recorder.h"

#include <utility>

namespace orrery::sim::cuda {

std::unique_ptr<Event> TimelineRecorder::event() {
  if (spare_.empty()) return std::make_unique<Event>();
  auto taken = std::move(spare_.back());
  spare_.pop_back();
  return taken;
}

void TimelineRecorder::record(Event& event, CUstream stream) const {
  if (capturing_)
    event.record_in_graph(stream);
  else
    event.record(stream);
}

void TimelineRecorder::start(int device, CUstream main) {
  for (auto& each : recorded_) {
    spare_.push_back(std::move(each.begin));
    spare_.push_back(std::move(each.end));
  }
  recorded_.clear();
  if (zero_ == nullptr) zero_ = event();
  if (last_ == nullptr) last_ = event();
  zero_->record(main);
  device_ = device;
  on_ = true;
  waiting_ = false;
}

TimelineRecorder::Mark TimelineRecorder::begin(TimelineKind activity, int stream, int galaxy, int step,
                                               CUstream native) {
  if (!on_) return 0;
  auto& added = recorded_.emplace_back();
  added.span = {.activity = activity,
                .device = device_,
                .stream = stream,
                .galaxy = galaxy,
                .step = step,
                .start_ms = 0.0,
                .end_ms = 0.0};
  added.begin = event();
  added.end = event();
  record(*recorded_.back().begin, native);
  return recorded_.size() - 1;
}

void TimelineRecorder::end(Mark mark, CUstream native) {
  if (on_) record(*recorded_[mark].end, native);
}

void TimelineRecorder::stop(CUstream main) {
  if (!std::exchange(on_, false)) return;
  last_->record(main);
  waiting_ = true;
}

std::optional<std::vector<TimelineSpan>> TimelineRecorder::take() {
  if (!waiting_ || !last_->passed()) return std::nullopt;
  waiting_ = false;
  std::vector<TimelineSpan> spans;
  for (auto& each : recorded_) {
    each.span.start_ms = each.begin->milliseconds_since(*zero_);
    each.span.end_ms = each.end->milliseconds_since(*zero_);
    spans.push_back(each.span);
  }
  return spans;
}

}  // namespace orrery::sim::cuda
