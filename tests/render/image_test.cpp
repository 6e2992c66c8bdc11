#include "render/picture/image.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>

#include "render/error.h"
#include "render/picture/light_file.h"
#include "tests/peak_memory.h"
#include "tests/render/read_png.h"
#include "tests/temporary_folder.h"

namespace orrery::render {
namespace {

namespace fs = std::filesystem;

class ImageTest : public testing::Test {
 protected:
  static Image gradient(int width, int height) {
    Image image{width, height, {}};
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        for (const int value : {x, y, x * y, 255 - x}) image.rgba.push_back(static_cast<std::uint8_t>(value));
    return image;
  }

  static std::string encoded(const Image& image, std::span<const PngText> text = {}) {
    std::string bytes;
    encode_png(image, text, [&](std::span<const std::byte> piece) {
      bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    });
    return bytes;
  }

  static constexpr std::size_t most = std::size_t{4} << 20U;
  static std::optional<std::string> state_in(const fs::path& path) {
    return read_png_text(path, "orrery", most);
  }

  fs::path write_bytes(const std::string& bytes) const {
    fs::path path = folder_ / "bytes.png";
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  const test::TemporaryFolder folder_;
};

/// All texts of a picture of linear light together, however few bytes of the disk the file takes.
TEST_F(ImageTest, TextsOfLinearLightHaveALimit) {
  if (!has_light_files()) GTEST_SKIP() << "built without OpenEXR";
  const auto path = folder_ / "texts.exr";
  const auto texts_of = [&](std::initializer_list<std::uint32_t> sizes) {
    fs::remove(path);
    std::ofstream file(path, std::ios::binary);
    file << std::string(8, '\0');
    for (const auto size : sizes) {
      file << "a" << '\0' << "string" << '\0';
      for (int shift = 0; shift < 32; shift += 8) file << static_cast<char>(size >> shift);
      file.seekp(size, std::ios::cur);
    }
    file << '\0';
    file.close();
    return read_light_file_text(path);
  };
  constexpr std::uint32_t limit = 16U << 20U;
  EXPECT_EQ(texts_of({limit - 100, 100}).size(), 2U);
  EXPECT_THROW(texts_of({limit + 1}), Error);
  EXPECT_THROW(texts_of({limit - 100, 101}), Error);
}

TEST_F(ImageTest, WhatIsNoJpegIsRefused) {
  EXPECT_THROW(read_jpeg(folder_ / "missing.jpg"), Error);
  EXPECT_THROW(read_jpeg(folder_.path()), Error);
  EXPECT_THROW(read_jpeg(write_bytes("")), Error);
  EXPECT_THROW(read_jpeg(write_bytes("\xff\xd8\xff\xe0 and then nothing of a picture")), Error);
}

TEST_F(ImageTest, PixelsRoundTrip) {
  const Image image = gradient(37, 21);
  const Image back = read_png(write_bytes(encoded(image)));
  EXPECT_EQ(back.width, 37);
  EXPECT_EQ(back.height, 21);
  EXPECT_EQ(back.rgba, image.rgba);
}

TEST_F(ImageTest, TextRoundTrips) {
  std::string json = "{\"dataset\": \"Andromède – ℏ 銀河\", \"camera\": [";
  for (int i = 0; i < 2000; ++i) json += std::to_string(i * 0.25) + ", ";
  const std::vector<PngText> text{{"orrery", json + "0]}"}, {"Software", "Orrery 0.1.0"}, {"Comment", ""}};
  const fs::path path = write_bytes(encoded(gradient(4, 4), text));
  for (const auto& each : text) EXPECT_EQ(read_png_text(path, each.keyword, most), each.text);
  EXPECT_EQ(read_png_text(path, "orr", most), std::nullopt);
  EXPECT_TRUE(read_png(path).rgba == gradient(4, 4).rgba);
}

// A picture of a few kB may claim a thousand million pixels.
TEST_F(ImageTest, TextsAreReadWithoutThePixels) {
  std::string whole = encoded(gradient(16, 16), std::vector<PngText>{{"orrery", "{}"}});
  const auto pixels = whole.find("IDAT");
  whole[pixels + 10] = static_cast<char>(whole[pixels + 10] ^ 0x5a);
  EXPECT_THROW(read_png(write_bytes(whole)), Error);
  EXPECT_EQ(state_in(write_bytes(whole)), "{}");
}

TEST_F(ImageTest, TextsMayFollowThePixels) {
  std::string whole = encoded(gradient(16, 16), std::vector<PngText>{{"orrery", "{}"}});
  const auto first = whole.find("iTXt") - 4, pixels = whole.find("IDAT") - 4, end = whole.find("IEND") - 4;
  const auto chunk = whole.substr(first, pixels - first);
  EXPECT_EQ(state_in(write_bytes(whole.substr(0, first) + whole.substr(pixels, end - pixels) + chunk +
                                 whole.substr(end))),
            "{}");
}

TEST_F(ImageTest, ATextThatIsTooLongIsRefused) {
  std::string whole = encoded(gradient(16, 16), std::vector<PngText>{{"orrery", "{}"}});
  const auto first = whole.find("iTXt") - 4;
  whole[first] = '\x70';
  EXPECT_THROW(state_in(write_bytes(whole)), Error);
}

// Each is looked at, and the window stands still meanwhile.
TEST_F(ImageTest, MillionsOfChunksAreRefused) {
  const std::string whole = encoded(gradient(16, 16), std::vector<PngText>{{"orrery", "{}"}});
  const auto end = whole.find("IEND") - 4;
  const auto with = [&](int count) {
    std::string chunks;
    for (int k = 0; k < count; ++k) chunks += std::string("\0\0\0\0aaAa\x24\x5b\x2d\x5f", 12);
    return write_bytes(whole.substr(0, end) + chunks + whole.substr(end));
  };
  EXPECT_EQ(state_in(with(100'000)), "{}");
  EXPECT_THROW(state_in(with(300'000)), Error);
}

/// A text of some kB may unpack to a thousand times as much.
TEST_F(ImageTest, OneTextIsUnpackedAndNoneBeyondTheLimit) {
  const auto with = [&](const char* keyword, std::size_t size) {
    return encoded(gradient(4, 4), std::vector<PngText>{{keyword, std::string(size, ' ')}});
  };
  const std::string whole = with("other", 15U << 20U);
  const auto first = whole.find("iTXt") - 4, pixels = whole.find("IDAT") - 4;
  std::string many = whole.substr(0, first);
  for (const auto* text : {"first", "second"}) {
    const auto each = encoded(gradient(4, 4), std::vector<PngText>{{"orrery", text}});
    many += each.substr(first, each.find("IDAT") - 4 - first);
  }
  for (int k = 0; k < 60; ++k) many += whole.substr(first, pixels - first);
  const auto path = write_bytes(many + whole.substr(pixels));
  const auto before = test::peak_memory();
  EXPECT_EQ(state_in(path), "first");
  EXPECT_LT(test::peak_memory() - before, 64U << 20U);
  EXPECT_EQ(state_in(write_bytes(with("orrery", most - 1000))), std::string(most - 1000, ' '));
  EXPECT_THROW(state_in(write_bytes(with("orrery", most + 1000))), Error);
}

TEST_F(ImageTest, ThousandsOfAttributesAreRefused) {
  if (!has_light_files()) GTEST_SKIP() << "built without OpenEXR";
  const auto with = [&](int count) {
    std::string header("\x76\x2f\x31\x01\2\0\0\0", 8);
    for (int k = 0; k < count; ++k) header += std::string("a\0int\0\0\0\0\0", 10);
    return write_bytes(header + std::string(1, '\0'));
  };
  EXPECT_TRUE(read_light_file_text(with(9000)).empty());
  EXPECT_THROW(read_light_file_text(with(20'000)), Error);
}

TEST_F(ImageTest, WhatIsNoPictureIsRefused) {
  EXPECT_THROW(encoded(Image{}), Error);
  EXPECT_THROW(encoded(Image{4, 4, {1, 2, 3}}), Error);
  EXPECT_THROW(encoded(gradient(4, 4), std::vector<PngText>{{"", "no keyword"}}), Error);
  EXPECT_THROW(encoded(gradient(4, 4), std::vector<PngText>{{std::string(80, 'k'), "x"}}), Error);
}

TEST_F(ImageTest, AFullDiskEndsTheEncoding) {
  std::size_t taken = 0;
  const auto sink = [&](std::span<const std::byte> piece) {
    if (taken > 1000) throw std::runtime_error("full");
    taken += piece.size();
  };
  EXPECT_THROW(encode_png(gradient(300, 300), {}, sink), std::runtime_error);
}

TEST_F(ImageTest, EveryTruncationIsRefusedInOneLine) {
  const std::string whole = encoded(gradient(16, 16), std::vector<PngText>{{"orrery", "{}"}});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const fs::path path = write_bytes(whole.substr(0, length));
    try {
      read_png(path);
      // The trailing checksum of the end mark decides nothing about the pixels.
      EXPECT_GE(length, whole.size() - 4) << "of " << whole.size();
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      EXPECT_THROW(state_in(path), Error);
    }
  }
}

TEST_F(ImageTest, DamagedBytesNeverCrash) {
  const std::string whole = encoded(gradient(16, 16), std::vector<PngText>{{"orrery", "{\"a\": 1}"}});
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
  EXPECT_THROW(read_png(folder_.path()), Error);
  EXPECT_THROW(read_png(write_bytes("")), Error);
  EXPECT_THROW(state_in(write_bytes("GIF89a, says the file, and goes on for a while")), Error);
}

}  // namespace
}  // namespace orrery::render
