// First: the macros of cuda.h give functions other names.
#include "sim/cuda/driver/cuda_abi.h"

#include <gtest/gtest.h>

#include <type_traits>

#if __has_include(<cudaGL.h>) && __has_include(<nvrtc.h>)
#define ORRERY_HAS_CUDA_HEADERS
#include <GL/gl.h>
// After OpenGL, whose types it takes.
#include <cudaGL.h>
#include <nvrtc.h>
#endif

// Our declarations of the driver and of NVRTC are those of NVIDIA's headers.
namespace orrery::sim::cuda {
namespace {

#ifdef ORRERY_HAS_CUDA_HEADERS

/// A type's representation: enumerations are integers, and pointers lead to objects of known layout or
/// none.
template <typename T>
struct Passed {
  using type = T;
};
template <typename T>
requires std::is_enum_v<T>
struct Passed<T> {
  using type = int;
};
template <>
struct Passed<::CUlaunchConfig> : Passed<CUlaunchConfig> {};
template <>
struct Passed<std::remove_pointer_t<::nvrtcProgram>> : Passed<NvrtcProgram> {};
template <typename T>
struct Passed<const T> {
  using type = const typename Passed<T>::type;
};
template <typename T>
struct Passed<T*> {
  using type = typename Passed<T>::type*;
};
template <typename Result, typename... Parameters>
struct Passed<Result(Parameters...)> {
  using type = typename Passed<Result>::type(typename Passed<Parameters>::type...);
};

template <typename Ours, typename Theirs>
constexpr bool same = std::is_same_v<typename Passed<Ours>::type, typename Passed<Theirs>::type>;

#define ORRERY_CHECK(name, suffix, parameters) \
  static_assert(same<CUresult parameters, decltype(::name##suffix)>, #name);
ORRERY_DRIVER_FUNCTIONS(ORRERY_CHECK)
ORRERY_OPTIONAL_DRIVER_FUNCTIONS(ORRERY_CHECK)
#undef ORRERY_CHECK
#define ORRERY_CHECK(name, result, parameters) \
  static_assert(same<result parameters, decltype(::name)>, #name);
ORRERY_NVRTC_FUNCTIONS(ORRERY_CHECK)
#undef ORRERY_CHECK

static_assert(sizeof(::CUresult) == sizeof(int) && sizeof(::nvrtcResult) == sizeof(int));
static_assert(sizeof(::CUdevice_attribute) == sizeof(int) && sizeof(::CUfunction_attribute) == sizeof(int));
static_assert(sizeof(::CUstreamCaptureMode) == sizeof(int));

#define ORRERY_CHECK(value) static_assert(static_cast<int>(value) == static_cast<int>(::value), #value)
ORRERY_CHECK(CUDA_SUCCESS);
ORRERY_CHECK(CUDA_ERROR_OUT_OF_MEMORY);
ORRERY_CHECK(CUDA_ERROR_NO_DEVICE);
ORRERY_CHECK(CUDA_ERROR_NOT_FOUND);
ORRERY_CHECK(CUDA_ERROR_NOT_READY);
ORRERY_CHECK(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
ORRERY_CHECK(CUDA_ERROR_UNKNOWN);
ORRERY_CHECK(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
ORRERY_CHECK(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
ORRERY_CHECK(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
ORRERY_CHECK(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
ORRERY_CHECK(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
ORRERY_CHECK(CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO);
ORRERY_CHECK(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
ORRERY_CHECK(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
ORRERY_CHECK(CU_FUNC_ATTRIBUTE_NUM_REGS);
ORRERY_CHECK(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
ORRERY_CHECK(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
ORRERY_CHECK(CU_STREAM_NON_BLOCKING);
ORRERY_CHECK(CU_EVENT_DEFAULT);
ORRERY_CHECK(CU_EVENT_DISABLE_TIMING);
ORRERY_CHECK(CU_EVENT_RECORD_EXTERNAL);
ORRERY_CHECK(CU_EVENT_WAIT_DEFAULT);
ORRERY_CHECK(CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD);
ORRERY_CHECK(CU_GL_DEVICE_LIST_ALL);
ORRERY_CHECK(NVRTC_SUCCESS);
#undef ORRERY_CHECK

#define ORRERY_CHECK(type, member) static_assert(offsetof(type, member) == offsetof(::type, member), #member)
static_assert(sizeof(CUlaunchAttribute) == sizeof(::CUlaunchAttribute));
ORRERY_CHECK(CUlaunchAttribute, id);
ORRERY_CHECK(CUlaunchAttribute, value);
ORRERY_CHECK(CUlaunchAttributeValue, programmaticStreamSerializationAllowed);
static_assert(sizeof(CUlaunchConfig) == sizeof(::CUlaunchConfig));
ORRERY_CHECK(CUlaunchConfig, gridDimX);
ORRERY_CHECK(CUlaunchConfig, blockDimX);
ORRERY_CHECK(CUlaunchConfig, blockDimZ);
ORRERY_CHECK(CUlaunchConfig, sharedMemBytes);
ORRERY_CHECK(CUlaunchConfig, hStream);
ORRERY_CHECK(CUlaunchConfig, attrs);
ORRERY_CHECK(CUlaunchConfig, numAttrs);
#undef ORRERY_CHECK

#endif

TEST(CudaAbi, IsThatOfTheHeaders) {
#ifdef ORRERY_HAS_CUDA_HEADERS
  SUCCEED() << "compared when this was compiled";
#else
  GTEST_SKIP() << "there are no headers of CUDA to compare with";
#endif
}

}  // namespace
}  // namespace orrery::sim::cuda
