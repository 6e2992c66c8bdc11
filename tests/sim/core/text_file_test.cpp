#include "sim/core/text_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "sim/core/error.h"
#include "tests/temporary_folder.h"

namespace orrery::sim {
namespace {

std::string refusal(const std::filesystem::path& path) {
  try {
    read_text_file(path);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(TextFile, IsReadWhole) {
  const test::TemporaryFolder folder;
  std::string text = "one\r\ntwo\n";
  text.push_back('\0');
  for (const auto& content : {std::string(), text, std::string(1 << 16, 'x'), std::string(100'001, 'y')}) {
    std::ofstream(folder / "a", std::ios::binary) << content;
    EXPECT_EQ(read_text_file(folder / "a"), content);
  }
}

TEST(TextFile, WhatIsNoFileIsRefusedAtOnce) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_NE(refusal(folder.path()).find("it is a folder"), std::string::npos);
  EXPECT_NE(refusal(folder / "pipe").find("a device or a pipe"), std::string::npos);
  EXPECT_NE(refusal("/dev/zero").find("a device or a pipe"), std::string::npos);
  EXPECT_NE(refusal(folder / "absent").find("check the name"), std::string::npos);
  std::ofstream(folder / "huge") << "x";
  std::filesystem::resize_file(folder / "huge", std::uintmax_t{1} << 40U);
  EXPECT_NE(refusal(folder / "huge").find("larger than"), std::string::npos);
}

}  // namespace
}  // namespace orrery::sim
