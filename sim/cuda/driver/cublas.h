#pragma once

#include "sim/cuda/driver/cuda_abi.h"

#include <cstddef>
#include <string>
#include <vector>

#include "sim/cuda/driver/device.h"

// cuBLAS is opened at run time, when it is first asked for, and never linked. Its headers need not be there:
// the functions below take a pointer, ints and enumerations, whose values are part of the library's binary
// interface and the same in versions 11 to 13.
namespace orrery::sim::cuda {

/// The functions of cuBLAS that are used.
struct Cublas {
  using Handle = void*;
  using Status = int;  ///< cublasStatus_t; 0: success
  Status (*create)(Handle*) = nullptr;
  Status (*destroy)(Handle) = nullptr;
  Status (*set_stream)(Handle, CUstream) = nullptr;
  Status (*set_math_mode)(Handle, int) = nullptr;
  Status (*sgemv)(Handle, int operation, int m, int n, const float* alpha, const float* a, int lda,
                  const float* x, int incx, const float* beta, float* y, int incy) = nullptr;
  Status (*dgemv)(Handle, int operation, int m, int n, const double* alpha, const double* a, int lda,
                  const double* x, int incx, const double* beta, double* y, int incy) = nullptr;
  std::string problem;  ///< why it cannot be used and what would help; empty if it can

  /// Opens the first of these libraries that is there.
  static Cublas open(const std::vector<std::string>& names);
};

/// Why sums by cuBLAS are impossible on this machine, and what would help; empty if they are not. The first
/// call opens the library (some 20 ms from a warm disk).
const std::string& cublas_problem();

/// Adds rows of partial sums as the product of their matrix with a vector of ones (ECE1782, section
/// 4.1.2.2): a cuBLAS handle of one context, and the ones.
///
/// One handle works in one stream, and the mode is pedantic: neither TF32 nor emulated arithmetic. cuBLAS
/// promises the same bits at every run under these conditions, for one version of the library and one model
/// of GPU; the order of its sums is its own, so they differ from those of our kernel in the last bits.
class RowSum {
 public:
  /// Creates a handle of cuBLAS in the current context. Throws Error.
  RowSum();
  RowSum(const RowSum&) = delete;
  RowSum& operator=(const RowSum&) = delete;
  ~RowSum();

  /// sum[k] = factor * (matrix[k] + matrix[k + columns] + ...), `rows` terms, k < columns; reals of
  /// `precision` bits. Queued in `stream`; for one thread at a time. Throws Error.
  void add(CUdeviceptr matrix, std::size_t rows, std::size_t columns, double factor, CUdeviceptr sum,
           int precision, CUstream stream);

 private:
  void make_ones(std::size_t count, int precision, CUstream stream);

  Cublas::Handle handle_ = nullptr;
  CUstream stream_ = nullptr;  ///< stream of the handle
  DeviceMemory ones_;
  std::size_t ones_count_ = 0;
  int ones_precision_ = 0;
};

}  // namespace orrery::sim::cuda
