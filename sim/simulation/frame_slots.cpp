#include "sim/simulation/frame_slots.h"

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

}  // namespace orrery::sim
