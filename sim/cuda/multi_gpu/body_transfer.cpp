#include "sim/cuda/multi_gpu/body_transfer.h"

#include <algorithm>
#include <array>

#include "sim/cuda/driver/api.h"
#include "sim/cuda/multi_gpu/body_exchange.h"
#include "sim/cuda/multi_gpu/peer_copy.h"
#include "sim/engines/packed_bodies.h"

namespace orrery::sim::cuda {

namespace {

constexpr std::size_t body_bytes = 4 * sizeof(float);

CUdeviceptr address(const float* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

void wait_for(BodyTransfer::Parts parts, const char* what) {
  for (auto* part : parts) {
    part->make_current();
    check(driver()->cuStreamSynchronize(part->streams().main()), what);
  }
}

}  // namespace

BodyTransfer::BodyTransfer(Parts all) {
  if (all.size() > 1) way_ = enable_peer_access(all) ? "peer copies" : "copies through the host";
}

/// All copies of bodies and forces through the host go through these two, which count them.
void BodyTransfer::copy_in(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  check(driver()->cuMemcpyHtoDAsync(to, from, bytes, stream), "copying bodies to the GPU");
  copied_bytes_ += bytes;
}

void BodyTransfer::copy_out(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  check(driver()->cuMemcpyDtoHAsync(to, from, bytes, stream), "copying bodies from the GPU");
  copied_bytes_ += bytes;
}

void BodyTransfer::set_order(GpuWorker& home, const BodyOrder& order) {
  order_ = order;
  home.make_current();
  arriving_.resize(0);
  place_.resize(order == nullptr ? 0 : order->size() * sizeof order->front());
  if (order == nullptr) return;
  const auto stream = home.streams().main();
  copy_in(place_.pointer(), order->data(), place_.size(), stream);
  check(driver()->cuStreamSynchronize(stream), "copying the order of the bodies to the GPU");
}

void BodyTransfer::pack(const Bodies& bodies, bool charges, float* position, float* velocity) const {
  if (order_ == nullptr) return pack_bodies(bodies, charges, position, velocity);
#pragma omp parallel for schedule(static) if (bodies.size() > worth_threads)
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const std::size_t i = (*order_)[k];
    const auto &x = bodies.position[i], &v = bodies.velocity[i];
    const float charge = charges ? bodies.charge[i] : 0.0F;
    std::ranges::copy(std::array{x.x, x.y, x.z, bodies.mass[i]}, position + 4 * k);
    std::ranges::copy(std::array{v.x, v.y, v.z, charge}, velocity + 4 * k);
  }
}

void BodyTransfer::upload(Parts parts, const Bodies& bodies, bool charges, bool pinned) {
  parts.front()->make_current();
  const std::size_t count = bodies.size();
  staging_.resize(2 * body_bytes * count, pinned);
  auto* x = static_cast<float*>(staging_.data());
  auto* v = x + 4 * count;
  pack(bodies, charges, x, v);
  for (auto* part : parts) {
    const auto& held = part->share().held;
    const auto stream = part->streams().main();
    const CUdeviceptr position = part->packed_position();
    const CUdeviceptr velocity = part->packed_velocity();
    copy_in(position, x + 4 * held.first, body_bytes * held.size(), stream);
    copy_in(velocity, v + 4 * held.first, body_bytes * held.size(), stream);
    part->unpack(position, velocity, stream, {0, held.size()});
  }
  wait_for(parts, "copying bodies to the GPU");
}

void BodyTransfer::upload_positions(Parts parts, const Bodies& bodies, bool pinned) {
  parts.front()->make_current();
  staging_.resize(2 * body_bytes * bodies.size(), pinned);
  auto* x = static_cast<float*>(staging_.data());
#pragma omp parallel for schedule(static) if (bodies.size() > worth_threads)
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto& at = bodies.position[i];
    const std::array body{at.x, at.y, at.z, bodies.mass[i]};
    std::ranges::copy(body, x + 4 * i);
  }
  for (auto* part : parts) {
    const auto& held = part->share().held;
    const auto stream = part->streams().main();
    const CUdeviceptr position = part->packed_position();
    copy_in(position, x + 4 * held.first, body_bytes * held.size(), stream);
    part->unpack(position, 0, stream, {0, held.size()});
  }
  wait_for(parts, "copying positions to the GPU");
}

void BodyTransfer::download_velocities(Parts parts, BodyWrite& write, Bodies& bodies, bool positions_too,
                                       bool pinned) {
  parts.front()->make_current();
  const std::size_t count = bodies.size();
  staging_.resize(2 * body_bytes * count, pinned);
  auto* x = static_cast<float*>(staging_.data());
  auto* v = x + 4 * count;
  for (auto* part : parts) {
    part->write(write, part->packed_position(), part->packed_velocity());
    part->make_current();
    const auto targets = part->targets();
    const std::size_t bytes = body_bytes * targets.size(), offset = body_bytes * targets.first;
    const std::size_t first = 4 * part->share().targets.first;
    const auto stream = part->streams().main();
    if (positions_too) copy_out(x + first, part->packed_position() + offset, bytes, stream);
    copy_out(v + first, part->packed_velocity() + offset, bytes, stream);
  }
  wait_for(parts, "copying velocities from the GPU");
#pragma omp parallel for schedule(static) if (count > worth_threads)
  for (std::size_t i = 0; i < count; ++i) {
    bodies.velocity[i] = {v[4 * i], v[4 * i + 1], v[4 * i + 2]};
    if (positions_too) bodies.position[i] = {x[4 * i], x[4 * i + 1], x[4 * i + 2]};
  }
}

void BodyTransfer::copy_packed(GpuWorker& part, float* position, float* velocity) {
  part.make_current();
  const auto stream = part.streams().main();
  const auto targets = part.targets();
  const auto global = part.share().targets;
  const std::size_t bytes = body_bytes * targets.size();
  const std::size_t offset = body_bytes * targets.first;
  copy_out(position + 4 * global.first, part.packed_position() + offset, bytes, stream);
  if (velocity != nullptr)
    copy_out(velocity + 4 * global.first, part.packed_velocity() + offset, bytes, stream);
}

/// Packed positions of all bodies, then velocities, in the order of the parts; waits.
const float* BodyTransfer::fetch(Parts parts, BodyWrite& write, std::size_t bodies, bool pinned) {
  parts.front()->make_current();
  staging_.resize(2 * body_bytes * bodies, pinned);
  auto* x = static_cast<float*>(staging_.data());
  for (auto* part : parts) {
    part->write(write, part->packed_position(), part->packed_velocity());
    copy_packed(*part, x, x + 4 * bodies);
  }
  wait_for(parts, "copying bodies from the GPU");
  return x;
}

void BodyTransfer::download(Parts parts, BodyWrite& write, float* position, float* velocity,
                            std::size_t bodies, bool pinned) {
  const auto* x = fetch(parts, write, bodies, pinned);
  put_back(order_, x, bodies, 4, position);
  put_back(order_, x + 4 * bodies, bodies, 4, velocity);
}

void BodyTransfer::download(Parts parts, BodyWrite& write, Bodies& bodies, bool pinned) {
  const std::size_t count = bodies.size();
  const auto* x = fetch(parts, write, count, pinned);
  const auto* v = x + 4 * count;
#pragma omp parallel for schedule(static) if (count > worth_threads)
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t i = order_ == nullptr ? k : (*order_)[k];
    bodies.position[i] = {x[4 * k], x[4 * k + 1], x[4 * k + 2]};
    bodies.velocity[i] = {v[4 * k], v[4 * k + 1], v[4 * k + 2]};
  }
}

/// The packed targets of another device into memory of `home` (of body 0), in that device's stream.
void BodyTransfer::send(GpuWorker& part, GpuWorker& home, CUdeviceptr position, CUdeviceptr velocity) {
  const auto stream = part.streams().main();
  const auto targets = part.targets();
  const std::size_t global = body_bytes * part.share().targets.first;
  const std::size_t local = body_bytes * targets.first;
  const auto copy = [&](CUdeviceptr to, CUdeviceptr from) {
    copy_between(home, to + global, part, from + local, body_bytes * targets.size(), stream,
                 "copying bodies to the GPU that draws");
  };
  copy(position, part.packed_position());
  copy(velocity, part.packed_velocity());
}

void BodyTransfer::write_vertices(Parts parts, GpuWorker& home, BodyWrite& write,
                                  const VertexTarget& target) {
  if (order_ == nullptr)
    send_all(parts, home, write, target, false);
  else
    gather_all(parts, home, write, target);
}

/// All bodies in their order, and from there into the target.
void BodyTransfer::gather_all(Parts parts, GpuWorker& home, BodyWrite& write, const VertexTarget& target) {
  home.make_current();
  const std::size_t bytes = body_bytes * order_->size();
  arriving_.resize(2 * bytes);
  VertexTarget arriving = target;
  arriving.position = reinterpret_cast<float*>(arriving_.pointer());  // NOLINT(performance-no-int-to-ptr)
  arriving.velocity =
      reinterpret_cast<float*>(arriving_.pointer() + bytes);  // NOLINT(performance-no-int-to-ptr)
  // The others overwrite what was put back before.
  if (put_back_ == nullptr) put_back_ = std::make_unique<Event>(Event::Use::order);
  put_back_->record(home.streams().main());
  for (auto* part : parts) {
    part->make_current();
    put_back_->hold(part->streams().main());
  }
  send_all(parts, home, write, arriving, true);
  home.put_back_vertices(arriving_.pointer(), place_.pointer(), order_->size(), address(target.position),
                         address(target.velocity));
}

/// With `home_too` the bodies of `home` go by its packed memory, as those of the others.
void BodyTransfer::send_all(Parts parts, GpuWorker& home, BodyWrite& write, const VertexTarget& target,
                            bool home_too) {
  const auto free_event = static_cast<CUevent>(target.free_event);
  for (auto* part : parts) {
    part->make_current();
    const auto stream = part->streams().main();
    if (free_event != nullptr)
      check(driver()->cuStreamWaitEvent(stream, free_event, CU_EVENT_WAIT_DEFAULT),
            "waiting for the vertex buffer");
    if (part == &home && !home_too) {
      const std::size_t shift = body_bytes * part->share().held.first;
      part->write(write, address(target.position) + shift, address(target.velocity) + shift);
      continue;
    }
    part->write(write, part->packed_position(), part->packed_velocity());
    const bool measured = part == parts.back() && begin_arrival(*part);
    send(*part, home, address(target.position), address(target.velocity));
    if (measured) {
      arrival_.end->record(stream);
      arrival_.measuring = true;
    }
    // One a device, made at its first publish: nothing is allocated for a frame.
    auto& sent = sent_[part];
    if (sent == nullptr) sent = std::make_unique<Event>(Event::Use::order);
    sent->record(stream);
    home.make_current();
    sent->hold(home.streams().main());
  }
}

/// Measures the last part's way: events belong to one device. False while the last measurement is under way.
bool BodyTransfer::begin_arrival(GpuWorker& part) {
  arrival_ms();
  if (arrival_.part != &part) {
    arrival_.part = &part;
    arrival_.start = std::make_unique<Event>();
    arrival_.end = std::make_unique<Event>();
    arrival_.measuring = false;
  }
  if (arrival_.measuring) return false;
  arrival_.start->record(part.streams().main());
  return true;
}

double BodyTransfer::arrival_ms() {
  if (arrival_.measuring && arrival_.end->passed()) {
    arrival_ms_ = arrival_.end->milliseconds_since(*arrival_.start);
    arrival_.measuring = false;
  }
  return arrival_ms_;
}

void BodyTransfer::copy_map(GpuWorker& part, float* to) {
  part.make_current();
  const auto stream = part.streams().main();
  copy_out(to, part.map().values(), part.map().value_bytes(), stream);
  check(driver()->cuStreamSynchronize(stream), "copying the activity map from the GPU");
}

void BodyTransfer::copy_map_to_device(GpuWorker& part, const float* from, std::size_t floats, float* to) {
  part.make_current();
  const auto stream = part.streams().main();
  copy_in(address(to), from, floats * sizeof(float), stream);
  check(driver()->cuStreamSynchronize(stream), "copying the activity map to the GPU");
}

std::byte* BodyTransfer::accelerations_memory(std::size_t bodies, std::size_t real_bytes, bool pinned) {
  accelerations_.resize(3 * real_bytes * bodies, pinned);
  return static_cast<std::byte*>(accelerations_.data());
}

void BodyTransfer::copy_accelerations(GpuWorker& part, std::size_t real_bytes, std::byte* all) {
  part.make_current();
  const auto targets = part.targets();
  const std::size_t vector = 3 * real_bytes;
  copy_out(all + vector * part.share().targets.first, part.accelerations() + vector * targets.first,
           vector * targets.size(), part.streams().main());
}

void BodyTransfer::copy_to_target(GpuWorker& home, const float* position, const float* velocity,
                                  std::size_t bodies, const VertexTarget& target) {
  home.make_current();
  const auto stream = home.streams().main();
  copy_in(address(target.position), position, body_bytes * bodies, stream);
  copy_in(address(target.velocity), velocity, body_bytes * bodies, stream);
  check(driver()->cuStreamSynchronize(stream), "publishing");
}

}  // namespace orrery::sim::cuda
