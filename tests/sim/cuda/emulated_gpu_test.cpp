#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "sim/core/error.h"
#include "sim/cuda/driver/api.h"
#include "sim/cuda/emulator/emulator.h"
#include "sim/options/engine_option.h"
#include "sim/simulation/engine_registry.h"
#include "tests/sim/engines/engine_cases.h"

// The emulated driver and its compiler by themselves, and how a process comes to have them.
namespace orrery::sim::cuda::emulator {
namespace {

/// Sets a variable of the environment for a while; nullptr: there is none.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    const char* before = std::getenv(name);
    had_one_ = before != nullptr;
    if (had_one_) before_ = before;
    set(value);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { set(had_one_ ? before_.c_str() : nullptr); }

 private:
  void set(const char* value) const {
    if (value != nullptr)
      setenv(name_, value, 1);
    else
      unsetenv(name_);
  }
  const char* name_;
  bool had_one_ = false;
  std::string before_;
};

/// A module of this code, with its result or the log.
struct Compiled {
  explicit Compiled(const char* code) {
    const auto compiler = host_compiler();
    nvrtcProgram program = nullptr;
    compiler.nvrtcCreateProgram(&program, code, "test.cu", 0, nullptr, nullptr);
    const char* macro = "-DFACTOR=3";
    result = compiler.nvrtcCompileProgram(program, 1, &macro);
    std::size_t size = 0;
    compiler.nvrtcGetProgramLogSize(program, &size);
    log.resize(size);
    compiler.nvrtcGetProgramLog(program, log.data());
    compiler.nvrtcGetCUBINSize(program, &size);
    image.resize(size);
    compiler.nvrtcGetCUBIN(program, image.data());
    compiler.nvrtcDestroyProgram(&program);
  }
  nvrtcResult result;
  std::string log, image;
};

class EmulatedGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!compiler_problem().empty()) GTEST_SKIP() << compiler_problem();
  }
  void load(const char* code) {
    const Compiled compiled(code);
    ASSERT_EQ(compiled.result, NVRTC_SUCCESS) << compiled.log;
    ASSERT_EQ(driver_.cuModuleLoadData(&module_, compiled.image.data()), CUDA_SUCCESS);
    ASSERT_EQ(driver_.cuMemAlloc(&numbers_, 64 * sizeof(int)), CUDA_SUCCESS);
    ASSERT_EQ(driver_.cuMemsetD8Async(numbers_, 0, 64 * sizeof(int), nullptr), CUDA_SUCCESS);
  }
  void TearDown() override {
    if (numbers_ != 0) driver_.cuMemFree(numbers_);
    if (module_ != nullptr) driver_.cuModuleUnload(module_);
  }
  CUresult launch(const char* kernel, unsigned block = 64, unsigned shared_bytes = 0) {
    CUfunction function = nullptr;
    EXPECT_EQ(driver_.cuModuleGetFunction(&function, module_, kernel), CUDA_SUCCESS);
    void* arguments[] = {&numbers_};
    return driver_.cuLaunchKernel(function, 1, 1, 1, block, 1, 1, shared_bytes, nullptr, arguments, nullptr);
  }
  std::vector<int> numbers() const {
    std::vector<int> all(64);
    driver_.cuMemcpyDtoHAsync(all.data(), numbers_, all.size() * sizeof(int), nullptr);
    return all;
  }
  std::string why() const {
    const char* text = nullptr;
    driver_.cuGetErrorString(CUDA_ERROR_UNKNOWN, &text);
    return text;
  }

  const Driver driver_ = emulated_driver();
  CUmodule module_ = nullptr;
  CUdeviceptr numbers_ = 0;
};

TEST_F(EmulatedGpu, RunsWhatWasCompiled) {
  load(R"(
__constant__ int offset;
extern "C" __global__ void __launch_bounds__(64)
    reverse(int* numbers) {
  extern __shared__ int of_block[];
  of_block[threadIdx.x] = FACTOR * threadIdx.x + offset;
  __syncthreads();
  numbers[threadIdx.x] = of_block[63 - threadIdx.x];
}
#if FACTOR == 4
extern "C" __global__ void never(int* numbers) { this does not compile }
#endif
)");
  CUdeviceptr offset = 0;
  std::size_t bytes = 0;
  ASSERT_EQ(driver_.cuModuleGetGlobal(&offset, &bytes, module_, "offset"), CUDA_SUCCESS);
  EXPECT_EQ(bytes, sizeof(int));
  const int ten = 10;
  driver_.cuMemcpyHtoDAsync(offset, &ten, sizeof ten, nullptr);
  ASSERT_EQ(launch("reverse", 64, 64 * sizeof(int)), CUDA_SUCCESS) << why();
  for (int k = 0; k < 64; ++k) EXPECT_EQ(numbers().at(static_cast<std::size_t>(k)), 3 * (63 - k) + 10);
  CUfunction function = nullptr;
  EXPECT_EQ(driver_.cuModuleGetFunction(&function, module_, "never"), CUDA_ERROR_NOT_FOUND);
}

TEST_F(EmulatedGpu, AGraphWorksWhenItIsLaunched) {
  load(R"(extern "C" __global__ void count(int* numbers) { numbers[threadIdx.x] += 1; })");
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  driver_.cuStreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  launch("count");
  launch("count");
  driver_.cuStreamEndCapture(nullptr, &graph);
  EXPECT_EQ(numbers().front(), 0);
  driver_.cuGraphInstantiateWithFlags(&executable, graph, 0);
  driver_.cuGraphDestroy(graph);
  driver_.cuGraphLaunch(executable, nullptr);
  driver_.cuGraphLaunch(executable, nullptr);
  EXPECT_EQ(numbers(), std::vector<int>(64, 4));
  driver_.cuGraphExecDestroy(executable);
}

TEST_F(EmulatedGpu, MistakesOfAKernelAreErrorsOfItsLaunch) {
  load(R"(
extern "C" __global__ void stuck(int* numbers) {
  if (threadIdx.x < 7) return;
  __syncthreads();
}
extern "C" __global__ void trapped(int* numbers) {
  if (threadIdx.x == 3) asm("trap;");
  numbers[threadIdx.x] = 1;
}
)");
  EXPECT_NE(launch("stuck"), CUDA_SUCCESS);
  EXPECT_EQ(why(), "the kernel stuck: threads wait for others that have ended");
  EXPECT_NE(launch("trapped"), CUDA_SUCCESS);
  EXPECT_EQ(why(), "the kernel trapped: a thread has trapped");
  EXPECT_NE(launch("trapped", 2000), CUDA_SUCCESS) << "more threads than a block has";
}

TEST_F(EmulatedGpu, MemoryHoldsNoZerosAndHasAnEnd) {
  CUdeviceptr address = 0;
  ASSERT_EQ(driver_.cuMemAlloc(&address, 4096), CUDA_SUCCESS);
  float first = 0.0F;
  driver_.cuMemcpyDtoHAsync(&first, address, sizeof first, nullptr);
  EXPECT_NE(first, first) << "what nobody has written is no number";
  driver_.cuMemFree(address);
  EXPECT_EQ(driver_.cuMemAlloc(&address, std::size_t{1} << 40U), CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_F(EmulatedGpu, ErrorsNameFileAndLineOfTheKernel) {
  const Compiled compiled(R"(#line 1 "good.cu"
extern "C" __global__ void __launch_bounds__(64) first(int* numbers) {
  asm volatile("mov.b32 %0, %1;"
               : "=r"(numbers[0])
               : "r"(numbers[1]));
}
#line 1 "bad.cu"
extern "C" __global__ void forces(int* numbers) {
  numbers[threadIdx.x] = nothing;
}
)");
  EXPECT_NE(compiled.result, NVRTC_SUCCESS);
  EXPECT_NE(compiled.log.find("bad.cu(2): error: 'nothing'"), std::string::npos) << compiled.log;
  EXPECT_NE(compiled.log.find("good.cu(2): error:"), std::string::npos) << "PTX that the emulator lacks";
}

TEST(DeviceSource, StaysLineByLine) {
  const auto source = host_source(
      "#line 1 \"a.cu\"\n"
      "int f(float x) {\n"
      "  int y;\n"
      "  asm volatile(\"{ .reg .pred p; \"\n"
      "      \"setp.le.f32 p, %1, %2; }\" : \"=r\"(y) : \"f\"(g(x, 1)), \"f\"(x) : \"memory\");\n"
      "  return y;\n"
      "}\n");
  EXPECT_NE(source.find("  ptx::setp_le_f32(y, g(x, 1), x)\n;\n  return y;\n"), std::string::npos) << source;
  EXPECT_THROW(host_source("asm(\"trap;\""), Error);
}

TEST(EmulatedEngine, NeedsACompiler) {
  const auto& table = checks::simulation_options();
  auto configuration = table.defaults();
  configuration.set("engine", std::string("emulated"));
  const auto refusal = [&] {
    return table.refusal(table.at("engine"), configuration.value("engine"), configuration);
  };
  {
    const Variable path("PATH", "/nowhere");
    const Variable compiler("ORRERY_DEVICE_CXX", nullptr);
    EXPECT_NE(refusal().find("install g++"), std::string::npos) << refusal();
    EXPECT_THROW(make_engine(table, configuration), UsageError);
  }
  const Variable compiler("ORRERY_DEVICE_CXX", "/nowhere/c++");
  EXPECT_NE(refusal().find("ORRERY_DEVICE_CXX"), std::string::npos) << refusal();
}

TEST(EmulatedEngine, IsNeverTheDefault) {
  EXPECT_FALSE(is_emulated(checks::simulation_options().defaults()));
  EXPECT_TRUE(emulated_engine_kind.only_if_asked_for);
}

TEST_F(EmulatedGpu, AProcessHasOneKindOfGpus) {
  const auto configuration = checks::configuration_of({.name = "", .assignments = {"engine=emulated"}});
  const auto engine = make_engine(checks::simulation_options(), configuration);
  EXPECT_EQ(&engine->kind(), &emulated_engine_kind);
  EXPECT_TRUE(gpu_is_substituted());
  EXPECT_NE(cuda_engine_kind.unavailable().find("engine=emulated"), std::string::npos);
  EXPECT_EQ(emulated_engine_kind.unavailable(), "");
}

}  // namespace
}  // namespace orrery::sim::cuda::emulator
