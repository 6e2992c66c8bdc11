#include "sim/cuda/launch/module_cache.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "sim/core/error.h"
#include "sim/core/threads.h"
#include "sim/cuda/families/family.h"

namespace orrery::sim::cuda {

ModuleCache::~ModuleCache() {
  for (auto& [configuration, compilation] : compilations_) compilation.thread.join();
}

/// The handle of cuBLAS, made when it is first needed: on a compiling thread, because it takes long.
std::shared_ptr<RowSum> ModuleCache::row_sum() {
  const std::lock_guard lock(row_sum_mutex_);
  if (row_sum_ == nullptr) {
    const Context context(device_.ordinal);
    row_sum_ = std::make_shared<RowSum>();
  }
  return row_sum_;
}

ModuleCache::Result ModuleCache::compile_all(const KernelConfiguration& configuration,
                                             const KernelFiles& files, const KernelFiles* good,
                                             std::string problem) {
  const auto* family = configuration.family;
  const bool sums = family->sums_with_cublas != nullptr && family->sums_with_cublas(configuration);
  return {.kernel = compile_newest(configuration, device_.architecture(), kernel_cache_folder(), files, good,
                                   std::move(problem)),
          .row_sum = sums ? row_sum() : nullptr};
}

/// `problem`: the newest code compiles and cannot be used all the same; the last good code is compiled.
void ModuleCache::start(const KernelConfiguration& configuration, std::string problem) {
  auto files = kernel_files();
  std::packaged_task<Result()> task(
      [this, configuration, files, good = good_, problem = std::move(problem)]() mutable {
        return compile_all(configuration, *files, good.get(), std::move(problem));
      });
  auto result = task.get_future();
  compilations_.emplace(configuration, Compilation{start_thread("compiling a kernel", std::move(task)),
                                                   std::move(result), std::move(files)});
}

bool ModuleCache::edited(const KernelConfiguration& configuration) {
  const auto entry = modules_.find(configuration);
  if (entry == modules_.end()) return false;
  const auto now = kernel_files();
  if (entry->second.files == now) return false;
  if (kernel_source(configuration, *now) != kernel_source(configuration, *entry->second.files)) return true;
  // Another family's file: looked at once.
  entry->second.files = now;
  return false;
}

/// The module if it is there and made of the newest code; else nullptr.
std::shared_ptr<const Module> ModuleCache::ready(const KernelConfiguration& configuration) {
  const auto entry = modules_.find(configuration);
  return entry != modules_.end() && !edited(configuration) ? entry->second.module : nullptr;
}

/// True while as many compilations run as make sense beside the simulation.
bool ModuleCache::busy() {
  constexpr int most = 2;
  return std::ranges::count_if(compilations_, [](const auto& entry) {
           return entry.second.result.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
         }) >= most;
}

std::shared_ptr<const Module> ModuleCache::find(const KernelConfiguration& configuration) {
  if (auto module = ready(configuration)) return module;
  const auto running = compilations_.find(configuration);
  if (running == compilations_.end()) {
    // A slider passes many values: the newest is compiled next, not all that it passed.
    if (busy()) return nullptr;
    start(configuration);
    return nullptr;
  }
  if (running->second.result.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return nullptr;
  return get(configuration);
}

std::shared_ptr<const Module> ModuleCache::get(const KernelConfiguration& configuration) {
  if (auto module = ready(configuration)) return module;
  if (compilations_.find(configuration) == compilations_.end()) start(configuration);
  auto compilation = std::move(compilations_.extract(configuration).mapped());
  compilation.thread.join();
  auto result = compilation.result.get();
  std::shared_ptr<const Module> module;
  try {
    module = std::make_shared<const Module>(configuration, result.kernel, device_, result.row_sum);
  } catch (const Error& error) {
    // A kernel that others call is gone from the edited code.
    if (!compilation.files->watched() || !result.kernel.problem.empty()) throw;
    start(configuration, error.what());
    return get(configuration);
  }
  if (result.kernel.problem.empty()) good_ = compilation.files;
  modules_.insert_or_assign(configuration, Entry{module, compilation.files});
  return module;
}

}  // namespace orrery::sim::cuda
