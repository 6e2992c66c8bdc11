#include "sim/cuda/compiler.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "sim/cuda/api.h"
#include "sim/error.h"
#include "tests/temporary_folder.h"

namespace orrery::sim::cuda {
namespace {

namespace fs = std::filesystem;

class Compiler : public testing::Test {
 protected:
  void SetUp() override {
    if (nvrtc() == nullptr) GTEST_SKIP() << nvrtc_problem();
  }
  const test::TemporaryFolder temporary_;
  const fs::path& folder_ = temporary_.path();
};

constexpr const char* architecture = "sm_90";

TEST_F(Compiler, EverySwitchReachesTheCode) {
  const std::vector<std::function<void(KernelConfiguration&)>> switches{
      [](auto&) {},
      [](auto& c) { c.flush_to_zero = true; },
      [](auto& c) { c.layout = "soa"; },
      [](auto& c) { c.arithmetic = "sqrt"; },
      [](auto& c) { c.arithmetic = "powf"; },
      [](auto& c) { c.tile = 512; },
      [](auto& c) { c.unroll = 4; },
      [](auto& c) { c.registers = 24; },
      [](auto& c) { c.precision = 64; },
      [](auto& c) { c.read_only = false, c.constant_memory = true; },
      [](auto& c) { c.dimensions = 2; },
      [](auto& c) { c.force_law = 1; },
      [](auto& c) { c.stage_bodies = true; },
      [](auto& c) { c.family = "tiled-2d", c.stage = false; },
      [](auto& c) { c.family = "pairwise"; },
      [](auto& c) { c.family = "tiled-2d"; },
      [](auto& c) { c.family = "tiled-2d", c.cublas_sum = true; },
      [](auto& c) { c.family = "register-split"; },
      [](auto& c) { c.family = "register-split", c.bodies_per_thread = 2; },
      [](auto& c) { c.family = "register-split", c.atomic_sum = true; },
      [](auto& c) { c.family = "register-split", c.block = 128; },
      [](auto& c) { c.family = "tensor-sum"; },
      [](auto& c) { c.family = "tensor"; },
      [](auto& c) { c.family = "tensor-pairs"; },
      [](auto& c) { c.family = "tensor-pairs", c.split_weights = true; },
      [](auto& c) { c.family = "tensor", c.split_weights = true; },
      [](auto& c) { c.family = "tensor", c.row_tiles = 2; },
      [](auto& c) { c.family = "tensor", c.polynomial = 0; },
  };
  std::set<std::string> distinct;
  for (const auto& change : switches) {
    KernelConfiguration configuration;
    configuration.flush_to_zero = false;
    change(configuration);
    EXPECT_TRUE(distinct.insert(compile(configuration, architecture).cubin).second)
        << "the same code as before it: switch " << (&change - switches.data());
  }
  EXPECT_EQ(distinct.size(), switches.size());
}

TEST_F(Compiler, KernelsThatAreLaunchedEarlyWait) {
  for (const char* family : {"tiled", "register-split", "tensor-sum", "tensor", "tensor-pairs"}) {
    KernelConfiguration plain;
    plain.family = family;
    auto early = plain;
    early.early_launch = true;
    EXPECT_NE(compile(early, "sm_90").cubin, compile(plain, "sm_90").cubin) << family;
    EXPECT_EQ(compile(early, "sm_86").cubin, compile(plain, "sm_86").cubin) << family << ": not known there";
  }
}

TEST_F(Compiler, TheCacheGivesBackWhatWasCompiled) {
  const KernelConfiguration configuration;
  const auto first = compile_cached(configuration, architecture, folder_);
  EXPECT_FALSE(first.from_disk);
  EXPECT_GT(first.compile_ms, 0.0);
  const auto second = compile_cached(configuration, architecture, folder_);
  EXPECT_TRUE(second.from_disk);
  EXPECT_EQ(second.cubin, first.cubin);
  KernelConfiguration other = configuration;
  other.unroll = 2;
  EXPECT_FALSE(compile_cached(other, architecture, folder_).from_disk);
}

TEST_F(Compiler, ADamagedEntryIsCompiledAnew) {
  const KernelConfiguration configuration;
  const auto whole = compile_cached(configuration, architecture, folder_);
  const auto entry = fs::directory_iterator(folder_)->path();
  for (const int damage : {0, 1, 2}) {
    if (damage == 0) fs::resize_file(entry, fs::file_size(entry) / 2);
    if (damage == 1) std::ofstream(entry) << "";
    if (damage == 2) std::fstream(entry, std::ios::in | std::ios::out | std::ios::binary).seekp(500).put('!');
    const auto again = compile_cached(configuration, architecture, folder_);
    EXPECT_FALSE(again.from_disk) << damage;
    EXPECT_EQ(again.cubin, whole.cubin);
    EXPECT_TRUE(compile_cached(configuration, architecture, folder_).from_disk);
  }
}

TEST_F(Compiler, WithoutAWritableFolderItStillCompiles) {
  EXPECT_FALSE(compile_cached({}, architecture, "/proc/nowhere").cubin.empty());
}

TEST_F(Compiler, AnUnknownArchitectureIsOneLine) {
  try {
    compile({}, "sm_1");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace orrery::sim::cuda
