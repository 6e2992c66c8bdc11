#include "sim/cuda/compiler/compiler.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>

#include "kernel_testing.h"
#include "sim/core/error.h"
#include "sim/cuda/driver/api.h"
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
  const std::vector<std::vector<std::string>> switches{
      {},
      {"math=flush-to-zero"},
      {"layout=soa"},
      {"layout=aos-mass"},
      {"map-size=8", "map-count=update"},
      {"arithmetic=sqrt"},
      {"arithmetic=powf"},
      {"tile=512"},
      {"unroll=4"},
      {"registers=24"},
      {"precision=double"},
      {"state-precision=compensated"},
      {"external-field=point-mass"},
      {"external-field=logarithmic"},
      {"external-field=miyamoto-nagai"},
      {"external-field=nfw"},
      {"external-field=nfw", "state-precision=compensated"},
      {"loads=plain", "constants=constant-memory"},
      {"loads=plain", "constants=constant-memory-all"},
      {"dimensions=2"},
      {"integrator=rk4"},
      {"integrator=rk4", "external-field=nfw"},
      {"integrator=hermite"},
      {"integrator=hermite", "state-precision=compensated"},
      {"step=adaptive"},
      {"step=block"},
      {"force-law=electric"},
      {"force-law=gravity-spline"},
      {"staging=bodies"},
      {"update=fused"},
      {"family=tiled-2d", "staging=none"},
      {"family=pairwise"},
      {"family=galaxy-block"},
      {"family=galaxy-block", "update=fused"},
      {"family=galaxy-block", "update=fused", "staging=none", "layout=aos"},
      {"family=tiled-2d"},
      {"family=tiled-2d", "sum=cublas"},
      {"family=tiled-2d", "sum=tree"},
      {"family=tiled-2d", "bank-safe=writes"},
      {"family=tiled-2d", "bank-safe=reads"},
      {"family=tiled-2d", "bank-safe=none"},
      {"family=tiled-2d", "tiling=8"},
      {"tile=16"},
      {"family=register-split"},
      {"family=register-split", "bodies-per-thread=2"},
      {"family=register-split", "block=128"},
      {"family=tensor-sum"},
      {"family=tensor"},
      {"family=tensor-pairs"},
      {"family=tensor-pairs", "weights=split"},
      {"family=tensor", "weights=split"},
  };
  std::set<std::string> distinct;
  for (const auto& settings : switches) {
    EXPECT_TRUE(distinct.insert(compile(kernel(settings), architecture).cubin).second)
        << "the same code as before it: switch " << (&settings - switches.data());
  }
  EXPECT_EQ(distinct.size(), switches.size());
}

TEST_F(Compiler, FieldsAndTheCompensatedStateAreNoOtherCodeThanTheyNeed) {
  EXPECT_FALSE(kernel({"precision=double", "state-precision=compensated"}).compensated);
  EXPECT_EQ(kernel({"external-field=nfw:3"}), kernel({"external-field=nfw"}));
}

TEST_F(Compiler, JerksOfEveryFieldAreThere) {
  std::set<std::string> distinct;
  for (const std::string field : {"none", "point-mass", "logarithmic", "miyamoto-nagai", "nfw"}) {
    for (const std::string more : {"precision=float", "precision=double", "dimensions=2"}) {
      const std::vector<std::string> settings{"family=pairwise", "integrator=hermite", more,
                                              "external-field=" + field};
      EXPECT_TRUE(distinct.insert(compile(kernel(settings), architecture).cubin).second) << field << more;
    }
  }
  EXPECT_NO_THROW(compile(kernel({"integrator=hermite", "external-field=nfw", "math=fast", "layout=soa",
                                  "passing=members", "state-precision=compensated"}),
                          "sm_75"));
}

TEST_F(Compiler, AnotherSizeOfTheMapIsNoOtherCode) {
  const auto small = kernel({"map-size=8", "map-count=update"});
  EXPECT_EQ(small, kernel({"map-size=9000", "map-count=update", "map-plane=yz"}));
  EXPECT_EQ(kernel({"map-size=8", "map-count=kernel"}), kernel());
  EXPECT_EQ(kernel({"map-size=0", "map-count=update"}), kernel());
}

TEST_F(Compiler, KernelsThatAreLaunchedEarlyWait) {
  for (const std::string family : {"tiled", "register-split", "tensor-sum", "tensor", "tensor-pairs"}) {
    const auto plain = kernel({"family=" + family});
    const auto early = kernel({"family=" + family, "early-launch=on"});
    EXPECT_NE(compile(early, "sm_90").cubin, compile(plain, "sm_90").cubin) << family;
  }
  const auto plain = kernel(), early = kernel({"early-launch=on"});
  EXPECT_EQ(compile(early, "sm_86").cubin, compile(plain, "sm_86").cubin) << "not known there";
}

TEST_F(Compiler, TheCacheGivesBackWhatWasCompiled) {
  const auto configuration = kernel();
  const auto first = compile_cached(configuration, architecture, folder_);
  EXPECT_FALSE(first.from_disk);
  EXPECT_GT(first.compile_ms, 0.0);
  const auto second = compile_cached(configuration, architecture, folder_);
  EXPECT_TRUE(second.from_disk);
  EXPECT_EQ(second.cubin, first.cubin);
  const auto other = kernel({"unroll=2"});
  EXPECT_FALSE(compile_cached(other, architecture, folder_).from_disk);
}

TEST_F(Compiler, ThreadsThatAskForOneKernelShareItsCompilation) {
  const auto ask = [&] { return compile_cached(kernel(), architecture, folder_); };
  auto other = std::async(std::launch::async, ask);
  const auto first = ask(), second = other.get();
  EXPECT_EQ(second.cubin, first.cubin);
  // A thread that came after the end of the compilation found the kernel on disk.
  const bool late = first.from_disk || second.from_disk;
  EXPECT_TRUE(late || second.compile_ms == first.compile_ms) << second.compile_ms << ' ' << first.compile_ms;
}

/// The log that tools/gpu_suite counts and carries along.
TEST_F(Compiler, RequestsAreLoggedWhereTheEnvironmentNamesAFile) {
  const auto log = folder_ / "requests.log";
  setenv("ORRERY_KERNEL_LOG", log.c_str(), 1);
  for (int time = 0; time < 2; ++time)
    compile_cached(kernel({"unroll=2"}), architecture, folder_ / "kernels");
  unsetenv("ORRERY_KERNEL_LOG");
  compile_cached(kernel(), architecture, folder_ / "kernels");
  std::ifstream stream(log);
  const auto key = cache_key(kernel({"unroll=2"}), architecture);
  std::string name, milliseconds, for_architecture, description;
  for (const bool compiled : {true, false}) {
    ASSERT_TRUE(stream >> name >> milliseconds >> for_architecture);
    EXPECT_EQ(name, key);
    EXPECT_EQ(milliseconds != "0", compiled);
    EXPECT_EQ(for_architecture, architecture);
    std::getline(stream, description);
    EXPECT_NE(description.find("unroll=2"), std::string::npos) << description;
  }
  EXPECT_FALSE(stream >> name) << "two requests were logged";
  EXPECT_TRUE(fs::is_regular_file(folder_ / "kernels" / (key + ".cubin")));
}

TEST_F(Compiler, ADamagedEntryIsCompiledAnew) {
  const auto configuration = kernel();
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

/// Whoever else may write into the folder could put code there with a checksum that is right.
TEST_F(Compiler, AnEntryOfAnotherUserIsCompiledAnew) {
  const auto whole = compile_cached(kernel(), architecture, folder_);
  const auto entry = fs::directory_iterator(folder_)->path();
  if (::chown(entry.c_str(), 12345, 12345) != 0) GTEST_SKIP() << "only root gives files away";
  const auto again = compile_cached(kernel(), architecture, folder_);
  EXPECT_FALSE(again.from_disk);
  EXPECT_EQ(again.cubin, whole.cubin);
}

TEST_F(Compiler, AFolderInThePlaceOfAnEntryIsNoKernel) {
  const auto whole = compile_cached(kernel(), architecture, folder_);
  const auto entry = fs::directory_iterator(folder_)->path();
  fs::remove(entry);
  fs::create_directory(entry);
  const auto again = compile_cached(kernel(), architecture, folder_);
  EXPECT_FALSE(again.from_disk);
  EXPECT_EQ(again.cubin, whole.cubin);
}

TEST_F(Compiler, WithoutAWritableFolderItStillCompiles) {
  EXPECT_FALSE(compile_cached(kernel(), architecture, "/proc/nowhere").cubin.empty());
}

TEST_F(Compiler, AnUnknownArchitectureIsOneLine) {
  try {
    compile(kernel(), "sm_1");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace orrery::sim::cuda
