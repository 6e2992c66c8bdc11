#include <dlfcn.h>

#include <filesystem>
#include <string>
#include <vector>

#include "command_line_testing.h"

// Machines without a GPU that can be used: without a driver, with one that fails, and without a run-time
// compiler. The driver that fails is that of tests/gpu/recording_driver.cpp.
namespace {

namespace fs = std::filesystem;

using orrery::test::CommandLine;
using orrery::test::Outcome;

/// The environment of a machine, and a part of what it says of itself.
struct Machine {
  std::string environment;
  std::string reason;
  bool has_gpu = true;  ///< somebody may wonder why it is not used
};

class WithoutGpu : public CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    // A library without the functions of NVRTC, whatever else is installed here.
    fs::create_directory(folder_ / "no_compiler");
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"})
      fs::create_symlink(ORRERY_TEST_DRIVER "/libcuda.so.1", folder_ / "no_compiler" / name);
  }
  Machine failing(const std::string& function, int error, const std::string& reason) const {
    return {"LD_LIBRARY_PATH=" ORRERY_TEST_DRIVER " ORRERY_RECORD_FAIL=" + function +
                " ORRERY_RECORD_ERROR=" + std::to_string(error),
            reason};
  }
  std::vector<Machine> machines() const {
    auto without = failing("cuInit", 100, "finds no GPU");
    without.has_gpu = false;
    return {without,
            failing("cuInit", 999, "does not start"),
            failing("cuDeviceGetCount", 999, "does not count its GPUs"),
            failing("cuDeviceGet", 101, "choosing CUDA device 0"),
            // No memory left on it, and held by another program (exclusive mode).
            failing("cuDevicePrimaryCtxRetain", 2, "does not start on GPU 0"),
            failing("cuDevicePrimaryCtxRetain", 46, "does not start on GPU 0"),
            {"LD_LIBRARY_PATH=" ORRERY_TEST_DRIVER ":" + path("no_compiler"), "run-time compiler"}};
  }
  Outcome on(const Machine& machine, const std::string& arguments) const {
    return shell("env " + machine.environment + " '" ORRERY_PROGRAM "' " + arguments);
  }
};

TEST_F(WithoutGpu, TheDoctorSaysWhatIsMissing) {
  for (const auto& machine : machines()) {
    const auto outcome = on(machine, "doctor");
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_TRUE(has(outcome.output, machine.reason)) << outcome.output;
    for (const char* part : {"NVIDIA driver", "NVIDIA GPU", "NVRTC"})
      EXPECT_TRUE(has(outcome.output, part)) << outcome.output;
    const auto computing = outcome.output.substr(0, outcome.output.find("\nDrawing"));
    EXPECT_EQ(has(computing, "missing"), machine.has_gpu) << computing;
  }
}

TEST_F(WithoutGpu, TheDoctorNamesTheCommandThatBringsTheCompiler) {
  const auto said = on(machines().back(), "doctor").output;
  EXPECT_TRUE(has(said, "doctor --fix nvrtc\n")) << said;
}

TEST_F(WithoutGpu, ADriverThatDoesNotStartIsNotInstalledAgain) {
  for (const int error : {803, 999}) {
    const auto said = on(failing("cuInit", error, ""), "doctor").output;
    EXPECT_TRUE(has(said, "(error " + std::to_string(error) + ")\n")) << said;
    EXPECT_TRUE(has(said, "-> restart the computer") || has(said, "-> start the container anew") ||
                has(said, "-> you may not open"))
        << said;
    EXPECT_FALSE(has(said, "nvidia-driver")) << said;
  }
}

TEST_F(WithoutGpu, TheProcessorComputesAndALineSaysWhy) {
  for (const auto& machine : machines()) {
    const auto drawn = on(machine, "render plummer --bodies 100 --steps 1 --size 64x64 -o picture.png");
    EXPECT_EQ(drawn.status, 0) << drawn.errors;
    EXPECT_EQ(has(drawn.errors, "the CPU computes, not the GPU: "), machine.has_gpu) << drawn.errors;
    EXPECT_EQ(has(drawn.errors, machine.reason), machine.has_gpu) << drawn.errors;
    fs::remove(folder_ / "picture.png");
  }
}

TEST_F(WithoutGpu, WhoAskedForTheProcessorIsToldNothing) {
  const auto drawn =
      on(machines().back(), "render plummer --bodies 100 --steps 1 --size 64x64 --engine cpu -o picture.png");
  EXPECT_EQ(drawn.status, 0);
  EXPECT_FALSE(has(drawn.errors, "the CPU computes")) << drawn.errors;
}

TEST_F(WithoutGpu, AnEngineThatIsAskedForIsRefusedInALine) {
  for (const auto& machine : machines()) {
    const auto outcome = on(machine, "bench plummer --engine cuda --bodies 64 --steps 1");
    EXPECT_EQ(outcome.status, 2) << outcome.errors;
    // Behind the line that says what is measured.
    EXPECT_EQ(lines(outcome.errors), 2) << outcome.errors;
    EXPECT_TRUE(has(outcome.errors, "engine=cuda: ")) << outcome.errors;
    EXPECT_TRUE(has(outcome.errors, machine.reason)) << outcome.errors;
  }
}

TEST_F(WithoutGpu, LaddersSkipTheRungsOfTheGpu) {
  for (const auto& machine : machines()) {
    const auto outcome = on(machine, "ladder ece1782 --bodies 256 --steps 1");
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_TRUE(has(outcome.output, machine.reason)) << outcome.output;
  }
}

TEST_F(WithoutGpu, KernelsAreListedWithoutADriverAndCompiledOnlyByACompiler) {
  for (const auto& machine : machines()) EXPECT_EQ(on(machine, "kernels").status, 0);
  const auto compiled = on(machines().back(), "kernels --compile-all");
  EXPECT_EQ(compiled.status, 1);
  EXPECT_EQ(lines(compiled.errors), 1) << compiled.errors;
  EXPECT_TRUE(has(compiled.errors, "run-time compiler")) << compiled.errors;
}

// NVRTC 12.9 calls it without asking whether it is there.
TEST(RecordingDriver, HasWhatTheCompilerItselfAsksOfADriver) {
  void* library = dlopen(ORRERY_TEST_DRIVER "/libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  auto* const ask = reinterpret_cast<int (*)(const void**, const void*)>(dlsym(library, "cuGetExportTable"));
  ASSERT_NE(ask, nullptr);
  const void* table = "something";
  EXPECT_NE(ask(&table, nullptr), 0);
  EXPECT_EQ(table, nullptr);
  dlclose(library);
}

TEST_F(WithoutGpu, APictureWithoutANameLiesHereWhereThereIsNoHome) {
  for (const char* home : {"unset HOME;", "export HOME=/nonexistent;"}) {
    const auto drawn =
        shell(std::string(home) + " '" ORRERY_PROGRAM
                                  "' render plummer --bodies 100 --steps 1 --size 64x64 --engine cpu");
    EXPECT_EQ(drawn.status, 0) << drawn.errors;
    EXPECT_TRUE(has(drawn.output + drawn.errors, folder_.string() + "/")) << drawn.output << drawn.errors;
  }
}

}  // namespace
