#include <filesystem>
#include <string>

#include "command_line_testing.h"

// Sources of device code that a person edits.
namespace {

namespace fs = std::filesystem;

using orrery::test::CommandLine;

TEST_F(CommandLine, KernelSourcesAreWrittenOnceAndReadBack) {
  const auto written = orrery("kernels --write-sources sources");
  EXPECT_EQ(written.status, 0) << written.errors;
  EXPECT_NE(text_of(folder_ / "sources" / "tiled.cu").find("forces"), std::string::npos);
  const auto again = orrery("kernels --write-sources sources");
  EXPECT_EQ(again.status, 1);
  EXPECT_NE(again.errors.find("never overwritten"), std::string::npos);
  fs::remove(folder_ / "sources" / "pairwise.cu");
  const auto bench = orrery("bench --watch-kernels sources --kernels sequential --bodies 50 --steps 1");
  EXPECT_EQ(bench.status, 0) << bench.errors;
  EXPECT_NE(bench.errors.find("pairwise.cu is not there"), std::string::npos);
}

// A limit of file sizes stands for the full disk.
TEST_F(CommandLine, KernelSourcesAreAllWrittenOrNone) {
  const auto program = "'" + std::string(ORRERY_PROGRAM) + "'";
  const auto outcome = shell("ulimit -f 16; " + program + " kernels --write-sources new");
  EXPECT_EQ(outcome.status, 1) << outcome.errors;
  EXPECT_FALSE(fs::exists(folder_ / "new"));
  fs::create_directory(folder_ / "mine");
  EXPECT_EQ(shell("ulimit -f 16; " + program + " kernels --write-sources mine").status, 1);
  EXPECT_TRUE(fs::is_empty(folder_ / "mine"));
  EXPECT_EQ(orrery("kernels --write-sources mine").status, 0);
}

TEST_F(CommandLine, AFolderWithoutKernelSourcesIsRefused) {
  for (const char* command : {"view --display headless", "render", "bench", "kernels --compile-all"}) {
    const auto outcome = orrery(std::string(command) + " --watch-kernels nowhere");
    EXPECT_EQ(outcome.status, 1) << command;
    EXPECT_EQ(lines(outcome.errors), 1) << outcome.errors;
  }
}

}  // namespace
