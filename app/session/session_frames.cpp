#include "app/session/session.h"

#include <algorithm>
#include <utility>

#include "app/log.h"
#include "render/context/gl.h"
#include "render/error.h"
#include "sim/core/error.h"
#include "sim/options/configuration.h"
#include "sim/options/engine_option.h"

// States on their way from the simulation, or from a series that plays, into the picture.
namespace orrery::app {

namespace {

/// A longer evaluation is not waited for.
constexpr double longest_gap_force_ms = 2.0;
/// With what is queued before it, drawing takes less than this where it has the GPU for itself.
constexpr std::chrono::milliseconds longest_gap{4};

}  // namespace

/// Null where the bodies have to be copied: drawn_how_ then says why.
Session::Interop Session::make_interop(const sim::Configuration& settings, const LoadedDataset& dataset) {
  drawn_how_.clear();
  if (!sim::is_on_gpu(settings)) return nullptr;
  std::string why_copied;
  auto interop = app::make_interop(for_engine(settings), dataset.scene->bodies, dataset.summary,
                                   render::BodyBuffers::Storage::device_ring, why_copied);
  drawn_how_ = interop ? "drawn in place: the GPU writes the bodies where they are drawn"
                       : "bodies are copied through main memory: " + why_copied;
  log_info(drawn_how_);
  return interop;
}

/// Time goes on as the clock does, but for breaks: those of a window that was moved, for example.
bool Session::update_playback(lab::RateMeter::Clock::time_point now) {
  constexpr double longest = 0.1;
  const double seconds = std::chrono::duration<double>(now - std::exchange(played_at_, now)).count();
  playback_->playing = !paused;
  const bool moved = playback_->update(std::min(seconds, longest));
  if (!playback_->playing && !paused) paused = true;
  if (moved) {
    frame_.time = playback_->time();
    frame_.steps = playback_->nearest();
    frame_taken_ = true;
    take_orbits();
  }
  return take_quantity() || moved;
}

render::BodyBuffers& Session::shown() {
  if (playback_) return playback_->buffers();
  return shown_interop_ != nullptr ? shown_interop_->buffers() : *buffers_;
}

const render::BodyBuffers& Session::shown() const {
  if (playback_) return playback_->buffers();
  return shown_interop_ != nullptr ? shown_interop_->buffers() : *buffers_;
}

/// The slot in hand goes back, CUDA's again in every ring, and the new one becomes OpenGL's.
void Session::take_frame() try {
  to_cuda(slot_);
  slot_ = simulation_->take_frame(frame_);
  ++frames_taken_;
  const auto* current = interop_ ? &interop_->targets() : nullptr;
  shown_interop_ = nullptr;
  if (frame_.on_device) {
    auto* ring = frame_.device_ring == current ? interop_.get() : nullptr;
    for (const auto& retired : retired_) {
      if (frame_.device_ring == &retired->targets()) ring = retired.get();
    }
    if (ring == nullptr) throw sim::Error("a state arrived in vertex buffers that are gone");
    ring->to_opengl(slot_);
    if (!ring->lost()) shown_interop_ = ring;
  }
  frame_taken_ = true;
  note_map();
  // From this frame on the simulation uses the newest ring only.
  if (frame_.revision >= ring_revision_ && frame_.device_ring == current) retired_.clear();
} catch (const sim::Error& error) {
  // A lost GPU, most likely: what the simulation publishes through the host is shown from now on.
  log_error(error.what());
  shown_interop_ = nullptr;
  shown_map_ = nullptr;
  configuration.set("interop", false);
}

/// Before the first state is shown there is nothing to follow. The GPU reads the slot: it counts as drawn.
void Session::take_orbits() try {
  const ShownState state{frame_.time, frame_.steps, frame_.resets};
  if (frame_taken_ && orbits_.take(configuration, shown(), shown_slot(), state)) mark_drawn();
} catch (const render::Error& error) {
  log_error(error.what());
  configuration.set("trails", std::string("off"));
}

/// Finds the quantity of the colour mode. The range is that of the first picture.
/// until somebody adapts it. True if the picture changes.
bool Session::take_quantity() try {
  if (!frame_taken_) return false;
  const auto& mode = color_mode_of(configuration, summary());
  const bool changed = quantities_.update(mode.source, shown(), shown_slot(), frame_.steps);
  if (const auto range = quantities_.range())
    dataset_.summary.ranges.try_emplace(std::string(mode.name), *range);
  return changed;
} catch (const render::Error& error) {
  log_error(error.what());
  configuration.set("color-mode", std::string("auto"));
  return false;
}

/// Where the map of the new frame is; one that came through main memory is copied to the GPU.
void Session::note_map() {
  shown_map_ = nullptr;
  const auto size = frame_.map.size;
  if (size == 0) return;
  if (frame_.on_device) {
    if (shown_interop_ != nullptr) shown_map_ = shown_interop_->maps();
    if (shown_map_ != nullptr) shown_map_->ask_largest(slot_);
    return;
  }
  try {
    if (host_map_ == nullptr || host_map_->size() != size)
      host_map_ = std::make_unique<render::MapBuffers>(size, 1);
    host_map_->upload(0, {frame_.host_map, host_map_->floats()});
    shown_map_ = host_map_.get();
  } catch (const render::Error& error) {
    log_error(error.what());
    host_map_.reset();
    configuration.set("map-size", std::int64_t{0});
  }
}

void Session::to_cuda(int slot) {
  if (interop_) interop_->to_cuda(slot);
  for (const auto& retired : retired_) retired->to_cuda(slot);
}

void Session::mark_drawn() { shown().mark_drawn(shown_slot()); }

/// True if steps are so short that the GPU is soon free to draw.
bool Session::leaves_gaps() const {
  const double force_ms = frame_.timings.force_ms;
  return has_dataset() && shown_interop_ != nullptr && force_ms > 0.0 && force_ms < longest_gap_force_ms;
}

void Session::begin_drawing() {
  drawing_in_gap_ = leaves_gaps();
  if (drawing_in_gap_) simulation_->give_way(2 * longest_gap);
}

void Session::end_drawing() {
  if (!std::exchange(drawing_in_gap_, false)) return;
  render::wait_until_drawn(longest_gap);
  simulation_->go_on();
}

}  // namespace orrery::app
