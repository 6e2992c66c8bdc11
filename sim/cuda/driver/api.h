#pragma once

#include <cuda.h>
#include <nvrtc.h>

#include <string>
#include <string_view>
#include <vector>

// CUDA is opened at run time, so that one binary starts on machines without a driver or a toolkit.
namespace orrery::sim::cuda {

// Names expand to the versioned symbols that cuda.h defines (cuMemAlloc is cuMemAlloc_v2, ...).
// clang-format off
#define ORRERY_DRIVER_FUNCTIONS(X) \
  X(cuInit) X(cuDriverGetVersion) X(cuGetErrorName) X(cuGetErrorString) X(cuDeviceGetCount) \
  X(cuDeviceGet) X(cuDeviceGetName) X(cuDeviceGetAttribute) X(cuDeviceTotalMem) \
  X(cuDevicePrimaryCtxRetain) X(cuCtxSetCurrent) X(cuCtxSynchronize) X(cuMemGetInfo) X(cuMemAlloc) \
  X(cuMemFree) X(cuMemcpyHtoDAsync) X(cuMemcpyDtoHAsync) X(cuMemcpyDtoDAsync) X(cuMemsetD8Async) \
  X(cuMemAllocHost) X(cuMemFreeHost) X(cuStreamCreate) X(cuStreamDestroy) X(cuStreamSynchronize) X(cuStreamWaitEvent) X(cuStreamQuery) \
  X(cuEventCreate) X(cuEventDestroy) X(cuEventRecord) X(cuEventQuery) X(cuEventSynchronize) \
  X(cuEventElapsedTime) X(cuEventRecordWithFlags) X(cuStreamBeginCapture) \
  X(cuStreamEndCapture) X(cuGraphInstantiateWithFlags) X(cuGraphUpload) X(cuGraphLaunch) X(cuGraphExecDestroy) \
  X(cuGraphDestroy) X(cuDeviceCanAccessPeer) X(cuCtxEnablePeerAccess) X(cuMemcpyPeerAsync) \
  X(cuModuleLoadData) X(cuModuleUnload) X(cuModuleGetFunction) \
  X(cuModuleGetGlobal) X(cuFuncGetAttribute) X(cuLaunchKernel) \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor) X(cuOccupancyMaxPotentialBlockSize)

#define ORRERY_NVRTC_FUNCTIONS(X) \
  X(nvrtcVersion) X(nvrtcGetErrorString) X(nvrtcCreateProgram) X(nvrtcDestroyProgram) \
  X(nvrtcCompileProgram) X(nvrtcGetCUBINSize) X(nvrtcGetCUBIN) X(nvrtcGetProgramLogSize) \
  X(nvrtcGetProgramLog)
// clang-format on

/// The CUDA driver, as functions of the same names.
struct Driver {
// A member's name cannot stand in parentheses.
#define ORRERY_MEMBER(name) decltype(&::name) name = nullptr;  // NOLINT(bugprone-macro-parentheses)
  ORRERY_DRIVER_FUNCTIONS(ORRERY_MEMBER)
  /// Any other symbol of the driver, e.g. "cuGraphicsGLRegisterBuffer"; nullptr if it has none.
  void* (*symbol)(const char* name) = nullptr;
};

/// The run-time compiler.
struct Nvrtc {
  ORRERY_NVRTC_FUNCTIONS(ORRERY_MEMBER)
#undef ORRERY_MEMBER
};

/// The driver, opened and initialized at the first call; nullptr without one.
const Driver* driver();
/// Why driver() is nullptr, and what would help; empty if it is not.
const std::string& driver_problem();
/// The run-time compiler, opened at the first call; nullptr without one. Works without a driver.
const Nvrtc* nvrtc();
/// Why nvrtc() is nullptr, and what would help.
const std::string& nvrtc_problem();

/// File names of a library of the toolkit, in the order in which they are tried: by the linker's search with
/// these versions, then in CUDA_PATH, CUDA_HOME and /usr/local/cuda.
std::vector<std::string> toolkit_library_names(const std::string& stem,
                                               const std::vector<std::string>& versions);
/// Opens the first library that is there, for as long as the program runs; nullptr if none is.
void* open_first(const std::vector<std::string>& names);

/// Throws Error "<what> failed: <name>: <text>" unless the call succeeded.
void check(CUresult result, std::string_view what);
void check(nvrtcResult result, std::string_view what);

}  // namespace orrery::sim::cuda
