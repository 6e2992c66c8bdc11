
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "sim/core/mapped_file.h"
#include "tests/temporary_folder.h"

namespace orrery::sim {
namespace {

unsigned sum_of(std::span<const std::byte> bytes) {
  unsigned sum = 0;
  for (const auto b : bytes) sum += std::to_integer<unsigned>(b);
  return sum;
}

TEST(TornFile, ShortenedFileReadsAsZerosAndSaysSo) {
  const test::TemporaryFolder folder;
  const auto path = folder / "a.bin";
  std::ofstream(path) << std::string(100'000, '\1');
  const MappedFile file(path);
  survive_torn_files();
  const TornFileGuard guard(file.view().bytes);
  EXPECT_EQ(sum_of(file.view().bytes), 100'000U);
  EXPECT_FALSE(guard.torn());
  ASSERT_EQ(::truncate(path.c_str(), 8192), 0);
  EXPECT_EQ(sum_of(file.view().bytes), 8192U);
  EXPECT_TRUE(guard.torn());
}

TEST(TornFile, OthersAreNotTouched) {
  const test::TemporaryFolder folder;
  for (const char* name : {"a.bin", "b.bin"}) std::ofstream(folder / name) << std::string(50'000, '\1');
  const MappedFile a(folder / "a.bin"), b(folder / "b.bin");
  const TornFileGuard guard_a(a.view().bytes), guard_b(b.view().bytes);
  ASSERT_EQ(::truncate((folder / "b.bin").c_str(), 0), 0);
  EXPECT_EQ(sum_of(b.view().bytes), 0U);
  EXPECT_EQ(sum_of(a.view().bytes), 50'000U);
  EXPECT_TRUE(guard_b.torn());
  EXPECT_FALSE(guard_a.torn());
}

}  // namespace
}  // namespace orrery::sim
