// A CUDA driver without a GPU: memory is the host's, copies are made, kernels do nothing. A program of tests
// that runs with it (LD_LIBRARY_PATH, as libcuda.so.1) compiles every kernel that it needs on a GPU and keeps
// it in the cache on disk; the values that its cases look at are wrong. tools/gpu_suite --prepare fills the
// cache in this way.
#include <elf.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "sim/cuda/driver/cuda_abi.h"

using namespace orrery::sim::cuda;

namespace {

using Clock = std::chrono::steady_clock;

int from_environment(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

/// ORRERY_RECORD_FAIL names a function that fails, and ORRERY_RECORD_ERROR says how.
CUresult result_of(std::string_view function) {
  const char* failing = std::getenv("ORRERY_RECORD_FAIL");
  if (failing == nullptr || function != failing) return CUDA_SUCCESS;
  return static_cast<CUresult>(from_environment("ORRERY_RECORD_ERROR", CUDA_ERROR_UNKNOWN));
}

/// Memory of the host by its address. Reserved pages are taken only when they are written.
class Memory {
 public:
  void* allocate(std::size_t bytes) {
    void* address =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address == MAP_FAILED) return nullptr;
    const std::lock_guard lock(mutex_);
    sizes_[address] = bytes;
    return address;
  }
  void release(void* address) {
    const std::lock_guard lock(mutex_);
    const auto found = sizes_.find(address);
    if (found == sizes_.end()) return;
    munmap(address, found->second);
    sizes_.erase(found);
  }

 private:
  std::mutex mutex_;
  std::map<void*, std::size_t> sizes_;
};

Memory& memory() {
  static Memory all;
  return all;
}

// NOLINTNEXTLINE(performance-no-int-to-ptr)
void* host(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

/// A loaded cubin: only the sizes of its global variables matter.
struct LoadedModule {
  explicit LoadedModule(const void* image) {
    const auto* bytes = static_cast<const unsigned char*>(image);
    const auto* header = static_cast<const Elf64_Ehdr*>(image);
    if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
    const auto* sections = reinterpret_cast<const Elf64_Shdr*>(bytes + header->e_shoff);
    for (int k = 0; k < header->e_shnum; ++k) {
      if (sections[k].sh_type != SHT_SYMTAB) continue;
      const auto* names = reinterpret_cast<const char*>(bytes + sections[sections[k].sh_link].sh_offset);
      const auto* symbols = reinterpret_cast<const Elf64_Sym*>(bytes + sections[k].sh_offset);
      const auto count = sections[k].sh_size / sizeof(Elf64_Sym);
      for (std::size_t s = 0; s < count; ++s) globals[names + symbols[s].st_name].size = symbols[s].st_size;
    }
  }
  struct Global {
    std::size_t size = 0;
    std::unique_ptr<unsigned char[]> bytes;
  };
  std::map<std::string, Global, std::less<>> globals;
};

struct RecordedEvent {
  Clock::time_point time = Clock::now();
};

template <typename Handle>
Handle dummy() {
  static int something = 0;
  return reinterpret_cast<Handle>(&something);
}

int device_attribute(CUdevice_attribute which) {
  const int architecture = from_environment("ORRERY_RECORD_ARCHITECTURE", 90);
  switch (which) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      return architecture / 10;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      return architecture % 10;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      return 132;
    case CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO:
      return 2;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
      return 1980000;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
      return 2048;
    default:
      return 1;
  }
}

}  // namespace

// NOLINTBEGIN(misc-definitions-in-headers)
extern "C" {

CUresult cuInit(unsigned) { return result_of("cuInit"); }
CUresult cuDriverGetVersion(int* version) {
  *version = 13000;
  return CUDA_SUCCESS;
}
/// Not called by us: NVRTC 12.9 looks for a driver itself and calls this without asking whether it is there.
CUresult cuGetExportTable(const void** table, const void*) {
  *table = nullptr;
  return CUDA_ERROR_NOT_FOUND;
}
CUresult cuGetErrorName(CUresult, const char** name) {
  *name = "CUDA_ERROR";
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult, const char** text) {
  *text = "from the driver without a GPU";
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) {
  *count = from_environment("ORRERY_RECORD_DEVICES", 2);
  return result_of("cuDeviceGetCount");
}
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  *device = ordinal;
  return result_of("cuDeviceGet");
}
CUresult cuDeviceGetName(char* name, int length, CUdevice) {
  std::snprintf(name, static_cast<std::size_t>(length), "no GPU (kernels are recorded)");
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice) {
  *value = device_attribute(which);
  return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice) {
  *bytes = std::size_t{80} << 30U;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  *context = dummy<CUcontext>();
  return result_of("cuDevicePrimaryCtxRetain");
}
CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxSynchronize() { return CUDA_SUCCESS; }
CUresult cuDeviceCanAccessPeer(int* can, CUdevice, CUdevice) {
  *can = 1;
  return CUDA_SUCCESS;
}
CUresult cuCtxEnablePeerAccess(CUcontext, unsigned) { return CUDA_SUCCESS; }

CUresult cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  *free = *total = std::size_t{80} << 30U;
  return CUDA_SUCCESS;
}
CUresult cuMemAlloc_v2(CUdeviceptr* address, std::size_t bytes) {
  // What no GPU has is refused there too.
  if (bytes > (std::size_t{80} << 30U)) return CUDA_ERROR_OUT_OF_MEMORY;
  *address = reinterpret_cast<CUdeviceptr>(memory().allocate(bytes));
  return *address != 0 ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
CUresult cuMemFree_v2(CUdeviceptr address) {
  memory().release(host(address));
  return CUDA_SUCCESS;
}
CUresult cuMemAllocHost_v2(void** address, std::size_t bytes) {
  *address = memory().allocate(bytes);
  return *address != nullptr ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
CUresult cuMemFreeHost(void* address) {
  memory().release(address);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t bytes, CUstream) {
  std::memcpy(host(to), from, bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, std::size_t bytes, CUstream) {
  std::memcpy(to, host(from), bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream) {
  std::memmove(host(to), host(from), bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes,
                           CUstream) {
  std::memmove(host(to), host(from), bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream) {
  std::memset(host(to), value, bytes);
  return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream* stream, unsigned) {
  *stream = dummy<CUstream>();
  return CUDA_SUCCESS;
}
CUresult cuStreamDestroy_v2(CUstream) { return CUDA_SUCCESS; }
CUresult cuStreamSynchronize(CUstream) { return CUDA_SUCCESS; }
CUresult cuStreamWaitEvent(CUstream, CUevent, unsigned) { return CUDA_SUCCESS; }
CUresult cuStreamQuery(CUstream) { return CUDA_SUCCESS; }

CUresult cuEventCreate(CUevent* event, unsigned) {
  *event = reinterpret_cast<CUevent>(new RecordedEvent);
  return CUDA_SUCCESS;
}
CUresult cuEventDestroy_v2(CUevent event) {
  delete reinterpret_cast<RecordedEvent*>(event);
  return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent event, CUstream) {
  reinterpret_cast<RecordedEvent*>(event)->time = Clock::now();
  return CUDA_SUCCESS;
}
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned) {
  return cuEventRecord(event, stream);
}
CUresult cuEventQuery(CUevent) { return CUDA_SUCCESS; }
CUresult cuEventSynchronize(CUevent) { return CUDA_SUCCESS; }
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  const std::chrono::duration<float, std::milli> elapsed =
      reinterpret_cast<RecordedEvent*>(end)->time - reinterpret_cast<RecordedEvent*>(start)->time;
  // The GPU's clock never stands still.
  *milliseconds = std::max(elapsed.count(), 1e-3F);
  return CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture_v2(CUstream, CUstreamCaptureMode) { return CUDA_SUCCESS; }
CUresult cuStreamEndCapture(CUstream, CUgraph* graph) {
  *graph = dummy<CUgraph>();
  return CUDA_SUCCESS;
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph, unsigned long long) {
  *executable = dummy<CUgraphExec>();
  return CUDA_SUCCESS;
}
CUresult cuGraphUpload(CUgraphExec, CUstream) { return CUDA_SUCCESS; }
CUresult cuGraphLaunch(CUgraphExec, CUstream) { return CUDA_SUCCESS; }
CUresult cuGraphExecDestroy(CUgraphExec) { return CUDA_SUCCESS; }
CUresult cuGraphDestroy(CUgraph) { return CUDA_SUCCESS; }

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  *module = reinterpret_cast<CUmodule>(new LoadedModule(image));
  return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule module) {
  delete reinterpret_cast<LoadedModule*>(module);
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char*) {
  *function = dummy<CUfunction>();
  return CUDA_SUCCESS;
}
CUresult cuModuleGetGlobal_v2(CUdeviceptr* address, std::size_t* bytes, CUmodule module, const char* name) {
  auto& globals = reinterpret_cast<LoadedModule*>(module)->globals;
  const auto found = globals.find(std::string_view(name));
  if (found == globals.end()) return CUDA_ERROR_NOT_FOUND;
  auto& global = found->second;
  if (global.bytes == nullptr) global.bytes = std::make_unique<unsigned char[]>(global.size);
  *address = reinterpret_cast<CUdeviceptr>(global.bytes.get());
  *bytes = global.size;
  return CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute which, CUfunction) {
  *value = which == CU_FUNC_ATTRIBUTE_NUM_REGS ? 64 : 0;
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        CUstream, void**, void**) {
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernelEx(const CUlaunchConfig*, CUfunction, void**, void**) { return CUDA_SUCCESS; }
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction, int, std::size_t) {
  *blocks = 2;
  return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction, CUoccupancyB2DSize, std::size_t,
                                          int) {
  *grid = 264;
  *block = 256;
  return CUDA_SUCCESS;
}

}  // extern "C"
// NOLINTEND(misc-definitions-in-headers)
