#include "sim/cuda/compiler/known_kernels.h"

#include <gtest/gtest.h>

#include <fstream>

#include "kernel_testing.h"
#include "sim/core/error.h"
#include "sim/cuda/compiler/compiler.h"
#include "sim/cuda/driver/api.h"
#include "tests/temporary_folder.h"

namespace orrery::sim::cuda {
namespace {

namespace fs = std::filesystem;

class KnownKernel : public testing::Test {
 protected:
  void SetUp() override {
    if (nvrtc() == nullptr) GTEST_SKIP() << nvrtc_problem();
  }
  const test::TemporaryFolder temporary_;
  const fs::path file_ = temporary_ / "below" / "known.txt";
  const KernelConfiguration pairwise_ = kernel({"family=pairwise"});
};

TEST_F(KnownKernel, IsCompiledOnceUntilSomethingIsOther) {
  {
    KnownKernels known(file_);
    EXPECT_TRUE(known.compile(pairwise_, "sm_90"));
    EXPECT_FALSE(known.compile(pairwise_, "sm_90"));
    known.save();
  }
  KnownKernels again(file_);
  EXPECT_FALSE(again.compile(pairwise_, "sm_90"));
  EXPECT_TRUE(again.compile(pairwise_, "sm_80"));
  EXPECT_TRUE(again.compile(kernel({"family=pairwise", "unroll=2"}), "sm_90"));
  const auto folder = temporary_ / "sources";
  write_kernel_folder(folder);
  std::ofstream(folder / "update.cu", std::ios::app) << "// other\n";
  EXPECT_TRUE(again.compile(pairwise_, "sm_90", read_kernel_folder(folder, false)));
}

TEST_F(KnownKernel, IsNoneThatDoesNotCompile) {
  const auto folder = temporary_ / "sources";
  write_kernel_folder(folder);
  std::ofstream(folder / "update.cu", std::ios::app) << "broken;\n";
  const auto broken = read_kernel_folder(folder, false);
  for (int time = 0; time < 2; ++time) {
    KnownKernels known(file_);
    EXPECT_THROW(known.compile(pairwise_, "sm_90", broken), Error);
    known.save();
  }
}

TEST_F(KnownKernel, IsKeptWhileOthersAreAskedFor) {
  for (const char* family : {"family=pairwise", "family=shuffle"}) {
    KnownKernels known(file_);
    EXPECT_TRUE(known.compile(kernel({family}), "sm_90"));
    known.save();
  }
  EXPECT_FALSE(KnownKernels(file_).compile(pairwise_, "sm_90"));
}

TEST_F(KnownKernel, WithoutAFileNothingIsRemembered) {
  for (const fs::path& file : {fs::path(), fs::path("/proc/nowhere/known.txt")}) {
    KnownKernels known(file);
    EXPECT_TRUE(known.compile(pairwise_, "sm_90"));
    EXPECT_NO_THROW(known.save());
    EXPECT_TRUE(KnownKernels(file).compile(pairwise_, "sm_90"));
  }
}

TEST_F(KnownKernel, WhatIsNoListOfKeysSaysNothing) {
  fs::create_directories(file_.parent_path());
  std::ofstream(file_) << "no key\n" << cache_key(pairwise_, "sm_90").substr(1) << '\n';
  EXPECT_TRUE(KnownKernels(file_).compile(pairwise_, "sm_90"));
}

}  // namespace
}  // namespace orrery::sim::cuda
