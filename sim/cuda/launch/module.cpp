#include "sim/cuda/launch/module.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include "sim/core/error.h"
#include "sim/core/threads.h"
#include "sim/cuda/driver/api.h"
#include "sim/cuda/families/family.h"

namespace orrery::sim::cuda {

namespace {

int attribute_of(CUfunction function, CUfunction_attribute which) {
  int value = 0;
  check(driver()->cuFuncGetAttribute(&value, which, function), "asking for a kernel's attributes");
  return value;
}

/// True if device and driver know LaunchShape::early.
bool can_launch_early(const DeviceInfo& device) {
  return device.capability_major >= 9 && driver()->cuLaunchKernelEx != nullptr;
}

}  // namespace

Module::Module(const KernelConfiguration& configuration, const CompiledKernel& compiled,
               const DeviceInfo& device, std::shared_ptr<RowSum> row_sum)
    : configuration_(configuration),
      row_sum_(std::move(row_sum)),
      launches_early_(configuration.early_launch && can_launch_early(device)) {
  check(driver()->cuModuleLoadData(&module_, compiled.cubin.data()), "loading a compiled kernel");
  forces_ = function(configuration_.family->code.entry);
  if (configuration_.constant_memory) {
    std::size_t size = 0;
    check(driver()->cuModuleGetGlobal(&constants_, &size, module_, "constant_memory"),
          "finding the kernel's constants");
    check(driver()->cuModuleGetGlobal(&map_constants_, &size, module_, "map_constant"),
          "finding the map's constants");
  }
  // Edited sources may have lost one.
  for (const char* name :
       {"unpack", "update", "publish", "count_map", "count_map_shared", "add_map", "normalise_map"})
    function(name);
  if (configuration_.family->code.kernels != nullptr) {
    for (const char* name : configuration_.family->code.kernels(configuration_)) function(name);
  }
  find_facts(compiled, device);
}

Module::~Module() { driver()->cuModuleUnload(module_); }

CUfunction Module::function(std::string_view name) const {
  const auto known = functions_.find(name);
  if (known != functions_.end()) return known->second;
  CUfunction found = nullptr;
  const std::string text(name);
  check(driver()->cuModuleGetFunction(&found, module_, text.c_str()), "finding the kernel " + text);
  functions_.emplace(text, found);
  return found;
}

void Module::set_constant(const char* name, const void* value, std::size_t bytes, CUstream stream) const {
  auto& constant = set_constants_[name];
  if (constant.address == 0) {
    std::size_t size = 0;
    check(driver()->cuModuleGetGlobal(&constant.address, &size, module_, name),
          std::string("finding the constant ") + name);
    if (size != bytes)
      throw Error(std::string("the constant ") + name + " has another size in the device code");
  }
  const auto* first = static_cast<const unsigned char*>(value);
  if (std::ranges::equal(constant.value, std::span(first, bytes))) return;
  constant.value.clear();
  check(driver()->cuMemcpyHtoDAsync(constant.address, value, bytes, stream),
        "setting the kernels' constants");
  constant.value.assign(first, first + bytes);
}

int Module::threads_of_a_block() const {
  const auto* family = configuration_.family;
  if (const int threads = family->block != nullptr ? family->block(configuration_) : 0; threads > 0)
    return threads;
  if (configuration_.block > 0) return configuration_.block;
  int grid = 0;
  int block = 0;
  check(driver()->cuOccupancyMaxPotentialBlockSize(&grid, &block, forces_, nullptr, 0, 0),
        "choosing the block size");
  return block;
}

InstructionCount instructions_of(const KernelConfiguration& configuration, std::string_view cubin) {
  const auto& family = *configuration.family;
  return family.approximate ? InstructionCount{} : count_instructions(cubin, family.code.entry);
}

void Module::find_facts(const CompiledKernel& compiled, const DeviceInfo& device) {
  facts_.registers = attribute_of(forces_, CU_FUNC_ATTRIBUTE_NUM_REGS);
  facts_.spilled_bytes = attribute_of(forces_, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  facts_.shared_bytes = attribute_of(forces_, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  facts_.block = threads_of_a_block();
  facts_.instructions = instructions_of(configuration_, compiled.cubin);
  facts_.compile_ms = compiled.compile_ms;
  facts_.problem = compiled.problem;
  int blocks = 0;
  check(driver()->cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, forces_, facts_.block, 0),
        "computing the occupancy");
  CUdevice handle = 0;
  int threads = 2048;
  driver()->cuDeviceGet(&handle, device.ordinal);
  driver()->cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, handle);
  facts_.multiprocessors = device.multiprocessors;
  facts_.resident_blocks = blocks * device.multiprocessors;
  facts_.occupancy = static_cast<double>(blocks * facts_.block) / threads;
}

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
