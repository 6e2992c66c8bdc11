#pragma once

#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "sim/cuda/launch/module.h"
#include "sim/cuda/sources/kernel_files.h"

namespace orrery::sim::cuda {

/// Modules by configuration, compiled on threads of their own. Switching back to one seen before is
/// immediate, unless the device code was edited meanwhile (kernel_files): then it is compiled anew. Edited
/// code that does not compile gives the module of the last good code, with the compiler's message.
class ModuleCache {
 public:
  explicit ModuleCache(const DeviceInfo& device) : device_(device) {}
  ModuleCache(const ModuleCache&) = delete;
  ModuleCache& operator=(const ModuleCache&) = delete;
  /// Waits for compilations under way.
  ~ModuleCache();

  /// The module if it is ready; otherwise nullptr, and its compilation goes on or begins. Throws Error, once,
  /// if it did not compile.
  std::shared_ptr<const Module> find(const KernelConfiguration& configuration);
  /// The module; waits for the compiler. Throws Error if it does not compile.
  std::shared_ptr<const Module> get(const KernelConfiguration& configuration);
  /// True if the module of this configuration was made of other device code than there is now.
  bool edited(const KernelConfiguration& configuration);

 private:
  using Files = std::shared_ptr<const KernelFiles>;
  struct Result {
    CompiledKernel kernel;
    std::shared_ptr<RowSum> row_sum;
  };
  struct Compilation {
    std::thread thread;
    std::future<Result> result;
    Files files;
  };
  struct Entry {
    std::shared_ptr<const Module> module;
    Files files;  ///< sources that were compiled, successfully or not
  };
  std::shared_ptr<const Module> ready(const KernelConfiguration& configuration);
  bool busy();
  void start(const KernelConfiguration& configuration, std::string problem = {});
  Result compile_all(const KernelConfiguration& configuration, const KernelFiles& files,
                     const KernelFiles* good, std::string problem);
  std::shared_ptr<RowSum> row_sum();

  DeviceInfo device_;
  std::map<KernelConfiguration, Entry> modules_;
  std::map<KernelConfiguration, Compilation> compilations_;
  Files good_;  ///< the last that gave a module; nullptr: none yet
  std::mutex row_sum_mutex_;
  std::shared_ptr<RowSum> row_sum_;  ///< one for all modules
};

}  // namespace orrery::sim::cuda
