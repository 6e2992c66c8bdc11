#include "sim/cuda/compiler/instruction_count.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "kernel_testing.h"
#include "sim/cuda/compiler/compiler.h"
#include "sim/cuda/compiler/instruction.h"
#include "sim/cuda/driver/api.h"
#include "sim/cuda/launch/kernel_limits.h"
#include "sim/cuda/launch/module.h"
#include "tests/temporary_folder.h"

namespace orrery::sim::cuda {
namespace {

/// Kernels compiled once for all tests.
const std::string& cubin(const KernelConfiguration& configuration, const std::string& architecture) {
  static std::map<std::pair<std::string, KernelConfiguration>, std::string> made;
  auto& entry = made[{architecture, configuration}];
  if (entry.empty()) entry = compile(configuration, architecture).cubin;
  return entry;
}

KernelConfiguration tensor(const std::string& family = "tensor") {
  return kernel({"family=" + family, "math=fast", "block=128"});
}

class InstructionCounts : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (nvrtc() == nullptr) GTEST_SKIP() << nvrtc_problem();
  }
  static InstructionCount count(const KernelConfiguration& configuration) {
    return count_instructions(cubin(configuration, GetParam()), "forces");
  }
  /// Instructions of an interaction.
  static double slots(const KernelConfiguration& configuration) {
    const auto counted = count(configuration);
    EXPECT_GT(counted.interactions, 0) << "unknown: " << configuration.family->name;
    return counted.each(counted.issued);
  }
  static bool has_tensor_cores() { return std::string(GetParam()) != "sm_75"; }
};

TEST_P(InstructionCounts, TreesHaveNoOneKindOfInteraction) {
  const auto& code = cubin(kernel({"family=tiled", "math=flush-to-zero"}), GetParam());
  EXPECT_GT(instructions_of(kernel({"family=tiled"}), code).interactions, 0);
  EXPECT_EQ(instructions_of(kernel({"family=tree"}), code).interactions, 0);
}

// 3 differences, 3 for the square with the softening, the reciprocal square root, 3 for its cube and the
// mass, 3 for the sum: 13 instructions; register-split leaves equal masses out: 12.
TEST_P(InstructionCounts, AnInteractionTakesItsArithmeticAndLittleMore) {
  for (const std::string family : {"tiled", "pairwise", "galaxy-block", "tiled-2d"}) {
    SCOPED_TRACE(family);
    const auto configuration = kernel({"family=" + family, "math=flush-to-zero"});
    const auto counted = count(configuration);
    EXPECT_EQ(counted.interactions, 16);
    EXPECT_EQ(counted.fp32, 12 * 16);
    EXPECT_EQ(counted.special, 16);
    EXPECT_GT(slots(configuration), 13.0);
    EXPECT_LT(slots(configuration), 17.0);
  }
  const auto split = kernel({"family=register-split", "math=flush-to-zero", "block=128"});
  EXPECT_EQ(count(split).interactions, 64);
  EXPECT_EQ(count(split).fp32, 11 * 64);
  EXPECT_GT(slots(split), 12.0);
  EXPECT_LT(slots(split), 12.5);
}

TEST_P(InstructionCounts, ShufflesAreFourInstructionsMore) {
  const auto counted = count(kernel({"family=shuffle", "math=flush-to-zero"}));
  EXPECT_EQ(counted.interactions, 16);
  EXPECT_EQ(counted.fp32, 12 * 16);
  EXPECT_EQ(counted.shared_loads, 0);
  EXPECT_GE(slots(kernel({"family=shuffle", "math=flush-to-zero"})), 17.0);
  EXPECT_LT(slots(kernel({"family=shuffle", "math=flush-to-zero"})), 20.0);
}

TEST_P(InstructionCounts, EveryLoopCounterIsSharedByTheInteractionsOfAPass) {
  double before = 1e9;
  for (const int unroll : {1, 2, 4, 16, 256}) {
    auto configuration = kernel();
    configuration.code["unroll"] = unroll;
    EXPECT_EQ(count(configuration).interactions, unroll);
    EXPECT_LT(slots(configuration), before) << "unroll " << unroll;
    before = slots(configuration);
  }
}

int roots_of(const KernelConfiguration& configuration, const std::string& architecture) {
  const auto code = find_machine_code(cubin(configuration, architecture), configuration.family->code.entry);
  return static_cast<int>(std::ranges::count_if(decode(code.value()), &Instruction::root));
}

// Of some loops NVRTC 13.0 leaves the last turns out, where the number of turns in one divides 2^32 - 1: the
// kernel then reads beyond its tile.
TEST_P(InstructionCounts, AnUnrolledLoopAlsoHasCodeForTheRest) {
  const std::vector<std::vector<std::string>> kernels{{"family=tiled"},
                                                      {"update=fused", "integrator=symplectic-euler"},
                                                      {"family=galaxy-block"},
                                                      {"family=galaxy-block", "staging=none"},
                                                      {"family=pairwise"}};
  for (const auto& settings : kernels) {
    // Neither divides a tile.
    for (const char* unroll : {"unroll=3", "unroll=17"}) {
      const auto configuration = kernel(with(settings, unroll));
      EXPECT_GT(roots_of(configuration, GetParam()), configuration.value("unroll"))
          << describe(configuration);
    }
  }
}

TEST_P(InstructionCounts, ArithmeticHasItsPrice) {
  const auto price = [](const std::string& arithmetic) {
    return slots(kernel({"arithmetic=" + arithmetic}));
  };
  const double plain = price("rsqrt-cubed");
  EXPECT_GT(price("sqrt"), plain + 10) << "two corrections and two tests for rare numbers";
  EXPECT_GT(price("frsqrt-rn"), plain + 10);
  EXPECT_GT(price("powf"), plain + 1);
  for (const std::string family : {"tiled", "pairwise"})
    EXPECT_EQ(count(kernel({"family=" + family, "arithmetic=frsqrt-rn"})).interactions, 16)
        << "two roots for each in " << family;
  EXPECT_EQ(count(kernel({"family=pairs-atomic", "arithmetic=frsqrt-rn"})).interactions, 1);
  EXPECT_EQ(count(kernel({"arithmetic=powf"})).special, 2 * 16) << "a logarithm and a power";
  EXPECT_EQ(count(kernel({"arithmetic=sqrt"})).special, 2 * 16) << "a root and a reciprocal";
  EXPECT_LT(slots(kernel({"math=flush-to-zero"})), plain - 2) << "no test for numbers below 1e-38";
}

TEST_P(InstructionCounts, SwitchesOfTheReports) {
  EXPECT_LT(slots(kernel({"dimensions=2"})), slots(kernel()) - 2);
  EXPECT_GT(slots(kernel({"force-law=electric"})), slots(kernel()) + 12);
  EXPECT_GT(slots(kernel({"softening=0"})), slots(kernel()) + 1);
  EXPECT_EQ(count(kernel({"softening=0"})).interactions, 16) << "all roots have a predicate";
  const auto doubles = count(kernel({"precision=double"}));
  EXPECT_EQ(doubles.interactions, 16);
  EXPECT_EQ(doubles.fp32, 0);
  EXPECT_GE(doubles.fp64, 13 * 16);
  const auto counted = count(kernel({"family=pairwise"}));
  EXPECT_GT(counted.global_loads, 0);
  EXPECT_EQ(counted.shared_loads, 0);
  EXPECT_GT(count(kernel()).shared_loads, 0);
}

TEST_P(InstructionCounts, KernelsOfOnePairHaveNoLoop) {
  for (const std::string family : {"pairs-atomic", "pairs-matrix", "force-matrix"}) {
    SCOPED_TRACE(family);
    EXPECT_EQ(count(kernel({"family=" + family})).interactions, 1);
    EXPECT_GT(slots(kernel({"family=" + family})), 20.0);
    EXPECT_LT(slots(kernel({"family=" + family})), 80.0);
  }
}

TEST_P(InstructionCounts, TensorCoresTakeAShareOfTheSlots) {
  if (!has_tensor_cores()) GTEST_SKIP() << "no such tensor cores";
  constexpr int rows = 3;
  const auto counted = count(tensor());
  EXPECT_EQ(counted.interactions, 32 * rows) << "64 sources for 16 targets are 32 of a lane";
  EXPECT_EQ(counted.special, 4 * rows * 8);
  EXPECT_EQ(counted.matrix, 12 * rows);
  EXPECT_LT(slots(tensor()), 12.0);
  const auto pairs = tensor("tensor-pairs");
  EXPECT_EQ(count(pairs).interactions, 2 * 128) << "64 sources and 64 targets, each weight for both";
  EXPECT_EQ(count(pairs).special, 16 * 8);
  EXPECT_EQ(count(pairs).matrix, 64);
  EXPECT_LT(slots(pairs), 8.0);
  auto split = pairs;
  split.code["weights"] = 1;
  EXPECT_EQ(count(split).interactions, 2 * 128);
  EXPECT_EQ(count(split).matrix, 96);
  EXPECT_GT(slots(split), slots(pairs));
  auto split_rows = tensor();
  split_rows.code["weights"] = 1;
  EXPECT_EQ(count(split_rows).interactions, 32 * rows);
  const auto sum = count(tensor("tensor-sum"));
  EXPECT_EQ(sum.interactions, 4 * sum.matrix);
  EXPECT_EQ(sum.special, sum.interactions);
  EXPECT_LT(slots(tensor("tensor-sum")), 12.0);
}

TEST_P(InstructionCounts, WhatIsNoSuchKernelIsUnknown) {
  const auto& whole = cubin(kernel(), GetParam());
  EXPECT_EQ(count_instructions(whole, "publish").interactions, 0) << "computes no interaction";
  EXPECT_EQ(count_instructions(whole, "force").interactions, 0);
  EXPECT_EQ(count_instructions({}, "forces").interactions, 0);
  EXPECT_EQ(count_instructions("// PTX, not machine code", "forces").interactions, 0);
}

TEST_P(InstructionCounts, ADamagedModuleIsUnknownOrTheSame) {
  const auto& whole = cubin(kernel(), GetParam());
  const auto sound = count(kernel());
  int unknown = 0;
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    const auto cut = count_instructions(whole.substr(0, size), "forces");
    if (cut.interactions == 0) {
      ++unknown;
    } else {
      EXPECT_EQ(cut.issued, sound.issued) << "cut at " << size;
    }
  }
  EXPECT_GT(unknown, static_cast<int>(whole.size() / 97 / 2));
  // Nor does any other byte lead beyond the file.
  auto damaged = whole;
  for (std::size_t k = 0; k < damaged.size(); k += 7) {
    damaged[k] = static_cast<char>(~damaged[k]);
    EXPECT_LE(count_instructions(damaged, "forces").issued, static_cast<int>(whole.size() / 16));
    if (k % 2 == 0) damaged[k] = whole[k];
  }
}

/// The instruction in a line such as "        /*0010*/     FADD R1, R2, R3 ;"; empty where there is none.
std::string instruction_in(const std::string& line) {
  const auto open = line.find("/*");
  const auto close = line.find("*/", open);
  const auto end = line.find(';', close);
  if (open == std::string::npos || close == std::string::npos || end == std::string::npos) return {};
  const auto address = line.substr(open + 2, close - open - 2);
  if (address.size() < 4 || address.find_first_not_of("0123456789abcdef") != std::string::npos) return {};
  const auto begin = line.find_first_not_of(" \t", close + 2);
  return line.substr(begin, end - begin);
}

/// The lines of NVIDIA's disassembler for the kernel, without address; empty where it is absent.
std::vector<std::string> disassembled(const std::string& code) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "forces.cubin", std::ios::binary) << code;
  std::vector<std::string> lines;
  const auto command = "nvdisasm -c '" + (folder / "forces.cubin").string() + "' 2>/dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  bool inside = false;
  std::array<char, 4096> text{};
  while (fgets(text.data(), text.size(), pipe) != nullptr) {
    const std::string line(text.data());
    if (line.starts_with("//---")) inside = line.find(".text.forces ") != std::string::npos;
    auto instruction = inside ? instruction_in(line) : std::string();
    if (!instruction.empty()) lines.push_back(std::move(instruction));
  }
  pclose(pipe);
  return lines;
}

/// "FADD" of "@!P0 FADD.FTZ R1, R2, R3".
std::string mnemonic_of(const std::string& instruction) {
  const auto begin = instruction.front() == '@' ? instruction.find(' ') + 1 : 0;
  const auto end = instruction.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", begin);
  return instruction.substr(begin, end - begin);
}

Unit unit_of(const std::string& instruction) {
  static const std::map<std::string, Unit> units{
      {"FADD", Unit::fp32},   {"FMUL", Unit::fp32},       {"FFMA", Unit::fp32},      {"DADD", Unit::fp64},
      {"DMUL", Unit::fp64},   {"DFMA", Unit::fp64},       {"DSETP", Unit::fp64},     {"MUFU", Unit::special},
      {"HMMA", Unit::matrix}, {"LDS", Unit::shared_load}, {"LDG", Unit::global_load}};
  const auto found = units.find(mnemonic_of(instruction));
  return found == units.end() ? Unit::other : found->second;
}

TEST_P(InstructionCounts, TheDisassemblerReadsTheSame) {
  std::vector<KernelConfiguration> configurations{kernel(), kernel({"arithmetic=sqrt"}),
                                                  kernel({"precision=double"}),
                                                  kernel({"family=register-split", "block=128"})};
  if (has_tensor_cores()) configurations.push_back(tensor());
  for (const auto& configuration : configurations) {
    const auto& code = cubin(configuration, GetParam());
    const auto lines = disassembled(code);
    if (lines.empty()) GTEST_SKIP() << "no nvdisasm of this architecture";
    const auto machine_code = find_machine_code(code, "forces");
    ASSERT_TRUE(machine_code);
    const auto decoded = decode(*machine_code);
    ASSERT_EQ(decoded.size(), lines.size());
    for (std::size_t k = 0; k < lines.size(); ++k) {
      EXPECT_EQ(decoded[k].unit, unit_of(lines[k])) << lines[k];
      const bool branch = lines[k].find("BRA") != std::string::npos;
      EXPECT_EQ(decoded[k].flow == Flow::branch, branch) << lines[k];
      if (branch) {
        EXPECT_LT(decoded[k].target, decoded.size()) << lines[k];
      }
    }
  }
}

// The oldest, the newest, and one between: sm_80 reads as sm_90, sm_100 as sm_120, and compiling takes long.
INSTANTIATE_TEST_SUITE_P(Architectures, InstructionCounts, testing::Values("sm_75", "sm_90", "sm_120"),
                         [](const auto& each) { return std::string(each.param); });

// ---- limits ----
/// An H100 of 132 multiprocessors at 1.98 GHz.
DeviceInfo h100() {
  return {.capability_major = 9, .multiprocessors = 132, .fp64_ratio = 2, .clock_mhz = 1980.0};
}

TEST(KernelLimits, FollowFromTheInstructions) {
  // 13 slots, one of them a special function: the limit of the reports.
  const InstructionCount count{.interactions = 16, .issued = 13 * 16, .fp32 = 12 * 16, .special = 16};
  const auto limits = kernel_limits(count, h100());
  EXPECT_NEAR(limits.issue, h100().fp32_limit_gips(), 1e-9);
  EXPECT_NEAR(limits.special, 132 * 16 * 1.98, 1e-9);
  EXPECT_EQ(limits.fp64, 0.0);
  // 64 double-precision lanes of 128.
  const auto doubles = kernel_limits({.interactions = 1, .issued = 30, .fp64 = 16, .special = 1}, h100());
  EXPECT_NEAR(doubles.fp64, 132 * 64 * 1.98 / 16, 1e-9);
}

TEST(KernelLimits, FewerLanesThanSlots) {
  auto turing = h100();
  turing.capability_major = 7;
  turing.capability_minor = 5;
  const InstructionCount count{.interactions = 1, .issued = 14, .fp32 = 12, .special = 1};
  EXPECT_NEAR(kernel_limits(count, turing).issue, 132 * 64 * 1.98 / 12, 1e-9);
}

TEST(KernelLimits, AreUnknownWithTheCount) {
  EngineReport report;
  add_limits(report, {.issued = 100, .special = 10}, h100());
  add_limits(report, {.issued = 100, .special = 10}, h100());
  EXPECT_EQ(report.limit(limit_keys::issue).gips, 0.0);
  EXPECT_EQ(report.limit(limit_keys::special).gips, 0.0);
  EXPECT_NEAR(report.limit(limit_keys::fp32).gips, 2 * h100().fp32_limit_gips(), 1e-9);
}

}  // namespace
}  // namespace orrery::sim::cuda
