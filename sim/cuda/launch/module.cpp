#include "sim/cuda/launch/module.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sim/core/error.h"
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

}  // namespace orrery::sim::cuda
