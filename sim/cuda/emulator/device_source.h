#pragma once

#include <string>
#include <string_view>

namespace orrery::sim::cuda::emulator {

/// The version of host_source's output: raise it with every change of that, because kernels are kept on disk.
inline constexpr int version_of_host_source = 1;

/// Device code as C++ for the host's compiler, with a table of its kernels and of its variables in constant
/// memory (`orrery_module`, which takes the address of the Machine and gives a CompiledModule). The code
/// stays as it is, line by line, but for three things that C++ has no word for: PTX becomes calls of
/// ptx_on_cpu.h, shared memory of any size a pointer, and every kernel and constant is marked by a macro.
/// Throws Error where PTX does not end.
std::string host_source(std::string_view device_code);

}  // namespace orrery::sim::cuda::emulator
