#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace orrery::render {

/// A picture of 8-bit sRGB with straight alpha: 4 bytes a pixel, top row first.
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

/// What happens when a file of that name exists.
enum class Overwrite { never, replace };

/// Writes a picture under a temporary name in the same folder, then gives it its name: the file is there
/// whole or not at all. With Overwrite::never an existing file is left as it is and Error is thrown. Throws
/// Error if the folder cannot be written or the picture is empty.
void write_png(const std::filesystem::path& path, const Image& image, std::span<const PngText> text = {},
               Overwrite overwrite = Overwrite::never);

/// Any PNG as 8-bit RGBA. Throws Error if the file cannot be read, is no PNG, is cut short, or is larger than
/// 16384 x 16384.
Image read_png(const std::filesystem::path& path);

/// The text entries of a PNG, in the order of the file. Throws Error like read_png.
std::vector<PngText> read_png_text(const std::filesystem::path& path);

/// The first of "<stem>-0001.png", "<stem>-0002.png", ... in `folder` that does not exist.
std::filesystem::path next_free_name(const std::filesystem::path& folder, const std::string& stem);

}  // namespace orrery::render
