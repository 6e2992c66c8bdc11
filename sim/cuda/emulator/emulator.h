#pragma once

#include <string>
#include <string_view>

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

/// The version of host_source's output: raise it with every change of that, because kernels are kept on disk.
inline constexpr int version_of_host_source = 1;

/// Device code as C++ for the host's compiler, with a table of its kernels and of its variables in constant
/// memory (`orrery_module`, which takes the address of the Machine and gives a CompiledModule). The code
/// stays as it is, line by line, but for three things that C++ has no word for: PTX becomes calls of
/// ptx_on_cpu.h, shared memory of any size a pointer, and every kernel and constant is marked by a macro.
/// Throws Error where PTX does not end.
std::string host_source(std::string_view device_code);

}  // namespace orrery::sim::cuda::emulator
