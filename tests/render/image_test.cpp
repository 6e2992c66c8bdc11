#include "render/image.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "render/error.h"

namespace orrery::render {
namespace {

namespace fs = std::filesystem;

class ImageTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "orrery-image-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::permissions(folder_, fs::perms::owner_all, ignored);
    fs::remove_all(folder_, ignored);
  }

  static Image gradient(int width, int height) {
    Image image{width, height, {}};
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        for (const int value : {x, y, x * y, 255 - x}) image.rgba.push_back(static_cast<std::uint8_t>(value));
    return image;
  }

  static std::string bytes_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  fs::path write_bytes(const std::string& bytes) const {
    fs::path path = folder_ / "bytes.png";
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(ImageTest, PixelsRoundTrip) {
  const Image image = gradient(37, 21);
  write_png(folder_ / "a.png", image);
  const Image back = read_png(folder_ / "a.png");
  EXPECT_EQ(back.width, 37);
  EXPECT_EQ(back.height, 21);
  EXPECT_EQ(back.rgba, image.rgba);
}

TEST_F(ImageTest, TextRoundTrips) {
  std::string json = "{\"dataset\": \"Andromède – ℏ 銀河\", \"camera\": [";
  for (int i = 0; i < 2000; ++i) json += std::to_string(i * 0.25) + ", ";
  const std::vector<PngText> text{{"orrery", json + "0]}"}, {"Software", "Orrery 0.1.0"}, {"Comment", ""}};
  write_png(folder_ / "a.png", gradient(4, 4), text);
  EXPECT_EQ(read_png_text(folder_ / "a.png"), text);
  EXPECT_TRUE(read_png(folder_ / "a.png").rgba == gradient(4, 4).rgba);
}

TEST_F(ImageTest, NeverOverwritesUnlessAsked) {
  const fs::path path = folder_ / "a.png";
  write_png(path, gradient(4, 4));
  const std::string before = bytes_of(path);
  EXPECT_THROW(write_png(path, gradient(5, 5)), Error);
  EXPECT_EQ(bytes_of(path), before);
  EXPECT_EQ(files(), 1U);
  write_png(path, gradient(5, 5), {}, Overwrite::replace);
  EXPECT_EQ(read_png(path).width, 5);
  EXPECT_EQ(files(), 1U);
}

TEST_F(ImageTest, DanglingLinkIsNotOverwrittenEither) {
  const fs::path path = folder_ / "a.png";
  fs::create_symlink(folder_ / "elsewhere.png", path);
  EXPECT_THROW(write_png(path, gradient(4, 4)), Error);
  EXPECT_TRUE(fs::is_symlink(path));
  EXPECT_EQ(files(), 1U);
}

TEST_F(ImageTest, FailedWriteLeavesNothing) {
  EXPECT_THROW(write_png(folder_ / "missing" / "a.png", gradient(4, 4)), Error);
  EXPECT_THROW(write_png(folder_ / "a.png", Image{}), Error);
  EXPECT_THROW(write_png(folder_ / "a.png", Image{4, 4, {1, 2, 3}}), Error);
  EXPECT_THROW(write_png(folder_ / "a.png", gradient(4, 4), std::vector<PngText>{{"", "no keyword"}}), Error);
  const std::vector<PngText> long_keyword{{std::string(80, 'k'), "x"}};
  EXPECT_THROW(write_png(folder_ / "a.png", gradient(4, 4), long_keyword), Error);
  EXPECT_EQ(files(), 0U);
}

TEST_F(ImageTest, EveryTruncationIsRefusedInOneLine) {
  write_png(folder_ / "a.png", gradient(16, 16), std::vector<PngText>{{"orrery", "{}"}});
  const std::string whole = bytes_of(folder_ / "a.png");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const fs::path path = write_bytes(whole.substr(0, length));
    try {
      read_png(path);
      // The trailing checksum of the end mark decides nothing about the pixels.
      EXPECT_GE(length, whole.size() - 4) << "of " << whole.size();
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      EXPECT_THROW(read_png_text(path), Error);
    }
  }
}

TEST_F(ImageTest, DamagedBytesNeverCrash) {
  write_png(folder_ / "a.png", gradient(16, 16), std::vector<PngText>{{"orrery", "{\"a\": 1}"}});
  const std::string whole = bytes_of(folder_ / "a.png");
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x5a);
    try {
      read_png(write_bytes(damaged));
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, static_cast<int>(whole.size()) / 2);
}

TEST_F(ImageTest, OtherFilesAreRefused) {
  EXPECT_THROW(read_png(folder_ / "missing.png"), Error);
  EXPECT_THROW(read_png(folder_), Error);
  EXPECT_THROW(read_png(write_bytes("")), Error);
  EXPECT_THROW(read_png_text(write_bytes("GIF89a, says the file, and goes on for a while")), Error);
}

TEST_F(ImageTest, NumbersContinue) {
  EXPECT_EQ(next_free_name(folder_, "orrery").filename(), "orrery-0001.png");
  write_png(folder_ / "orrery-0001.png", gradient(2, 2));
  EXPECT_EQ(next_free_name(folder_, "orrery").filename(), "orrery-0002.png");
}

}  // namespace
}  // namespace orrery::render
