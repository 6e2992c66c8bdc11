#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/core/descriptor.h"
#include "sim/core/error.h"
#include "sim/cuda/emulator/device_on_cpu.h"
#include "sim/cuda/emulator/emulator.h"

namespace orrery::sim::cuda::emulator {

namespace {

using Clock = std::chrono::steady_clock;
/// What can be queued.
using Work = std::function<void()>;

constexpr auto launch_failed = static_cast<CUresult>(719);  // CUDA_ERROR_LAUNCH_FAILED
constexpr auto invalid_image = static_cast<CUresult>(200);  // CUDA_ERROR_INVALID_IMAGE
constexpr std::size_t memory_of_a_gpu = std::size_t{4} << 30U;
constexpr int block_threads = 128;
constexpr int resident_threads = 1024;

/// Why the last call of this thread failed.
thread_local std::string problem;

/// The work of a thread that captures a graph, in the order in which it was queued: everything that it queues
/// then belongs to the graph, whatever the stream.
struct Graph {
  std::vector<Work> work;
};
thread_local std::unique_ptr<Graph> captured;

CUresult failure(CUresult result, std::string why) {
  problem = std::move(why);
  return result;
}

CUresult queue(Work work) {
  if (captured) {
    captured->work.push_back(std::move(work));
    return CUDA_SUCCESS;
  }
  try {
    work();
  } catch (const std::exception& error) {
    return failure(launch_failed, error.what());
  }
  return CUDA_SUCCESS;
}

// NOLINTNEXTLINE(performance-no-int-to-ptr)
void* host(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

/// Host memory by its address.
class Memory {
 public:
  /// Holds no numbers at first, as a GPU's memory. nullptr: there is not so much.
  void* allocate(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes > free()) return nullptr;
    void* address = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (address == nullptr) return nullptr;
    std::memset(address, 0xff, bytes);
    sizes_[address] = bytes;
    used_ += bytes;
    return address;
  }
  void release(void* address) {
    const std::lock_guard lock(mutex_);
    const auto found = sizes_.find(address);
    if (found == sizes_.end()) return;
    used_ -= found->second;
    sizes_.erase(found);
    std::free(address);
  }
  std::size_t free() const { return devices * memory_of_a_gpu - used_; }

 private:
  static constexpr std::size_t alignment = 256;
  std::mutex mutex_;
  std::map<void*, std::size_t> sizes_;
  std::atomic<std::size_t> used_ = 0;
};

Memory& memory() {
  static Memory all;
  return all;
}

/// A compiled module: a shared library in memory.
struct LoadedModule {
  int file = -1;
  void* library = nullptr;
  const CompiledModule* content = nullptr;

  LoadedModule() = default;
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;
  ~LoadedModule() {
    if (library != nullptr) ::dlclose(library);
    if (file >= 0) ::close(file);
  }
  /// False: `problem` says why not.
  bool open(const void* image) {
    std::uint64_t size = 0;
    std::memcpy(&size, image, sizeof size);
    file = ::memfd_create("kernels", MFD_CLOEXEC);
    if (!write_all(file, {static_cast<const std::byte*>(image) + sizeof size, size})) return false;
    // The file stays open: the name must be no other module's.
    library = ::dlopen(fmt::format("/proc/self/fd/{}", file).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return false;
    using Connect = const CompiledModule* (*)(void*);
    const auto connect = reinterpret_cast<Connect>(::dlsym(library, "orrery_module"));
    if (connect == nullptr) return false;
    content = connect(&machine);
    return true;
  }
};

struct RecordedEvent {
  Clock::time_point time = Clock::now();
};

template <typename Handle>
Handle dummy(int which = 0) {
  static std::array<int, devices> something{};
  return reinterpret_cast<Handle>(&something.at(static_cast<std::size_t>(which)));
}

/// A launch with its own copy of the arguments: a graph is launched later.
class QueuedLaunch {
 public:
  QueuedLaunch(const KernelEntry& kernel, const Launch& shape, void** arguments)
      : kernel_(&kernel), shape_(shape) {
    for (const unsigned* size = kernel.sizes; *size != 0; ++size) {
      const auto* from = static_cast<const unsigned char*>(arguments[values_.size()]);
      values_.emplace_back(from, from + *size);
    }
  }
  void operator()() {
    std::vector<void*> addresses;
    for (auto& value : values_) addresses.push_back(value.data());
    try {
      run(shape_, kernel_->call, addresses.data());
    } catch (const Error& error) {
      throw Error(fmt::format("the kernel {}: {}", kernel_->name, error.what()));
    }
  }

 private:
  const KernelEntry* kernel_;
  Launch shape_;
  std::vector<std::vector<unsigned char>> values_;
};

int attribute(CUdevice_attribute which) {
  // Without a clock: its limits would say nothing.
  static const std::map<CUdevice_attribute, int> known{
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 8},
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 2},
      {CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 2},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, resident_threads}};
  const auto found = known.find(which);
  return found != known.end() ? found->second : 0;
}

/// A call that gives a value, one that takes an object back, and one for which there is nothing to do.
template <typename T>
CUresult give(T* to, std::type_identity_t<T> value) {
  *to = value;
  return CUDA_SUCCESS;
}
template <typename Object, typename Handle>
CUresult take_back(Handle handle) {
  delete reinterpret_cast<Object*>(handle);
  return CUDA_SUCCESS;
}
template <typename... Arguments>
CUresult nothing(Arguments...) {
  return CUDA_SUCCESS;
}

CUresult error_string(CUresult result, const char** text) {
  return give(text, result == CUDA_ERROR_OUT_OF_MEMORY ? "there is no memory left" : problem.c_str());
}

void add_devices(Driver& d) {
  d.cuInit = nothing;
  d.cuDriverGetVersion = [](int* version) { return give(version, 12000); };
  d.cuGetErrorName = [](CUresult, const char** name) { return give(name, "emulated GPU"); };
  d.cuGetErrorString = error_string;
  d.cuDeviceGetCount = [](int* count) { return give(count, devices); };
  d.cuDeviceGet = [](CUdevice* device, int ordinal) { return give(device, ordinal); };
  d.cuDeviceGetName = [](char* name, int length, CUdevice) {
    std::snprintf(name, static_cast<std::size_t>(length), "emulated GPU (CPU)");
    return CUDA_SUCCESS;
  };
  d.cuDeviceGetAttribute = [](int* value, CUdevice_attribute which, CUdevice) {
    return give(value, attribute(which));
  };
  d.cuDeviceTotalMem = [](std::size_t* bytes, CUdevice) { return give(bytes, memory_of_a_gpu); };
  d.cuDeviceCanAccessPeer = [](int* can, CUdevice, CUdevice) { return give(can, 1); };
  d.cuDevicePrimaryCtxRetain = [](CUcontext* context, CUdevice device) {
    return give(context, dummy<CUcontext>(device));
  };
  d.cuCtxSetCurrent = nothing;
  d.cuCtxSynchronize = nothing;
  d.cuCtxEnablePeerAccess = nothing;
}

CUresult copy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return queue([=] { std::memmove(host(to), host(from), bytes); });
}
CUdeviceptr address_of(const void* memory) { return reinterpret_cast<CUdeviceptr>(memory); }

void add_memory(Driver& d) {
  d.cuMemGetInfo = [](std::size_t* free, std::size_t* total) {
    *free = std::min(memory().free(), memory_of_a_gpu);
    return give(total, memory_of_a_gpu);
  };
  d.cuMemAlloc = [](CUdeviceptr* address, std::size_t bytes) {
    *address = address_of(bytes > memory_of_a_gpu ? nullptr : memory().allocate(bytes));
    return *address != 0 ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  };
  d.cuMemFree = [](CUdeviceptr address) {
    memory().release(host(address));
    return CUDA_SUCCESS;
  };
  d.cuMemAllocHost = [](void** address, std::size_t bytes) {
    *address = std::malloc(std::max<std::size_t>(bytes, 1));
    return *address != nullptr ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  };
  d.cuMemFreeHost = [](void* address) {
    std::free(address);
    return CUDA_SUCCESS;
  };
  d.cuMemcpyHtoDAsync = [](CUdeviceptr to, const void* from, std::size_t bytes, CUstream) {
    return copy(to, address_of(from), bytes);
  };
  d.cuMemcpyDtoHAsync = [](void* to, CUdeviceptr from, std::size_t bytes, CUstream) {
    return copy(address_of(to), from, bytes);
  };
  d.cuMemcpyDtoDAsync = [](CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream) {
    return copy(to, from, bytes);
  };
  d.cuMemcpyPeerAsync = [](CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes,
                           CUstream) { return copy(to, from, bytes); };
  d.cuMemsetD8Async = [](CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream) {
    return queue([=] { std::memset(host(to), value, bytes); });
  };
}

/// What is queued has been done, so nothing is waited for.
void add_streams(Driver& d) {
  d.cuStreamCreate = [](CUstream* stream, unsigned) { return give(stream, dummy<CUstream>()); };
  d.cuStreamDestroy = nothing;
  d.cuStreamSynchronize = nothing;
  d.cuStreamWaitEvent = nothing;
  d.cuStreamQuery = nothing;
  d.cuEventCreate = [](CUevent* event, unsigned) {
    return give(event, reinterpret_cast<CUevent>(new RecordedEvent));
  };
  d.cuEventDestroy = take_back<RecordedEvent>;
  d.cuEventRecord = [](CUevent event, CUstream) {
    reinterpret_cast<RecordedEvent*>(event)->time = Clock::now();
    return CUDA_SUCCESS;
  };
  d.cuEventRecordWithFlags = [](CUevent event, CUstream, unsigned) {
    return queue([=] { reinterpret_cast<RecordedEvent*>(event)->time = Clock::now(); });
  };
  d.cuEventQuery = nothing;
  d.cuEventSynchronize = nothing;
  d.cuEventElapsedTime = [](float* milliseconds, CUevent start, CUevent end) {
    const std::chrono::duration<float, std::milli> elapsed =
        reinterpret_cast<RecordedEvent*>(end)->time - reinterpret_cast<RecordedEvent*>(start)->time;
    // A GPU's clock never stands still.
    return give(milliseconds, std::max(elapsed.count(), 1e-3F));
  };
}

CUresult launch_graph(CUgraphExec executable, CUstream) {
  return queue([executable] {
    for (auto& work : reinterpret_cast<Graph*>(executable)->work) work();
  });
}

void add_graphs(Driver& d) {
  d.cuStreamBeginCapture = [](CUstream, CUstreamCaptureMode) {
    captured = std::make_unique<Graph>();
    return CUDA_SUCCESS;
  };
  d.cuStreamEndCapture = [](CUstream, CUgraph* graph) {
    return give(graph, reinterpret_cast<CUgraph>(captured.release()));
  };
  d.cuGraphInstantiateWithFlags = [](CUgraphExec* executable, CUgraph graph, unsigned long long) {
    return give(executable, reinterpret_cast<CUgraphExec>(new Graph(*reinterpret_cast<Graph*>(graph))));
  };
  d.cuGraphUpload = nothing;
  d.cuGraphLaunch = launch_graph;
  d.cuGraphExecDestroy = take_back<Graph>;
  d.cuGraphDestroy = take_back<Graph>;
}

CUresult load_module(CUmodule* module, const void* image) {
  auto loaded = std::make_unique<LoadedModule>();
  if (!loaded->open(image)) {
    const char* why = ::dlerror();
    return failure(invalid_image, why != nullptr ? why : "it cannot be written into memory");
  }
  return give(module, reinterpret_cast<CUmodule>(loaded.release()));
}

/// The entry of that name in a list whose last one has none; nullptr: it is not there, and says so.
template <typename Entry>
const Entry* find_entry(const Entry* entry, const char* name) {
  for (; entry->name != nullptr; ++entry)
    if (std::strcmp(entry->name, name) == 0) return entry;
  problem = "there is none of this name";
  return nullptr;
}

CUresult find_kernel(CUfunction* function, CUmodule module, const char* name) {
  const auto* entry = find_entry(reinterpret_cast<LoadedModule*>(module)->content->kernels, name);
  if (entry == nullptr) return CUDA_ERROR_NOT_FOUND;
  return give(function, reinterpret_cast<CUfunction>(const_cast<KernelEntry*>(entry)));
}

CUresult find_constant(CUdeviceptr* address, std::size_t* bytes, CUmodule module, const char* name) {
  const auto* entry = find_entry(reinterpret_cast<LoadedModule*>(module)->content->constants, name);
  if (entry == nullptr) return CUDA_ERROR_NOT_FOUND;
  *bytes = entry->bytes;
  return give(address, address_of(entry->address));
}

CUresult launch_kernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream,
                       void** parameters, void**) {
  return queue(QueuedLaunch(*reinterpret_cast<const KernelEntry*>(function),
                            {.grid = {grid_x, grid_y, grid_z},
                             .block = {block_x, block_y, block_z},
                             .dynamic_shared = shared_bytes},
                            parameters));
}

void add_kernels(Driver& d) {
  d.cuModuleLoadData = load_module;
  d.cuModuleUnload = take_back<LoadedModule>;
  d.cuModuleGetFunction = find_kernel;
  d.cuModuleGetGlobal = find_constant;
  d.cuFuncGetAttribute = [](int* value, CUfunction_attribute, CUfunction) { return give(value, 0); };
  d.cuLaunchKernel = launch_kernel;
  d.cuOccupancyMaxActiveBlocksPerMultiprocessor = [](int* blocks, CUfunction, int block_size, std::size_t) {
    return give(blocks, std::max(resident_threads / std::max(block_size, 1), 1));
  };
  d.cuOccupancyMaxPotentialBlockSize = [](int* grid_size, int* block_size, CUfunction, CUoccupancyB2DSize,
                                          std::size_t, int) {
    *block_size = block_threads;
    return give(grid_size, 2 * resident_threads / block_threads);
  };
}

}  // namespace

Driver emulated_driver() {
  Driver driver;
  add_devices(driver);
  add_memory(driver);
  add_streams(driver);
  add_graphs(driver);
  add_kernels(driver);
  return driver;
}

}  // namespace orrery::sim::cuda::emulator
