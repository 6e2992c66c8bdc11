#pragma once

#include "sim/cuda/driver/cuda_abi.h"

#include <cstddef>
#include <string>
#include <vector>

// NCCL is opened at run time, when it is first asked for, and never linked. Its header need not be there: the
// functions below take pointers and enumerations, whose values are part of the library's binary interface.
namespace orrery::sim::cuda {

/// The functions of NCCL that are used.
struct Nccl {
  using Communicator = void*;
  using Result = int;  ///< ncclResult_t; 0: success
  Result (*get_version)(int*) = nullptr;
  Result (*comm_init_all)(Communicator*, int devices, const int* ordinals) = nullptr;
  Result (*comm_abort)(Communicator) = nullptr;
  Result (*group_start)() = nullptr;
  Result (*group_end)() = nullptr;
  Result (*all_gather)(const void* send, void* receive, std::size_t count, int type, Communicator,
                       CUstream) = nullptr;
  Result (*broadcast)(const void* send, void* receive, std::size_t count, int type, int root, Communicator,
                      CUstream) = nullptr;
  const char* (*error_string)(Result) = nullptr;
  std::string problem;  ///< why it cannot be used and what would help; empty if it can

  /// Opens the first of these libraries that is there.
  static Nccl open(const std::vector<std::string>& names);
};

/// Opened at the first call.
const Nccl& nccl();
/// Throws Error unless the call succeeded.
void check_nccl(Nccl::Result result, const char* what);

}  // namespace orrery::sim::cuda
