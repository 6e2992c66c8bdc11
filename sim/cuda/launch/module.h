#pragma once

#include "sim/cuda/driver/cuda_abi.h"

#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sim/cuda/compiler/compiler.h"
#include "sim/cuda/compiler/instruction_count.h"
#include "sim/cuda/driver/cublas.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/sources/kernel_files.h"

namespace orrery::sim::cuda {

/// The facts about a kernel that the panel shows.
struct KernelFacts {
  int registers = 0;              ///< a thread
  int spilled_bytes = 0;          ///< a thread: local memory, where registers did not suffice
  int shared_bytes = 0;           ///< a block
  double occupancy = 0.0;         ///< resident threads over the most that fit on a multiprocessor
  int multiprocessors = 0;        ///< multiprocessors of the GPU
  int resident_blocks = 0;        ///< blocks resident on the whole GPU at a time
  int block = 0;                  ///< threads of a block, as launched
  InstructionCount instructions;  ///< instruction counts of the force kernel
  double compile_ms = 0.0;
  std::string problem;  ///< not empty: the sources as they are now do not compile, and why
};

/// Instructions of an interaction in the machine code of this configuration. Not known of a tree: it sums
/// bodies, cells and series, each in its way.
InstructionCount instructions_of(const KernelConfiguration& configuration, std::string_view cubin);

/// A compiled kernel configuration in the memory of a device. Needs its context to be current.
class Module {
 public:
  Module(const KernelConfiguration& configuration, const CompiledKernel& compiled, const DeviceInfo& device,
         std::shared_ptr<RowSum> row_sum = nullptr);
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  ~Module();

  /// Function `name` of the device code. Throws Error if there is none. For one thread at a time.
  CUfunction function(std::string_view name) const;
  /// Address of the constants, where they are in constant memory; else 0.
  CUdeviceptr constants() const { return constants_; }
  /// Address of the activity map's constants (MapCells), in the same way.
  CUdeviceptr map_constants() const { return map_constants_; }
  /// Makes a variable in constant memory have this value for what is queued next in `stream`: copied only if
  /// it has another one. For variables of kernels in one stream. Throws Error if the code has none of the
  /// name.
  void set_constant(const char* name, const void* value, std::size_t bytes, CUstream stream) const;
  /// Adds partial sums where cuBLAS does it; else nullptr.
  RowSum* row_sum() const { return row_sum_.get(); }
  const KernelFacts& facts() const { return facts_; }
  const KernelConfiguration& configuration() const { return configuration_; }
  /// True if kernels that begin with after_previous() may be launched early.
  bool launches_early() const { return launches_early_; }

 private:
  int threads_of_a_block() const;
  void find_facts(const CompiledKernel& compiled, const DeviceInfo& device);

  KernelConfiguration configuration_;
  CUmodule module_ = nullptr;
  CUfunction forces_ = nullptr;                                       ///< Family::entry
  mutable std::map<std::string, CUfunction, std::less<>> functions_;  ///< kernels found so far
  struct Constant {
    CUdeviceptr address = 0;
    std::vector<unsigned char> value;  ///< empty: not known
  };
  mutable std::map<std::string, Constant, std::less<>> set_constants_;
  CUdeviceptr constants_ = 0;
  CUdeviceptr map_constants_ = 0;
  std::shared_ptr<RowSum> row_sum_;
  bool launches_early_ = false;
  KernelFacts facts_;
};

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
