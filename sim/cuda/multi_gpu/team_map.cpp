#include "sim/cuda/multi_gpu/team_map.h"
#include "sim/cuda/device/shared.h"

namespace orrery::sim::cuda {

void MapSum::use(GpuWorker& home, std::size_t cells) {
  home.make_current();
  counted_.clear();
  total_.resize(cells * sizeof(index_t));
  arriving_.resize(cells * sizeof(index_t));
  if (cells > 0 && read_ == nullptr) read_ = std::make_unique<Event>(Event::Use::order);
}

/// Queued on the home device, once the other one has counted.
CUdeviceptr MapSum::fetch(GpuWorker& part, GpuWorker& home) {
  auto& counted = counted_[&part];
  part.make_current();
  if (counted == nullptr) counted = std::make_unique<Event>(Event::Use::order);
  counted->record(part.streams().main());
  home.make_current();
  counted->hold(home.streams().main());
  copy_between(home, arriving_.pointer(), part, part.map().counts(), arriving_.size(), home.streams().main(),
               "copying the activity map to the GPU that draws");
  return arriving_.pointer();
}

/// The part may count again when its counts were read.
void MapSum::release(GpuWorker& part, GpuWorker& home) {
  read_->record(home.streams().main());
  part.make_current();
  read_->hold(part.streams().main());
  home.make_current();
}

void MapSum::write(std::span<GpuWorker* const> parts, GpuWorker& home, CUdeviceptr target) {
  home.make_current();
  const auto& map = home.map();
  const auto stream = home.streams().main();
  map.prepare(stream);
  map.clear(total_.pointer(), stream);
  for (auto* part : parts) {
    const bool here = part == &home;
    map.add(here ? map.counts() : fetch(*part, home), total_.pointer(), stream);
    if (!here) release(*part, home);
  }
  map.normalise(total_.pointer(), target, stream);
}

void TeamMap::use(std::span<const std::unique_ptr<GpuWorker>> parts, std::size_t bodies) {
  counted_ = {};
  is_current_ = false;
  for (const auto& part : parts) part->use_map(spec(), bodies);
  sum_.use(*parts.front(), parts.size() > 1 ? spec().size * spec().size : 0);
  counted_ = spec();
}

void TeamMap::write(std::span<GpuWorker* const> active, GpuWorker& home, CUdeviceptr target) {
  // Others than the device that draws have counted.
  if (active.size() > 1 || active.front() != &home)
    sum_.write(active, home, target != 0 ? target : home.map().values());
  else if (target != 0)
    home.map().normalise(home.map().counts(), target, home.streams().main());
}

}  // namespace orrery::sim::cuda
