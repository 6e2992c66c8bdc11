#include "sim/cuda/driver/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "sim/core/error.h"
#include "sim/cuda/driver/api.h"

namespace orrery::sim::cuda {

namespace {

int attribute(CUdevice device, CUdevice_attribute which) {
  int value = 0;
  driver()->cuDeviceGetAttribute(&value, which, device);
  return value;
}

DeviceInfo info_of(int ordinal) {
  DeviceInfo info{.ordinal = ordinal};
  CUdevice device = 0;
  check(driver()->cuDeviceGet(&device, ordinal), "choosing CUDA device " + std::to_string(ordinal));
  char name[256] = {};
  driver()->cuDeviceGetName(name, sizeof name - 1, device);
  info.name = name;
  info.capability_major = attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  info.capability_minor = attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  info.multiprocessors = attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  info.fp64_ratio = attribute(device, CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO);
  info.clock_mhz = attribute(device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE) * 1e-3;
  driver()->cuDeviceTotalMem(&info.memory, device);
  driver()->cuDriverGetVersion(&info.driver_version);
  return info;
}

/// Throws Error. The context is never released: starting CUDA takes a quarter of a second, and engines come
/// and go with datasets.
CUcontext started_context(const DeviceInfo& info) {
  CUdevice device = 0;
  CUcontext context = nullptr;
  check(driver()->cuDeviceGet(&device, info.ordinal), "choosing the CUDA device");
  if (const auto result = driver()->cuDevicePrimaryCtxRetain(&context, device); result != CUDA_SUCCESS)
    throw Error(fmt::format(
        "CUDA does not start on GPU {} ({}): {}; `nvidia-smi` says whether another program holds it",
        info.ordinal, info.name, error_text(result)));
  return context;
}

/// What came of starting each GPU: empty where it started.
struct Starts {
  std::mutex starting, mutex;
  std::map<int, std::string> problems;
};

Starts& starts() {
  static Starts all;
  return all;
}

CUstream new_stream() {
  CUstream stream = nullptr;
  check(driver()->cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "making a CUDA stream");
  return stream;
}

}  // namespace

FoundDevices find_devices() {
  FoundDevices found{.problem = driver_problem()};
  if (driver() == nullptr) return found;
  int count = 0;
  if (const auto result = driver()->cuDeviceGetCount(&count); result != CUDA_SUCCESS) {
    found.problem = "the NVIDIA driver does not count its GPUs: " + error_text(result);
    return found;
  }
  try {
    for (int k = 0; k < count; ++k) found.devices.push_back(info_of(k));
    if (count <= 0) found.problem = no_gpu;
  } catch (const Error& error) {
    // Ordinals have no gaps: with one that is broken none is used.
    found.devices.clear();
    found.problem = error.what();
  }
  return found;
}

std::vector<DeviceInfo> devices() { return find_devices().devices; }

void check_devices(const std::vector<int>& ordinals) {
  const auto present = static_cast<int>(devices().size());
  for (const int ordinal : ordinals) {
    if (present == 0) throw UsageError("no CUDA device is here: " + find_devices().problem);
    if (ordinal >= present)
      throw UsageError(fmt::format("there is no CUDA device {}; this machine has {} (0 to {})", ordinal,
                                   present, present - 1));
  }
}

std::uint64_t smallest_memory(const std::vector<int>& ordinals) {
  const auto all = devices();
  std::uint64_t least = ~std::uint64_t{0};
  for (const int ordinal : ordinals) {
    const auto k = static_cast<std::size_t>(ordinal);
    if (k < all.size()) least = std::min<std::uint64_t>(least, all[k].memory);
  }
  return least;
}

std::string start_problem(int ordinal) {
  auto& all = starts();
  // Nobody else writes.
  const std::lock_guard one_at_a_time(all.starting);
  if (const auto known = all.problems.find(ordinal); known != all.problems.end()) return known->second;
  std::string problem;
  try {
    started_context(info_of(ordinal));
  } catch (const Error& error) {
    problem = error.what();
  }
  const std::lock_guard lock(all.mutex);
  return all.problems[ordinal] = std::move(problem);
}

/// Does not wait for a start that is under way.
std::string known_start_problem() {
  const std::lock_guard lock(starts().mutex);
  for (const auto& [ordinal, problem] : starts().problems)
    if (!problem.empty()) return problem;
  return {};
}

Context::Context(int ordinal) : info_(info_of(ordinal)) {
  keep_driver();
  context_ = started_context(info_);
  make_current();
}

void Context::make_current() const {
  check(driver()->cuCtxSetCurrent(context_), "making the CUDA context current");
}

DeviceMemory::DeviceMemory(DeviceMemory&& other) noexcept
    : pointer_(std::exchange(other.pointer_, 0)), size_(std::exchange(other.size_, 0)) {}

DeviceMemory& DeviceMemory::operator=(DeviceMemory&& other) noexcept {
  std::swap(pointer_, other.pointer_);
  std::swap(size_, other.size_);
  return *this;
}

DeviceMemory::~DeviceMemory() {
  if (pointer_ != 0) driver()->cuMemFree(pointer_);
}

void DeviceMemory::resize(std::size_t bytes) {
  if (bytes == size_) return;
  if (pointer_ != 0) driver()->cuMemFree(std::exchange(pointer_, 0));
  size_ = 0;
  if (bytes == 0) return;
  const CUresult result = driver()->cuMemAlloc(&pointer_, bytes);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    std::size_t free_bytes = 0;
    std::size_t total = 0;
    driver()->cuMemGetInfo(&free_bytes, &total);
    throw Error(fmt::format(
        "the GPU has no {:.1f} MiB left ({:.1f} MiB are free); use fewer bodies or another family",
        static_cast<double>(bytes) / 1048576.0, static_cast<double>(free_bytes) / 1048576.0));
  }
  check(result, "allocating GPU memory");
  size_ = bytes;
}

HostMemory::~HostMemory() { release(); }

void HostMemory::release() {
  if (data_ == nullptr) return;
  if (pinned_) {
    driver()->cuMemFreeHost(data_);
  } else {
    std::free(data_);
  }
  data_ = nullptr;
  size_ = 0;
}

void HostMemory::resize(std::size_t bytes, bool pinned) {
  if (bytes == size_ && pinned == pinned_) return;
  release();
  pinned_ = pinned;
  if (pinned) {
    check(driver()->cuMemAllocHost(&data_, bytes), "allocating page-locked memory (use fewer bodies)");
  } else {
    data_ = std::malloc(bytes);
    if (data_ == nullptr) throw std::bad_alloc();
  }
  size_ = bytes;
}

Event::Event(Use use) {
  const unsigned flags = use == Use::order ? CU_EVENT_DISABLE_TIMING : CU_EVENT_DEFAULT;
  check(driver()->cuEventCreate(&event_, flags), "making a CUDA event");
}
Event::~Event() { driver()->cuEventDestroy(event_); }
void Event::record(CUstream stream) {
  check(driver()->cuEventRecord(event_, stream), "recording a CUDA event");
}

void Event::record_in_graph(CUstream stream) {
  check(driver()->cuEventRecordWithFlags(event_, stream, CU_EVENT_RECORD_EXTERNAL), "recording a CUDA event");
}

void Event::hold(CUstream stream) const {
  check(driver()->cuStreamWaitEvent(stream, event_, CU_EVENT_WAIT_DEFAULT), "waiting for a CUDA event");
}

bool Event::passed() const {
  const CUresult result = driver()->cuEventQuery(event_);
  if (result == CUDA_ERROR_NOT_READY) return false;
  check(result, "the GPU's work");
  return true;
}

void Event::wait() const { check(driver()->cuEventSynchronize(event_), "the GPU's work"); }

double Event::milliseconds_since(const Event& start) const {
  float milliseconds = 0.0F;
  check(driver()->cuEventElapsedTime(&milliseconds, start.event_, event_), "timing the GPU");
  return milliseconds;
}

Streams::Streams() : main_(new_stream()) {}

Streams::~Streams() {
  for (auto& worker : workers_) driver()->cuStreamDestroy(worker.stream);
  driver()->cuStreamDestroy(main_);
}

void Streams::resize(std::size_t workers) {
  if (workers == workers_.size()) return;
  join();
  while (workers_.size() > workers) {
    // Work that is queued is still done.
    driver()->cuStreamDestroy(workers_.back().stream);
    workers_.pop_back();
  }
  while (workers_.size() < workers)
    workers_.push_back({new_stream(), std::make_unique<Event>(Event::Use::order)});
}

void Streams::fork() {
  if (forked_ || workers_.empty()) return;
  forked_at_.record(main_);
  for (const auto& worker : workers_) forked_at_.hold(worker.stream);
  forked_ = true;
}

void Streams::wait() const {
  for (const auto& worker : workers_) check(driver()->cuStreamSynchronize(worker.stream), "the GPU's work");
  check(driver()->cuStreamSynchronize(main_), "the GPU's work");
}

void Streams::join() {
  if (!forked_) return;
  for (const auto& worker : workers_) {
    worker.done->record(worker.stream);
    worker.done->hold(main_);
  }
  forked_ = false;
}

}  // namespace orrery::sim::cuda
