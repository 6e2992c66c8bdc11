#include "sim/simulation/published_frames.h"

#include <algorithm>

namespace orrery::sim {

int FrameSlots::take(FrameInfo& info) {
  frames_.take();
  info = info_[static_cast<std::size_t>(frames_.reading())];
  return frames_.reading();
}

VertexTarget FrameSlots::target(FrameInfo& info) {
  const auto slot = writing();
  info.host_map = nullptr;
  if (info.on_device) {
    const auto& target = (*info.device_ring)[slot];
    if (target.map == nullptr || target.map_size != info.map.size) info.map = {};
    return target;
  }
  auto target = ring_[slot];
  auto& memory = host_maps_[slot];
  if (info.map.size == 0) {
    memory = {};
    return target;
  }
  memory.resize(map_header + info.map.size * info.map.size);
  target.map = memory.data();
  target.map_size = info.map.size;
  info.host_map = memory.data();
  return target;
}

bool prefers_device(const Engine& engine) {
  return engine.kind().target_space == VertexTarget::Space::device;
}

void FramePublisher::write(Engine& engine) {
  info_.on_device = uses_device_ring(engine);
  info_.device_ring = device_ring_;
  info_.map = engine.map();
  engine.write_vertices(slots_.target(info_));
  info_.time = engine.status().time;
  slots_.info() = info_;
  unpublished_ = false;
  in_flight_ = true;
}

void FramePublisher::offer(const Engine& engine) {
  in_flight_ = false;
  auto& info = slots_.info();
  info.timings = engine.status().timings;
  info.known_at = std::chrono::steady_clock::now();
  // Queueing a step takes a device's engine less time than the step.
  info.step_ms = std::max(info.step_ms, info.timings.force_ms + info.timings.update_ms);
  info.report = engine.report();
  info.problem = info_.problem;
  slots_.offer();
}

void FramePublisher::repeat() {
  in_flight_ = unpublished_ = false;
  slots_.info() = info_;
  slots_.offer();
}

void FramePublisher::use_ring(const TargetRing* device_ring) {
  device_ring_ = device_ring;
  device_ring_lost_ = false;
  unpublished_ = true;
}

bool FramePublisher::uses_device_ring(const Engine& engine) const {
  return device_ring_ != nullptr && !device_ring_lost_ && prefers_device(engine);
}

void FramePublisher::offer_slot(Engine& engine) const {
  if (!uses_device_ring(engine)) return;
  engine.set_next_target(in_flight_ ? VertexTarget() : (*device_ring_)[slots_.writing()]);
}

bool FramePublisher::next_step_publishes(const Engine& engine) const {
  constexpr double soon_ms = 4.0;
  return uses_device_ring(engine) && engine.writes_in_passing() && info_.steps > 0 && info_.step_ms < soon_ms;
}

}  // namespace orrery::sim
