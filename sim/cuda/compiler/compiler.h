#pragma once

#include <filesystem>
#include <string>

#include "sim/cuda/options/kernel_configuration.h"

namespace orrery::sim::cuda {

/// A compiled module for one architecture.
struct CompiledKernel {
  std::string cubin;        ///< bytes
  double compile_ms = 0.0;  ///< 0 if it came from the cache on disk
  bool from_disk = false;
  /// Not empty: the sources that were asked for do not compile, and why; this is the last good code.
  std::string problem;
};

/// Compiles with NVRTC; needs no GPU. Throws Error with the compiler's first error (file, line and text) if
/// it does not compile, or if there is no compiler.
CompiledKernel compile(const KernelConfiguration& configuration, const std::string& architecture,
                       const KernelFiles& files = embedded_kernel_files());

/// As compile, with a cache in `folder` (empty: none): the name is a hash of source, options, architecture
/// and compiler version, the content carries a checksum. A damaged entry is compiled anew and replaced, and
/// so is one that another user wrote; a folder that cannot be written to, or is another user's, is no
/// failure. Threads that ask for one kernel at a time share its compilation. If the environment variable
/// ORRERY_KERNEL_LOG names a file, each request appends a line to it: key, milliseconds of compilation (0:
/// found in the cache), architecture and description.
CompiledKernel compile_cached(const KernelConfiguration& configuration, const std::string& architecture,
                              const std::filesystem::path& folder,
                              const KernelFiles& files = embedded_kernel_files());

/// compile_cached for sources that are edited while the program runs: if watched `files` do not compile
/// (or `problem` says already why they cannot be used), the result is that of `good`, the last sources that
/// could be used, or else of the embedded ones, and carries the problem. Throws Error if `files` are not
/// watched, or nothing compiles.
CompiledKernel compile_newest(const KernelConfiguration& configuration, const std::string& architecture,
                              const std::filesystem::path& folder, const KernelFiles& files,
                              const KernelFiles* good, std::string problem = {});

/// $XDG_CACHE_HOME/orrery/kernels, else ~/.cache/orrery/kernels; empty without a home.
std::filesystem::path kernel_cache_folder();

/// The key of a cache entry: 16 hexadecimal digits.
std::string cache_key(const KernelConfiguration& configuration, const std::string& architecture,
                      const KernelFiles& files = embedded_kernel_files());

}  // namespace orrery::sim::cuda
