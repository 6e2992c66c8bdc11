#include "sim/cuda/multi_gpu/gpu_loss.h"

#include <chrono>
#include <utility>
#include <vector>

#include "sim/core/error.h"
#include "sim/cuda/driver/api.h"
#include "sim/engines/packed_bodies.h"

namespace orrery::sim::cuda {

namespace {

/// Seconds from one copy of the state to the next.
constexpr double copy_interval = 1.0;

}  // namespace

/// A copy of the last complete state in the host's memory, made in the background now and then: what is left
/// when one of several GPUs fails.
class GpuLoss::Copies {
 public:
  Copies(std::span<GpuWorker* const> parts, std::size_t bodies, BodyOrder order)
      : bodies_(bodies), order_(std::move(order)) {
    for (auto* part : parts) {
      part->make_current();
      lines_.push_back(std::make_unique<Line>(*part));
      lines_.back()->packed.resize(2 * body_bytes * part->bodies());
    }
    for (auto& copy : copies_) copy.memory.resize(2 * body_bytes * bodies, true);
  }
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;
  ~Copies() {
    for (auto& line : lines_) {
      driver()->cuCtxSetCurrent(line->part.context());
      driver()->cuStreamSynchronize(line->side.main());
      line.reset();
    }
  }

  /// Queues a copy of the state, complete in the main streams, if the last copy is done and old enough.
  void queue_if_due(const Kept& now) {
    settle();
    const auto clock = Clock::now();
    if (under_way_ || std::chrono::duration<double>(clock - queued_at_).count() < copy_interval) return;
    queued_at_ = clock;
    auto& copy = copies_[1 - newest_];
    copy.whole = false;
    copy.of = now;
    for (auto& line : lines_) queue(*line, static_cast<float*>(copy.memory.data()));
    under_way_ = true;
  }

  /// Puts the newest copy that arrived into `bodies`. Changes nothing if there is none yet.
  void restore(Bodies& bodies, Kept& of) {
    try {
      settle();
    } catch (const Error&) {
      // The copy under way is lost with the GPU; the one before it is whole.
    }
    const auto& copy = copies_[newest_];
    if (!copy.whole) return;
    const auto* x = static_cast<const float*>(copy.memory.data());
    unpack_bodies(x, x + 4 * bodies_, bodies, places(order_));
    of = copy.of;
  }

 private:
  using Clock = std::chrono::steady_clock;
  /// One device's part of a copy: its own memory and stream, so that the copy runs beside the next forces.
  struct Line {
    explicit Line(GpuWorker& its_part) : part(its_part) {}
    GpuWorker& part;
    DeviceMemory packed;
    Streams side;
    Event ready{Event::Use::order};
    Event done{Event::Use::order};
  };
  struct Copy {
    HostMemory memory;  ///< positions, then velocities, 4 floats per body
    Kept of{};
    bool whole = false;
  };

  bool arrived() const {
    for (const auto& line : lines_) {
      line->part.make_current();
      if (!line->done.passed()) return false;
    }
    return true;
  }

  void settle() {
    if (!under_way_ || !arrived()) return;
    under_way_ = false;
    newest_ = 1 - newest_;
    copies_[newest_].whole = true;
  }

  void queue(Line& line, float* position) const {
    auto& part = line.part;
    const CUdeviceptr packed_velocity = line.packed.at(body_bytes * part.bodies());
    part.publish_range(line.packed.pointer(), packed_velocity, part.streams().main(), part.targets());
    line.ready.record(part.streams().main());
    line.ready.hold(line.side.main());
    const std::size_t bytes = body_bytes * part.targets().size();
    const std::size_t offset = body_bytes * part.targets().first;
    const std::size_t first = 4 * part.share().targets.first;
    const auto copy_out = [&](float* to, CUdeviceptr from) {
      check(driver()->cuMemcpyDtoHAsync(to + first, from + offset, bytes, line.side.main()),
            "keeping a copy of the state");
    };
    copy_out(position, line.packed.pointer());
    copy_out(position + 4 * bodies_, packed_velocity);
    line.done.record(line.side.main());
  }

  std::vector<std::unique_ptr<Line>> lines_;
  std::size_t bodies_;
  BodyOrder order_;
  Copy copies_[2];
  int newest_ = 0;  ///< the whole one; the other is on its way or free
  bool under_way_ = false;
  Clock::time_point queued_at_{};
};

GpuLoss::GpuLoss() = default;
GpuLoss::~GpuLoss() = default;

void GpuLoss::keep_copies(std::span<GpuWorker* const> parts, std::size_t bodies, BodyOrder order) {
  copies_ = std::make_unique<Copies>(parts, bodies, std::move(order));
}

void GpuLoss::drop_copies() { copies_.reset(); }

void GpuLoss::queue_copy_if_due(double time, std::uint64_t steps) { copies_->queue_if_due({time, steps}); }

GpuLoss::Kept GpuLoss::go_back(Bodies& host) {
  Kept kept = uploaded_;
  // Where no copy has arrived yet the host still has what was uploaded.
  if (copies_) copies_->restore(host, kept);
  return kept;
}

}  // namespace orrery::sim::cuda
