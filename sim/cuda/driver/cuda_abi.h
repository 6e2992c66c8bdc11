#pragma once

#include <cstddef>

// What this program uses of the binary interfaces of the CUDA driver and of NVRTC: types, values and
// signatures under the names of NVIDIA's documentation. Both libraries are opened at run time, so no header
// of CUDA is needed, and every build has the CUDA engine. tests/sim/cuda/cuda_abi_test.cpp compares all of it
// with NVIDIA's headers where they are.

struct CUctx_st;
struct CUevent_st;
struct CUfunc_st;
struct CUgraph_st;
struct CUgraphExec_st;
struct CUgraphicsResource_st;
struct CUmod_st;
struct CUstream_st;

namespace orrery::sim::cuda {

/// Objects of the driver, and addresses on a GPU.
using CUcontext = ::CUctx_st*;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUevent = ::CUevent_st*;
using CUfunction = ::CUfunc_st*;
using CUgraph = ::CUgraph_st*;
using CUgraphExec = ::CUgraphExec_st*;
using CUgraphicsResource = ::CUgraphicsResource_st*;
using CUmodule = ::CUmod_st*;
using CUstream = ::CUstream_st*;
/// Bytes of shared memory for a size of block.
using CUoccupancyB2DSize = std::size_t (*)(int block_size);

/// Return values of the driver API: these, and other failures.
enum CUresult : int {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
  CUDA_ERROR_UNKNOWN = 999
};

/// Attributes of a GPU.
enum CUdevice_attribute : int {
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO = 87
};

/// Attributes of a kernel.
enum CUfunction_attribute : int {
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
  CU_FUNC_ATTRIBUTE_NUM_REGS = 4
};

/// The calls that are refused while a stream is captured into a graph.
enum CUstreamCaptureMode : int { CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1 };

/// Launch attributes besides the shape.
enum CUlaunchAttributeID : int { CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6 };

/// The devices to list of those that draw.
enum CUGLDeviceList : int { CU_GL_DEVICE_LIST_ALL = 1 };

/// Flags, which functions take as unsigned numbers.
enum : unsigned {
  CU_STREAM_NON_BLOCKING = 1,
  CU_EVENT_DEFAULT = 0,
  CU_EVENT_DISABLE_TIMING = 2,
  CU_EVENT_RECORD_EXTERNAL = 1,
  CU_EVENT_WAIT_DEFAULT = 0,
  CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD = 2
};

/// The value of a launch attribute: one member for each attribute, in 64 bytes.
union CUlaunchAttributeValue {
  char pad[64];
  int programmaticStreamSerializationAllowed;
};

/// An attribute of a launch.
struct CUlaunchAttribute {
  CUlaunchAttributeID id;
  char pad[8 - sizeof(CUlaunchAttributeID)];
  CUlaunchAttributeValue value;
};

/// Shape, stream and attributes of a launch.
struct CUlaunchConfig {
  unsigned gridDimX, gridDimY, gridDimZ;
  unsigned blockDimX, blockDimY, blockDimZ;
  unsigned sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute* attrs;
  unsigned numAttrs;
};

/// A program for the run-time compiler.
struct NvrtcProgram;
using nvrtcProgram = NvrtcProgram*;

/// Return values of NVRTC: this, and failures.
enum nvrtcResult : int { NVRTC_SUCCESS = 0 };

// X(name, suffix, parameters): functions of the driver, which return CUresult. The library has them under
// name and suffix; the suffix is the version of the interface whose parameters these are.
// clang-format off
#define ORRERY_DRIVER_FUNCTIONS(X) \
  X(cuInit, , (unsigned flags)) \
  X(cuDriverGetVersion, , (int* version)) \
  X(cuGetErrorName, , (CUresult error, const char** name)) \
  X(cuGetErrorString, , (CUresult error, const char** text)) \
  X(cuDeviceGetCount, , (int* count)) \
  X(cuDeviceGet, , (CUdevice* device, int ordinal)) \
  X(cuDeviceGetName, , (char* name, int length, CUdevice device)) \
  X(cuDeviceGetAttribute, , (int* value, CUdevice_attribute which, CUdevice device)) \
  X(cuDeviceTotalMem, _v2, (std::size_t* bytes, CUdevice device)) \
  X(cuDeviceCanAccessPeer, , (int* can, CUdevice device, CUdevice peer)) \
  X(cuDevicePrimaryCtxRetain, , (CUcontext* context, CUdevice device)) \
  X(cuCtxSetCurrent, , (CUcontext context)) \
  X(cuCtxSynchronize, , ()) \
  X(cuCtxEnablePeerAccess, , (CUcontext peer, unsigned flags)) \
  X(cuMemGetInfo, _v2, (std::size_t* free, std::size_t* total)) \
  X(cuMemAlloc, _v2, (CUdeviceptr* address, std::size_t bytes)) \
  X(cuMemFree, _v2, (CUdeviceptr address)) \
  X(cuMemAllocHost, _v2, (void** address, std::size_t bytes)) \
  X(cuMemFreeHost, , (void* address)) \
  X(cuMemcpyHtoDAsync, _v2, (CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream)) \
  X(cuMemcpyDtoHAsync, _v2, (void* to, CUdeviceptr from, std::size_t bytes, CUstream stream)) \
  X(cuMemcpyDtoDAsync, _v2, (CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream)) \
  X(cuMemcpyPeerAsync, , (CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, \
                          std::size_t bytes, CUstream stream)) \
  X(cuMemsetD8Async, , (CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream stream)) \
  X(cuStreamCreate, , (CUstream* stream, unsigned flags)) \
  X(cuStreamDestroy, _v2, (CUstream stream)) \
  X(cuStreamSynchronize, , (CUstream stream)) \
  X(cuStreamWaitEvent, , (CUstream stream, CUevent event, unsigned flags)) \
  X(cuStreamQuery, , (CUstream stream)) \
  X(cuStreamBeginCapture, _v2, (CUstream stream, CUstreamCaptureMode mode)) \
  X(cuStreamEndCapture, , (CUstream stream, CUgraph* graph)) \
  X(cuEventCreate, , (CUevent* event, unsigned flags)) \
  X(cuEventDestroy, _v2, (CUevent event)) \
  X(cuEventRecord, , (CUevent event, CUstream stream)) \
  X(cuEventRecordWithFlags, , (CUevent event, CUstream stream, unsigned flags)) \
  X(cuEventQuery, , (CUevent event)) \
  X(cuEventSynchronize, , (CUevent event)) \
  X(cuEventElapsedTime, , (float* milliseconds, CUevent start, CUevent end)) \
  X(cuGraphInstantiateWithFlags, , (CUgraphExec* executable, CUgraph graph, unsigned long long flags)) \
  X(cuGraphUpload, , (CUgraphExec executable, CUstream stream)) \
  X(cuGraphLaunch, , (CUgraphExec executable, CUstream stream)) \
  X(cuGraphExecDestroy, , (CUgraphExec executable)) \
  X(cuGraphDestroy, , (CUgraph graph)) \
  X(cuModuleLoadData, , (CUmodule* module, const void* image)) \
  X(cuModuleUnload, , (CUmodule module)) \
  X(cuModuleGetFunction, , (CUfunction* function, CUmodule module, const char* name)) \
  X(cuModuleGetGlobal, _v2, (CUdeviceptr* address, std::size_t* bytes, CUmodule module, const char* name)) \
  X(cuFuncGetAttribute, , (int* value, CUfunction_attribute which, CUfunction function)) \
  X(cuLaunchKernel, , (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, \
                       unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, \
                       void** parameters, void** extra)) \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor, , (int* blocks, CUfunction function, int block_size, \
                                                    std::size_t shared_bytes)) \
  X(cuOccupancyMaxPotentialBlockSize, , (int* grid_size, int* block_size, CUfunction function, \
                                         CUoccupancyB2DSize shared_bytes_of, std::size_t shared_bytes, \
                                         int block_size_limit))

// X(name, suffix, parameters) as in ORRERY_DRIVER_FUNCTIONS: functions that not every driver has.
#define ORRERY_OPTIONAL_DRIVER_FUNCTIONS(X) \
  X(cuLaunchKernelEx, , (const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra)) \
  X(cuGLGetDevices, _v2, (unsigned* count, CUdevice* devices, unsigned room, CUGLDeviceList which)) \
  X(cuGraphicsGLRegisterBuffer, , (CUgraphicsResource* resource, unsigned buffer, unsigned flags)) \
  X(cuGraphicsUnregisterResource, , (CUgraphicsResource resource)) \
  X(cuGraphicsMapResources, , (unsigned count, CUgraphicsResource* resources, CUstream stream)) \
  X(cuGraphicsUnmapResources, , (unsigned count, CUgraphicsResource* resources, CUstream stream)) \
  X(cuGraphicsResourceGetMappedPointer, _v2, (CUdeviceptr* address, std::size_t* bytes, CUgraphicsResource resource))

// X(name, result, parameters): functions of NVRTC.
#define ORRERY_NVRTC_FUNCTIONS(X) \
  X(nvrtcVersion, nvrtcResult, (int* major, int* minor)) \
  X(nvrtcGetErrorString, const char*, (nvrtcResult error)) \
  X(nvrtcCreateProgram, nvrtcResult, (nvrtcProgram* program, const char* source, const char* name, int headers, \
                                      const char* const* texts, const char* const* names)) \
  X(nvrtcDestroyProgram, nvrtcResult, (nvrtcProgram* program)) \
  X(nvrtcCompileProgram, nvrtcResult, (nvrtcProgram program, int count, const char* const* options)) \
  X(nvrtcGetCUBINSize, nvrtcResult, (nvrtcProgram program, std::size_t* bytes)) \
  X(nvrtcGetCUBIN, nvrtcResult, (nvrtcProgram program, char* cubin)) \
  X(nvrtcGetProgramLogSize, nvrtcResult, (nvrtcProgram program, std::size_t* bytes)) \
  X(nvrtcGetProgramLog, nvrtcResult, (nvrtcProgram program, char* log))
// clang-format on

}  // namespace orrery::sim::cuda
