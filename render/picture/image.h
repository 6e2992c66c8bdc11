#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace orrery::render {

/// A picture of 8-bit sRGB with straight alpha: 4 bytes per pixel, top row first.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgba;
};

/// One text entry of a PNG file. Keyword: 1 to 79 Latin-1 characters; text: UTF-8.
struct PngText {
  std::string keyword;
  std::string text;
  friend bool operator==(const PngText&, const PngText&) = default;
};

/// Takes the bytes of a file, piece by piece.
using ByteSink = std::function<void(std::span<const std::byte>)>;

/// Effort for packing a PNG file: `little` takes a fifth of the time, for pictures that are looked at once.
enum class PngEffort { usual, little };

/// The PNG file of a picture, handed to `sink`. Throws Error if the picture is empty or a keyword is none,
/// and whatever `sink` throws.
void encode_png(const Image& image, std::span<const PngText> text, const ByteSink& sink,
                PngEffort effort = PngEffort::usual);

/// A JPEG as opaque RGBA. Throws Error if the file cannot be read, is no JPEG, or is larger than
/// 16384 x 16384.
Image read_jpeg(const std::filesystem::path& path);

/// The first text of a PNG with this keyword; none if it has no such text. No other text is unpacked. Throws
/// Error if the file cannot be read or is no PNG, and for a text that is damaged or larger than `most` bytes.
std::optional<std::string> read_png_text(const std::filesystem::path& path, const std::string& keyword,
                                         std::size_t most);

}  // namespace orrery::render
