#pragma once

#include <future>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "sim/cuda/module.h"

namespace orrery::sim::cuda {

/// Modules by configuration, compiled on threads of their own. Switching back to one seen before is
/// immediate.
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
  /// The same, waiting for the compiler.
  std::shared_ptr<const Module> get(const KernelConfiguration& configuration);

 private:
  struct Compilation {
    std::thread thread;
    std::future<CompiledKernel> result;
  };
  void start(const KernelConfiguration& configuration);

  DeviceInfo device_;
  std::map<KernelConfiguration, std::shared_ptr<const Module>> modules_;
  std::map<KernelConfiguration, Compilation> compilations_;
};

}  // namespace orrery::sim::cuda
