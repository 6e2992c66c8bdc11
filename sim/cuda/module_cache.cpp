#include "sim/cuda/module_cache.h"

#include <chrono>

namespace orrery::sim::cuda {

ModuleCache::~ModuleCache() {
  for (auto& [configuration, compilation] : compilations_) compilation.thread.join();
}

void ModuleCache::start(const KernelConfiguration& configuration) {
  std::packaged_task<CompiledKernel()> task([configuration, architecture = device_.architecture()] {
    return compile_cached(configuration, architecture, kernel_cache_folder());
  });
  auto result = task.get_future();
  compilations_.emplace(configuration, Compilation{std::thread(std::move(task)), std::move(result)});
}

std::shared_ptr<const Module> ModuleCache::find(const KernelConfiguration& configuration) {
  if (const auto ready = modules_.find(configuration); ready != modules_.end()) return ready->second;
  const auto running = compilations_.find(configuration);
  if (running == compilations_.end()) {
    start(configuration);
    return nullptr;
  }
  if (running->second.result.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return nullptr;
  return get(configuration);
}

std::shared_ptr<const Module> ModuleCache::get(const KernelConfiguration& configuration) {
  if (const auto ready = modules_.find(configuration); ready != modules_.end()) return ready->second;
  if (compilations_.find(configuration) == compilations_.end()) start(configuration);
  auto compilation = std::move(compilations_.extract(configuration).mapped());
  compilation.thread.join();
  auto module = std::make_shared<const Module>(configuration, compilation.result.get(), device_);
  return modules_.emplace(configuration, std::move(module)).first->second;
}

}  // namespace orrery::sim::cuda
