#include <gtest/gtest.h>

#include "tests/fuzz/fuzz_target.h"

namespace orrery::fuzz {
namespace {

namespace fs = std::filesystem;

TEST(CorpusFolder, HoldsNothingOfAnotherTarget) {
  std::uintmax_t bytes = 0;
  for (const auto& folder : fs::directory_iterator(ORRERY_FUZZ_CORPUS)) {
    EXPECT_NE(find_target(folder.path().filename().string()), nullptr) << folder.path();
    for (const auto& file : fs::directory_iterator(folder)) bytes += file.file_size();
  }
  EXPECT_LT(bytes, std::uintmax_t{1} << 20);
}

}  // namespace
}  // namespace orrery::fuzz
