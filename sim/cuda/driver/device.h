#pragma once

#include "sim/cuda/driver/cuda_abi.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace orrery::sim::cuda {

/// Properties of a CUDA device.
struct DeviceInfo {
  int ordinal = 0;
  std::string name;
  int capability_major = 0;
  int capability_minor = 0;
  int multiprocessors = 0;
  int fp64_ratio = 0;      ///< FP32 lanes for each one of double precision; 0: not known
  double clock_mhz = 0.0;  ///< the highest of the multiprocessors
  std::size_t memory = 0;  ///< bytes
  int driver_version = 0;  ///< 13000 for CUDA 13.0

  std::string architecture() const {
    return "sm_" + std::to_string(capability_major * 10 + capability_minor);
  }
  /// The FP32 limit in 1e9 interactions per second: 128 lanes per multiprocessor and clock, 13 issue slots an
  /// interaction (3 additions, 6 fused, 3 multiplications, 1 reciprocal square root).
  double fp32_limit_gips() const { return multiprocessors * 128.0 * clock_mhz * 1e-3 / 13.0; }
  /// The weight of a device for sharing work; without the clock, which some virtual GPUs do not tell.
  double relative_speed() const { return multiprocessors * (clock_mhz > 0.0 ? clock_mhz : 1000.0); }
};

/// All CUDA devices; or none, and why there are none.
struct FoundDevices {
  std::vector<DeviceInfo> devices;
  std::string problem;  ///< empty if there are devices
};
FoundDevices find_devices();
/// The devices that find_devices() finds.
std::vector<DeviceInfo> devices();
/// Why CUDA does not start on this GPU, which must be there; empty if it does. The first call for a GPU
/// starts it, for as long as the program runs; later ones remember how that went. Leaves the current context
/// alone.
std::string start_problem(int ordinal);
/// The first problem that `start_problem` found so far; empty if there is none.
std::string known_start_problem();
/// Throws UsageError with what there is if one of these ordinals is not there.
void check_devices(const std::vector<int>& ordinals);
/// Bytes of the device among these that has least.
std::uint64_t smallest_memory(const std::vector<int>& ordinals);

/// The primary context of a device, current on the thread that made this object; kept until the program ends.
/// Throws Error.
class Context {
 public:
  explicit Context(int ordinal);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  void make_current() const;
  const DeviceInfo& info() const { return info_; }
  CUcontext native() const { return context_; }

 private:
  CUcontext context_ = nullptr;
  DeviceInfo info_;
};

/// Device memory, freed with the object; empty until `resize`.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  DeviceMemory(DeviceMemory&& other) noexcept;
  DeviceMemory& operator=(DeviceMemory&& other) noexcept;
  ~DeviceMemory();
  /// Makes room for `bytes`; the content is lost when the size changes. Throws Error with the number that was
  /// asked for and what is free.
  void resize(std::size_t bytes);
  CUdeviceptr pointer() const { return pointer_; }
  CUdeviceptr at(std::size_t byte) const { return pointer_ + byte; }
  std::size_t size() const { return size_; }

 private:
  CUdeviceptr pointer_ = 0;
  std::size_t size_ = 0;
};

/// Host memory for copies, page-locked or ordinary.
class HostMemory {
 public:
  HostMemory() = default;
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;
  ~HostMemory();
  void resize(std::size_t bytes, bool pinned);
  void* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  void release();
  void* data_ = nullptr;
  std::size_t size_ = 0;
  bool pinned_ = false;
};

/// A point in a stream, for timing and for asking how far the GPU is.
class Event {
 public:
  /// The use of an event: timing, or only order between streams, which costs less.
  enum class Use { timing, order };
  explicit Event(Use use = Use::timing);
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event();
  void record(CUstream stream);
  /// Records the event in a stream that is being captured: each run of the graph records it.
  void record_in_graph(CUstream stream);
  /// Makes all work queued in `stream` after this wait for the event, also on another device.
  void hold(CUstream stream) const;
  /// True when the GPU has passed it; also before it was ever recorded.
  bool passed() const;
  void wait() const;
  /// Milliseconds from `start` to this one; both must have passed.
  double milliseconds_since(const Event& start) const;
  CUevent native() const { return event_; }

 private:
  CUevent event_ = nullptr;
};

/// Measures the time of some work in a stream, between two events. Every function needs the context of its
/// device.
class EventTimer {
 public:
  /// Makes the events for the device of the current context, which may be another one than before.
  void make() {
    start_ = std::make_unique<Event>();
    end_ = std::make_unique<Event>();
    running_ = false;
  }
  bool made() const { return start_ != nullptr; }
  /// Call before the work, which is not measured while the end of the last one was not seen, unless `anew`
  /// demands it.
  void begin(CUstream stream, bool anew = false) {
    if (!anew) milliseconds();
    measures_ = anew || !running_;
    if (measures_) start_->record(stream);
  }
  void end(CUstream stream) {
    if (!measures_) return;
    end_->record(stream);
    running_ = true;
  }
  /// The last work that was measured was not seen to end yet.
  bool running() const { return running_; }
  /// Milliseconds of the last one that is known to have ended; 0: none.
  double milliseconds() {
    if (running_ && end_->passed()) {
      milliseconds_ = end_->milliseconds_since(*start_);
      running_ = false;
    }
    return milliseconds_;
  }

 private:
  std::unique_ptr<Event> start_, end_;
  bool measures_ = false;  ///< between begin and end
  bool running_ = false;
  double milliseconds_ = 0.0;
};

/// The streams of one engine on one device: the main one, in which everything is ordered, and workers that
/// galaxies are spread over between a fork and a join. None of them waits for the default stream. For the
/// context that was current when it was made, which must be current for all calls.
class Streams {
 public:
  Streams();
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  ~Streams();

  CUstream main() const { return main_; }
  /// Worker k modulo the number of workers; the main stream where there are none.
  CUstream worker(std::size_t k) const {
    return workers_.empty() ? main_ : workers_[k % workers_.size()].stream;
  }
  std::size_t workers() const { return workers_.size(); }
  /// Sets the number of workers. Joins first.
  void resize(std::size_t workers);
  /// The workers wait for what the main stream has queued.
  void fork();
  /// Blocks until all streams have done what is queued; what is forked stays so.
  void wait() const;
  /// Forgets a capture that failed: nothing was queued, nothing is to be joined.
  void abandon() { forked_ = false; }
  /// The main stream waits for what the workers have queued since the fork.
  void join();

 private:
  struct Worker {
    CUstream stream = nullptr;
    std::unique_ptr<Event> done;
  };
  CUstream main_ = nullptr;
  std::vector<Worker> workers_;
  Event forked_at_{Event::Use::order};
  bool forked_ = false;
};

}  // namespace orrery::sim::cuda
