#include "sim/cuda/driver/cublas.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <limits>

#include "sim/core/error.h"
#include "sim/cuda/driver/api.h"
#include "sim/cuda/driver/library_search.h"

namespace orrery::sim::cuda {

namespace {

// Values of the library's enumerations.
constexpr int success = 0;
constexpr int no_transpose = 0;   // CUBLAS_OP_N
constexpr int pedantic_math = 2;  // CUBLAS_PEDANTIC_MATH

template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

const Cublas& cublas() {
  static const Cublas opened = Cublas::open(toolkit_library_names("libcublas", {"13", "12", "11"}));
  return opened;
}

void check_cublas(Cublas::Status status, std::string_view what) {
  if (status == success) return;
  constexpr Cublas::Status no_memory = 3;  // CUBLAS_STATUS_ALLOC_FAILED
  throw Error(fmt::format("{} failed: cuBLAS status {}{}", what, status,
                          status == no_memory ? " (out of memory on the GPU)" : ""));
}

/// The driver's addresses are integers, those of cuBLAS pointers.
template <typename Real>
Real* on_device(CUdeviceptr address) {
  return reinterpret_cast<Real*>(address);  // NOLINT(performance-no-int-to-ptr)
}

template <typename Real, typename Gemv>
Cublas::Status multiply(Gemv gemv, Cublas::Handle handle, CUdeviceptr matrix, std::size_t rows,
                        std::size_t columns, double factor, CUdeviceptr ones, CUdeviceptr sum) {
  // The default pointer mode: alpha and beta are read on the host, before the call returns.
  const Real alpha = static_cast<Real>(factor);
  const Real beta = 0;
  // cuBLAS counts columns first: each of our rows is a column of its matrix.
  const int m = static_cast<int>(columns);
  return gemv(handle, no_transpose, m, static_cast<int>(rows), &alpha, on_device<Real>(matrix), m,
              on_device<Real>(ones), 1, &beta, on_device<Real>(sum), 1);
}

}  // namespace

Cublas Cublas::open(const std::vector<std::string>& names) {
  Cublas api;
  void* library = open_first(names);
  if (library == nullptr) {
    api.problem =
        "there is no cuBLAS (libcublas.so); install it (NVIDIA's packages libcublas-13-0 or libcublas-12-x, "
        "part of the CUDA toolkit) or set CUDA_PATH to where it is; sum=kernel needs no library";
    return api;
  }
  const bool complete =
      find(library, "cublasCreate_v2", api.create) && find(library, "cublasDestroy_v2", api.destroy) &&
      find(library, "cublasSetStream_v2", api.set_stream) &&
      find(library, "cublasSetMathMode", api.set_math_mode) && find(library, "cublasSgemv_v2", api.sgemv) &&
      find(library, "cublasDgemv_v2", api.dgemv);
  if (!complete)
    api.problem = "the cuBLAS found (libcublas.so) lacks functions; install that of CUDA 11 or newer";
  return api;
}

const std::string& cublas_problem() { return cublas().problem; }

RowSum::RowSum() {
  if (!cublas_problem().empty()) throw Error("cannot add with cuBLAS: " + cublas_problem());
  check_cublas(cublas().create(&handle_), "starting cuBLAS");
  const auto status = cublas().set_math_mode(handle_, pedantic_math);
  if (status == success) return;
  cublas().destroy(handle_);
  check_cublas(status, "setting the arithmetic of cuBLAS");
}

RowSum::~RowSum() {
  // The stream is its owner's and may be gone.
  cublas().set_stream(handle_, nullptr);
  cublas().destroy(handle_);
}

void RowSum::make_ones(std::size_t count, int precision, CUstream stream) {
  if (count <= ones_count_ && precision == ones_precision_) return;
  const std::vector<float> single(precision == 64 ? 0 : count, 1.0F);
  const std::vector<double> twice(precision == 64 ? count : 0, 1.0);
  const void* source = precision == 64 ? static_cast<const void*>(twice.data()) : single.data();
  const std::size_t bytes = count * static_cast<std::size_t>(precision) / 8;
  // Work that reads the old ones ends before they are freed: freeing waits for the GPU.
  ones_count_ = 0;
  ones_.resize(bytes);
  check(driver()->cuMemcpyHtoDAsync(ones_.pointer(), source, bytes, stream),
        "copying a vector of ones to the GPU");
  ones_count_ = count;
  ones_precision_ = precision;
}

void RowSum::add(CUdeviceptr matrix, std::size_t rows, std::size_t columns, double factor, CUdeviceptr sum,
                 int precision, CUstream stream) {
  constexpr std::size_t most = std::numeric_limits<int>::max();
  if (rows > most || columns > most)
    throw Error(fmt::format("cuBLAS counts in 31 bits and there are {} x {} partial sums; use sum=kernel",
                            rows, columns));
  make_ones(rows, precision, stream);
  if (stream != stream_) check_cublas(cublas().set_stream(handle_, stream), "choosing the stream of cuBLAS");
  stream_ = stream;
  const auto status =
      precision == 64
          ? multiply<double>(cublas().dgemv, handle_, matrix, rows, columns, factor, ones_.pointer(), sum)
          : multiply<float>(cublas().sgemv, handle_, matrix, rows, columns, factor, ones_.pointer(), sum);
  check_cublas(status, "adding partial sums");
}

}  // namespace orrery::sim::cuda
