#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "sim/cuda/driver/device.h"
#include "sim/cuda/worker/gpu_worker.h"
#include "sim/engines/engine.h"
#include "sim/engines/packed_bodies.h"

namespace orrery::sim::cuda {

/// Moves bodies between the host, or a vertex buffer, and the GPUs that hold them. Counts what it copies
/// through the host.
class BodyTransfer {
 public:
  /// The parts that have targets.
  using Parts = std::span<GpuWorker* const>;

  BodyTransfer() = default;
  /// Makes transfers between these GPUs, which are all that take part.
  explicit BodyTransfer(Parts all);
  /// "peer copies" or "copies through the host"; empty with one GPU.
  const std::string& way() const { return way_; }

  /// Sets the order of the bodies on the parts; everything else uses the dataset's order.
  void set_order(GpuWorker& home, const BodyOrder& order);

  /// Gives every part the bodies it holds; waits. Charges go along where the bodies' law has them. With
  /// `positions_only` velocities and charges that are there stay.
  void upload(Parts parts, const Bodies& bodies, bool charges, bool pinned, bool positions_only = false);
  /// Velocities of all bodies, and with `positions_too` their positions, into `bodies`; waits.
  void download(Parts parts, BodyWrite& write, Bodies& bodies, bool pinned, bool positions_too = true);
  /// All bodies into host arrays of 4 floats per body; waits.
  void download(Parts parts, BodyWrite& write, float* position, float* velocity, std::size_t bodies,
                bool pinned);
  /// All bodies into a device target that belongs to `home`. Only queued; home's main stream then has all.
  void write_vertices(Parts parts, GpuWorker& home, BodyWrite& write, const VertexTarget& target);
  /// Accelerations of the targets to 3 reals per body in host memory. Only queued.
  void copy_accelerations(GpuWorker& part, std::size_t real_bytes, std::byte* all);
  /// Packed targets of a part to host arrays, of which one may be null. Only queued.
  void copy_packed(GpuWorker& part, float* position, float* velocity);
  /// Host arrays of 4 floats per body to a device target; waits.
  void copy_to_target(GpuWorker& home, const float* position, const float* velocity, std::size_t bodies,
                      const VertexTarget& target);

  /// The activity map's values of a part to host memory; waits.
  void copy_map(GpuWorker& part, float* to);
  /// The activity map that the host counted, `floats` numbers, to a part's device memory.
  void copy_map_to_device(GpuWorker& part, const float* from, std::size_t floats, float* to);

  /// Host memory for 3 reals per body, kept by this object.
  std::byte* accelerations_memory(std::size_t bodies, std::size_t real_bytes, bool pinned);

  std::uint64_t copied_bytes() const { return copied_bytes_; }
  void reset_count() { copied_bytes_ = 0; }
  /// Time in which bodies of the other devices reached the target's device at the last publish; 0 with one
  /// device.
  double arrival_ms() { return arrival_.milliseconds(); }

 private:
  void copy_in(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream);
  void copy_out(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream);
  const float* fetch(Parts parts, BodyWrite& write, std::size_t bodies, bool pinned,
                     bool positions_too = true);
  void send(GpuWorker& part, GpuWorker& home, CUdeviceptr position, CUdeviceptr velocity);
  void gather_all(Parts parts, GpuWorker& home, BodyWrite& write, const VertexTarget& target);
  void send_all(Parts parts, GpuWorker& home, BodyWrite& write, const VertexTarget& target, bool home_too);

  std::string way_;
  BodyOrder order_;
  DeviceMemory place_;     ///< order_ on the home device
  DeviceMemory arriving_;  ///< on the home device: all bodies in this order, positions, then velocities
  HostMemory staging_, accelerations_;
  std::uint64_t copied_bytes_ = 0;
  EventTimer arrival_;                      ///< the last part's way: events belong to one device
  const GpuWorker* arriving_of_ = nullptr;  ///< part that arrival_ is of
  std::unique_ptr<Event> put_back_;         ///< all of them are in the target
  std::map<const GpuWorker*, std::unique_ptr<Event>> sent_;  ///< a device's bodies are on their way
};

}  // namespace orrery::sim::cuda
