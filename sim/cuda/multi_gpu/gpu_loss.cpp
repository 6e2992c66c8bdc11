#include "sim/cuda/multi_gpu/gpu_loss.h"
#include "sim/core/error.h"
#include "sim/cuda/driver/api.h"
#include "sim/engines/packed_bodies.h"

#include <utility>

namespace orrery::sim::cuda {

namespace {
constexpr std::size_t body_bytes = 4 * sizeof(float);
}

/// One device's part of a checkpoint: its own memory and stream, so that the copy runs beside the next
/// forces.
struct Checkpoint::Line {
  explicit Line(GpuWorker& its_part) : part(its_part) {}
  GpuWorker& part;
  DeviceMemory packed;
  Streams side;
  Event ready{Event::Use::order};
  Event done{Event::Use::order};
};

Checkpoint::Checkpoint(std::span<GpuWorker* const> parts, std::size_t bodies, BodyOrder order)
    : bodies_(bodies), order_(std::move(order)) {
  for (auto* part : parts) {
    part->make_current();
    lines_.push_back(std::make_unique<Line>(*part));
    lines_.back()->packed.resize(2 * body_bytes * part->bodies());
  }
  for (auto& copy : copies_) copy.memory.resize(2 * body_bytes * bodies, true);
}

Checkpoint::~Checkpoint() {
  for (auto& line : lines_) {
    driver()->cuCtxSetCurrent(line->part.context());
    driver()->cuStreamSynchronize(line->side.main());
    line.reset();
  }
}

bool Checkpoint::arrived() {
  for (const auto& line : lines_) {
    line->part.make_current();
    if (!line->done.passed()) return false;
  }
  return true;
}

void Checkpoint::settle() {
  if (!under_way_ || !arrived()) return;
  under_way_ = false;
  newest_ = 1 - newest_;
  copies_[newest_].whole = true;
}

void Checkpoint::queue_if_due(double seconds, double time, std::uint64_t steps) {
  settle();
  const auto now = Clock::now();
  if (under_way_ || std::chrono::duration<double>(now - queued_at_).count() < seconds) return;
  queued_at_ = now;
  auto& copy = copies_[1 - newest_];
  copy.whole = false;
  copy.time = time;
  copy.steps = steps;
  auto* position = static_cast<float*>(copy.memory.data());
  for (auto& line : lines_) {
    auto& part = line->part;
    const CUdeviceptr packed_velocity = line->packed.at(body_bytes * part.bodies());
    part.publish_range(line->packed.pointer(), packed_velocity, part.streams().main(), part.targets());
    line->ready.record(part.streams().main());
    line->ready.hold(line->side.main());
    const std::size_t bytes = body_bytes * part.targets().size();
    const std::size_t offset = body_bytes * part.targets().first;
    const std::size_t first = 4 * part.share().targets.first;
    const auto copy_out = [&](float* to, CUdeviceptr from) {
      check(driver()->cuMemcpyDtoHAsync(to + first, from + offset, bytes, line->side.main()),
            "keeping a copy of the state");
    };
    copy_out(position, line->packed.pointer());
    copy_out(position + 4 * bodies_, packed_velocity);
    line->done.record(line->side.main());
  }
  under_way_ = true;
}

void Checkpoint::restore(Bodies& bodies, double& time, std::uint64_t& steps) {
  try {
    settle();
  } catch (const Error&) {
    // The copy under way is lost with the GPU; the one before it is whole.
  }
  const auto& copy = copies_[newest_];
  if (!copy.whole) return;
  const auto* x = static_cast<const float*>(copy.memory.data());
  unpack_bodies(x, x + 4 * bodies_, bodies, places(order_));
  time = copy.time;
  steps = copy.steps;
}

namespace {
/// Seconds from one copy of the state to the next.
constexpr double copy_interval = 1.0;
}  // namespace

void GpuLoss::note_upload(double time, std::uint64_t steps) { uploaded_ = {time, steps}; }

void GpuLoss::keep_copies(std::span<GpuWorker* const> parts, std::size_t bodies, BodyOrder order) {
  copies_ = std::make_unique<Checkpoint>(parts, bodies, std::move(order));
}

void GpuLoss::queue_copy_if_due(double time, std::uint64_t steps) {
  copies_->queue_if_due(copy_interval, time, steps);
}

GpuLoss::Kept GpuLoss::go_back(Bodies& host) {
  Kept kept = uploaded_;
  // Where no copy has arrived yet the host still has what was uploaded.
  if (copies_) copies_->restore(host, kept.time, kept.steps);
  return kept;
}

}  // namespace orrery::sim::cuda
