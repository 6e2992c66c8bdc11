#include "sim/cuda/multi_gpu/body_transfer.h"

#include <algorithm>
#include <utility>

#include "sim/cuda/driver/api.h"
#include "sim/cuda/families/tree_domain_shapes.h"
#include "sim/cuda/multi_gpu/body_exchange.h"
#include "sim/engines/packed_bodies.h"

namespace orrery::sim::cuda {

namespace {

CUdeviceptr address(const float* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

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
  copy_in(place_.pointer(), order->data(), place_.size(), home.streams().main());
  home.wait("copying the order of the bodies to the GPU");
}

void BodyTransfer::upload(Parts parts, const Bodies& bodies, bool charges, bool pinned, bool positions_only) {
  parts.front()->make_current();
  const std::size_t count = bodies.size();
  staging_.resize(2 * body_bytes * count, pinned);
  auto* x = static_cast<float*>(staging_.data());
  auto* v = positions_only ? nullptr : x + 4 * count;
  pack_bodies(bodies, charges, x, v, places(order_));
  for (auto* part : parts) {
    const auto& held = part->share().held;
    const auto stream = part->streams().main();
    const CUdeviceptr position = part->packed_position();
    const CUdeviceptr velocity = positions_only ? 0 : part->packed_velocity();
    copy_in(position, x + 4 * held.first, body_bytes * held.size(), stream);
    if (!positions_only) copy_in(velocity, v + 4 * held.first, body_bytes * held.size(), stream);
    part->unpack(position, velocity, stream, {0, held.size()});
  }
  for (const auto* part : parts) part->wait("copying bodies to the GPU");
}

void BodyTransfer::copy_packed(GpuWorker& part, float* position, float* velocity) {
  part.make_current();
  const auto stream = part.streams().main();
  const auto targets = part.targets();
  const auto global = part.share().targets;
  const std::size_t bytes = body_bytes * targets.size();
  const std::size_t offset = body_bytes * targets.first;
  if (position != nullptr)
    copy_out(position + 4 * global.first, part.packed_position() + offset, bytes, stream);
  if (velocity != nullptr)
    copy_out(velocity + 4 * global.first, part.packed_velocity() + offset, bytes, stream);
}

/// Packed positions of all bodies, then velocities, in the order of the parts; waits.
const float* BodyTransfer::fetch(Parts parts, BodyWrite& write, std::size_t bodies, bool pinned,
                                 bool positions_too) {
  parts.front()->make_current();
  staging_.resize(2 * body_bytes * bodies, pinned);
  auto* x = static_cast<float*>(staging_.data());
  for (auto* part : parts) {
    part->write(write, part->packed_position(), part->packed_velocity());
    copy_packed(*part, positions_too ? x : nullptr, x + 4 * bodies);
  }
  for (const auto* part : parts) part->wait("copying bodies from the GPU");
  return x;
}

void BodyTransfer::download(Parts parts, BodyWrite& write, float* position, float* velocity,
                            std::size_t bodies, bool pinned) {
  const auto* x = fetch(parts, write, bodies, pinned);
  const auto order = places(order_);
#pragma omp parallel for schedule(static) if (bodies > worth_threads)
  for (std::size_t k = 0; k < bodies; ++k) {
    const std::size_t i = order.empty() ? k : order[k];
    std::copy_n(x + 4 * k, 4, position + 4 * i);
    std::copy_n(x + 4 * (bodies + k), 4, velocity + 4 * i);
  }
}

void BodyTransfer::download(Parts parts, BodyWrite& write, Bodies& bodies, bool pinned, bool positions_too) {
  const auto* x = fetch(parts, write, bodies.size(), pinned, positions_too);
  unpack_bodies(positions_too ? x : nullptr, x + 4 * bodies.size(), bodies, places(order_));
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
  home.make_current();
  Arguments arguments;
  arguments.add(arriving_.pointer()).add(arriving_.at(bytes)).add(place_.pointer());
  arguments.add(address(target.position)).add(address(target.velocity));
  add_index(arguments, order_->size());
  launch(home.module()->function("domain_vertices"),
         {.grid_x = blocks_for(order_->size(), tree::domain_threads), .block_x = tree::domain_threads},
         arguments, home.streams().main());
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
    const bool is_last = part == parts.back();
    if (is_last && std::exchange(arriving_of_, part) != part) arrival_.make();
    if (is_last) arrival_.begin(stream);
    send(*part, home, address(target.position), address(target.velocity));
    if (is_last) arrival_.end(stream);
    // One a device, made at its first publish: nothing is allocated for a frame.
    auto& sent = sent_[part];
    if (sent == nullptr) sent = std::make_unique<Event>(Event::Use::order);
    sent->record(stream);
    home.make_current();
    sent->hold(home.streams().main());
  }
}

void BodyTransfer::copy_map(GpuWorker& part, float* to) {
  part.make_current();
  copy_out(to, part.map().values(), part.map().value_bytes(), part.streams().main());
  part.wait("copying the activity map from the GPU");
}

void BodyTransfer::copy_map_to_device(GpuWorker& part, const float* from, std::size_t floats, float* to) {
  part.make_current();
  copy_in(address(to), from, floats * sizeof(float), part.streams().main());
  part.wait("copying the activity map to the GPU");
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
  home.wait("publishing");
}

}  // namespace orrery::sim::cuda
