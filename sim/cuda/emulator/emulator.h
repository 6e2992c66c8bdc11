#pragma once

#include <string>

#include "sim/cuda/driver/api.h"

// GPUs that a process has without having any: a driver whose kernels run on the CPU, and a run-time compiler
// that is the C++ compiler of this machine.
namespace orrery::sim::cuda::emulator {

/// Emulated GPUs of a process.
inline constexpr int devices = 4;

/// Why no device code can be compiled here, and what would help; empty if it can. The compiler is the one
/// that ORRERY_DEVICE_CXX names, else c++, g++ or clang++.
std::string compiler_problem();

/// The functions of the driver. Memory is the host's, and what is queued is done at once. A graph keeps its
/// work until it is launched.
Driver emulated_driver();
/// The functions of the run-time compiler. ORRERY_DEVICE_CXXFLAGS in the environment has more options for it,
/// such as "-O0 -g" for a debugger.
Nvrtc host_compiler();

}  // namespace orrery::sim::cuda::emulator
