#include "app/session/drawn_bodies.h"

#include <utility>

#include "app/log.h"
#include "render/error.h"
#include "sim/core/error.h"
#include "sim/cuda/options/schedule.h"
#include "sim/options/configuration.h"
#include "sim/options/engine_option.h"

namespace orrery::app {

DrawnBodies::DrawnBodies(const sim::Bodies& bodies, const SceneSummary& summary,
                         const sim::Configuration& settings, std::uint64_t revision, std::uint64_t frames)
    : bodies_(bodies),
      summary_(summary),
      host_(bodies.size(), render::BodyBuffers::Storage::host_ring),
      ring_revision_(revision),
      frames_(frames) {
  set_static(host_, bodies, summary);
  interop_ = make_ring(settings);
}

sim::TargetRing DrawnBodies::host_targets() const {
  sim::TargetRing ring;
  for (int slot = 0; slot < host_.slots(); ++slot) {
    ring.at(static_cast<std::size_t>(slot)) = {.position = host_.mapped_position(slot),
                                               .velocity = host_.mapped_velocity(slot),
                                               .bodies = host_.bodies()};
  }
  return ring;
}

/// Null where the bodies have to be copied: how_ then says why.
DrawnBodies::Interop DrawnBodies::make_ring(const sim::Configuration& settings) {
  how_.clear();
  if (!sim::is_on_gpu(settings)) return nullptr;
  std::string why_copied;
  auto interop =
      make_interop(settings, bodies_, summary_, render::BodyBuffers::Storage::device_ring, why_copied);
  how_ = interop ? "drawn in place: the GPU writes the bodies where they are drawn"
                 : "bodies are copied through main memory: " + why_copied;
  log_info(how_);
  return interop;
}

void DrawnBodies::change_ring(const sim::Configuration& settings, std::uint64_t revision) {
  if (interop_) retired_.push_back(std::move(interop_));
  interop_ = make_ring(settings);
  ring_revision_ = revision;
}

bool DrawnBodies::need_other_ring(const sim::OptionTable& table, const sim::Configuration& a,
                                  const sim::Configuration& b) {
  const auto decides_buffers = [](const sim::Option& option) {
    return option.name == "engine" || option.name == "interop" || option.name == "map-size";
  };
  const bool other_gpu = sim::is_on_gpu(a) && sim::cuda::named_device(a) != sim::cuda::named_device(b);
  return other_gpu || !sim::same_effect(table, a, b, decides_buffers);
}

/// The slot in hand goes back, CUDA's again in every ring, and the new one becomes OpenGL's.
bool DrawnBodies::take_frame(sim::Simulation& simulation, sim::FrameInfo& frame,
                             sim::Configuration& configuration) try {
  if (interop_) interop_->to_cuda(slot_);
  for (const auto& retired : retired_) retired->to_cuda(slot_);
  slot_ = simulation.take_frame(frame);
  ++frames_;
  show(frame);
  find_map(frame, configuration);
  // From this frame on the simulation uses the newest ring only.
  if (frame.revision >= ring_revision_ && frame.device_ring == device_targets()) retired_.clear();
  return true;
} catch (const sim::Error& error) {
  // A lost GPU, most likely: what the simulation publishes through the host is shown from now on.
  log_error(error.what());
  shown_ = nullptr;
  map_ = nullptr;
  configuration.set("interop", false);
  return false;
}

/// Finds the ring that the frame is in.
void DrawnBodies::show(const sim::FrameInfo& frame) {
  shown_ = nullptr;
  if (!frame.on_device) return;
  auto* ring = frame.device_ring == device_targets() ? interop_.get() : nullptr;
  for (const auto& retired : retired_) {
    if (frame.device_ring == &retired->targets()) ring = retired.get();
  }
  if (ring == nullptr) throw sim::Error("a state arrived in vertex buffers that are gone");
  ring->to_opengl(slot_);
  if (!ring->lost()) shown_ = ring;
}

/// Where the map of the new frame is; one that came through main memory is copied to the GPU.
void DrawnBodies::find_map(const sim::FrameInfo& frame, sim::Configuration& configuration) {
  map_ = nullptr;
  const auto size = frame.map.size;
  if (size == 0) return;
  if (frame.on_device) {
    if (shown_ != nullptr) map_ = shown_->maps();
    if (map_ != nullptr) map_->ask_largest(slot_);
    return;
  }
  try {
    if (host_map_ == nullptr || host_map_->size() != size)
      host_map_ = std::make_unique<render::MapBuffers>(size, 1);
    host_map_->upload(0, {frame.host_map, host_map_->floats()});
    map_ = host_map_.get();
  } catch (const render::Error& error) {
    log_error(error.what());
    host_map_.reset();
    configuration.set("map-size", std::int64_t{0});
  }
}

}  // namespace orrery::app
