#pragma once

#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "sim/cuda/options/kernel_configuration.h"

namespace orrery::sim::cuda {

/// Remembers between runs which kernels compile: a kernel with the same text, options, architecture and
/// compiler version (cache_key) is not compiled again. Any thread may call its functions.
class KnownKernels {
 public:
  /// Reads what `file` remembers; empty: nothing is remembered. A file that cannot be read says nothing.
  explicit KnownKernels(std::filesystem::path file);

  /// Compiles a kernel that is not known, which then is. False if it was known. Throws Error as compile does.
  bool compile(const KernelConfiguration& configuration, const std::string& architecture,
               const KernelFiles& files = embedded_kernel_files());

  /// Writes the file. What was not asked for this time is kept as long as there is room. A folder that cannot
  /// be written to is no failure: all is compiled again next time.
  void save() const;

 private:
  std::filesystem::path file_;
  std::vector<std::string> from_before_;  ///< the newest first
  std::set<std::string> known_;
  std::vector<std::string> asked_;
  mutable std::mutex mutex_;
};

/// known_kernels.txt in the folder of kernel_cache_folder(); empty without a home.
std::filesystem::path known_kernels_file();

}  // namespace orrery::sim::cuda
