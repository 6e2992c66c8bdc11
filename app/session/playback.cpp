#include "app/session/playback.h"

#include <algorithm>
#include <cmath>

#include "app/session/interop.h"
#include "app/session/loader.h"
#include "sim/engines/engine.h"

namespace orrery::app {

Playback::Playback(const LoadedDataset& dataset)
    : first_(dataset.scene),
      reader_(dataset.series, first_, lab::read_options(dataset.request),
              [openable = dataset.openable](const std::filesystem::path& file) {
                if (openable.checked(file) != file) openable.refuse(file.filename().string());
              }),
      buffers_(first_->bodies.size(), render::BodyBuffers::Storage::host_ring),
      position_(first_->bodies.size()),
      velocity_(first_->bodies.size()),
      time_(first_->time),
      gaps_(sim::describe_gaps(reader_.places())) {
  set_static(buffers_, first_->bodies, dataset.summary);
}

void Playback::go_to(double place) { place_ = std::clamp(place, 0.0, static_cast<double>(size() - 1)); }

std::size_t Playback::nearest() const {
  return static_cast<std::size_t>(
      std::lround(std::clamp(shown_place_, 0.0, static_cast<double>(size() - 1))));
}

/// At an end it begins anew, or stops there.
void Playback::advance(double seconds) {
  const double last = static_cast<double>(size() - 1);
  if (!playing || waits_ || last <= 0.0) return;
  place_ += speed * seconds;
  if (place_ >= 0.0 && place_ <= last) return;
  if (loop)
    place_ = place_ > last ? 0.0 : last;
  else
    playing = false;
  place_ = std::clamp(place_, 0.0, last);
}

bool Playback::update(double seconds) {
  advance(seconds);
  reader_.want(static_cast<std::size_t>(speed < 0.0 ? std::ceil(place_) : std::floor(place_)),
               speed < 0.0 ? -1 : 1);
  if (place_ == shown_place_) return false;
  waits_ = !show(place_);
  return !waits_;
}

bool Playback::show(double place) {
  const auto low = static_cast<std::size_t>(std::floor(place));
  const double share = place - static_cast<double>(low);
  const auto a = reader_.state(low);
  const auto b = share > 0.0 ? reader_.state(low + 1) : a;
  const int next = (slot_ + 1) % buffers_.slots();
  if (a == nullptr || b == nullptr || !buffers_.is_idle(next)) return false;
  sim::interpolate(*a, *b, share, position_, velocity_);
  sim::pack_bodies(position_, velocity_, first_->bodies.mass, buffers_.mapped_position(next),
                   buffers_.mapped_velocity(next));
  slot_ = next;
  shown_place_ = place;
  missing_ = std::max(a->missing, b->missing);
  time_ = sim::time_between(*a, *b, share);
  return true;
}

}  // namespace orrery::app
