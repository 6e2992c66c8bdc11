#include "sim/core/file_writer.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "sim/core/error.h"
#include "tests/temporary_folder.h"

namespace orrery::sim {
namespace {

namespace fs = std::filesystem;

class FileWriterTest : public testing::Test {
 protected:
  static std::string text_of(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  test::TemporaryFolder folder_;
};

TEST_F(FileWriterTest, LinkThatLeadsNowhereStaysALink) {
  fs::create_symlink("real.txt", folder_ / "link.txt");
  write_file(folder_ / "link.txt", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.txt"));
  EXPECT_EQ(text_of(folder_ / "real.txt"), "new");
}

TEST_F(FileWriterTest, ChainOfLinksIsFollowed) {
  fs::create_directory(folder_ / "sub");
  write_file(folder_ / "sub/real.txt", "old");
  fs::create_symlink("real.txt", folder_ / "sub/second");
  fs::create_symlink("sub/second", folder_ / "first");
  write_file(folder_ / "first", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "first"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "sub/second"));
  EXPECT_EQ(text_of(folder_ / "sub/real.txt"), "new");
}

TEST_F(FileWriterTest, LinksInACircleAreRefused) {
  fs::create_symlink("b", folder_ / "a");
  fs::create_symlink("a", folder_ / "b");
  EXPECT_THROW(write_file(folder_ / "a", "new"), Error);
  EXPECT_TRUE(fs::is_symlink(folder_ / "a"));
}

TEST_F(FileWriterTest, PermissionsOfWhatIsReplacedStay) {
  for (const unsigned mode : {0600U, 0640U, 0755U}) {
    write_file(folder_ / "a.txt", "old");
    ::chmod((folder_ / "a.txt").c_str(), mode);
    write_file(folder_ / "a.txt", "new");
    EXPECT_EQ(static_cast<unsigned>(fs::status(folder_ / "a.txt").permissions()), mode);
    EXPECT_EQ(text_of(folder_ / "a.txt"), "new");
  }
}

}  // namespace
}  // namespace orrery::sim
