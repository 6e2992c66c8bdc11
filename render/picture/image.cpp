#include "render/picture/image.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <span>
#include <string_view>
#include <system_error>

#include "render/error.h"

namespace orrery::render {
namespace {

constexpr png_uint_32 largest_side = 16384;

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

std::string why() { return std::generic_category().message(errno); }

/// libpng reports by a call that must not return; an exception may pass through it, since libpng holds
/// nothing that its destroy functions do not free.
[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  const auto* path = static_cast<const std::string*>(png_get_error_ptr(png));
  throw Error(fmt::format("{}: {} (the file is damaged or not a PNG)", *path, message));
}

void on_warning(png_structp /*png*/, png_const_charp /*message*/) {}

/// The two structures of libpng, for reading or for writing.
class Png {
 public:
  enum class Direction { reading, writing };
  Png(Direction direction, std::string& path) : reading_(direction == Direction::reading) {
    png_ = reading_ ? png_create_read_struct(PNG_LIBPNG_VER_STRING, &path, on_error, on_warning)
                    : png_create_write_struct(PNG_LIBPNG_VER_STRING, &path, on_error, on_warning);
    info_ = png_ == nullptr ? nullptr : png_create_info_struct(png_);
    if (info_ == nullptr) {
      destroy();
      throw Error(fmt::format("{}: no memory for a PNG", path));
    }
  }
  ~Png() { destroy(); }
  Png(const Png&) = delete;
  Png& operator=(const Png&) = delete;
  png_structp png() const { return png_; }
  png_infop info() const { return info_; }

 private:
  void destroy() {
    if (reading_)
      png_destroy_read_struct(&png_, &info_, nullptr);
    else
      png_destroy_write_struct(&png_, &info_);
  }
  bool reading_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

void set_text(const Png& png, std::span<const PngText> text) {
  std::vector<png_text> entries;
  for (const PngText& entry : text) {
    if (entry.keyword.empty() || entry.keyword.size() > 79)
      throw Error(
          fmt::format("\"{}\" is no keyword of a PNG text: 1 to 79 characters are allowed", entry.keyword));
    png_text to{};
    // UTF-8 needs the international chunk, compressed: a state of several kB shrinks to a fraction.
    to.compression = PNG_ITXT_COMPRESSION_zTXt;
    to.key = const_cast<png_charp>(entry.keyword.c_str());
    to.text = const_cast<png_charp>(entry.text.c_str());
    to.itxt_length = entry.text.size();
    entries.push_back(to);
  }
  if (!entries.empty()) png_set_text(png.png(), png.info(), entries.data(), static_cast<int>(entries.size()));
}

/// Exceptions may pass through libpng, as from on_error.
void hand_over(png_structp png, png_bytep bytes, std::size_t count) {
  (*static_cast<const ByteSink*>(png_get_io_ptr(png)))(std::as_bytes(std::span(bytes, count)));
}

void nothing_to_flush(png_structp /*png*/) {}

void encode(const Image& image, std::span<const PngText> text, ByteSink sink, PngEffort effort) {
  std::string name = "the picture";
  const Png png(Png::Direction::writing, name);
  png_set_write_fn(png.png(), &sink, hand_over, nothing_to_flush);
  png_set_IHDR(png.png(), png.info(), static_cast<png_uint_32>(image.width),
               static_cast<png_uint_32>(image.height), 8, PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (effort == PngEffort::little) {
    png_set_compression_level(png.png(), 1);
    png_set_filter(png.png(), PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  }
  png_set_sRGB(png.png(), png.info(), PNG_sRGB_INTENT_PERCEPTUAL);
  set_text(png, text);
  png_write_info(png.png(), png.info());
  const std::size_t row = static_cast<std::size_t>(image.width) * 4;
  for (std::size_t y = 0; y < static_cast<std::size_t>(image.height); ++y)
    png_write_row(png.png(), image.rgba.data() + y * row);
  png_write_end(png.png(), png.info());
}

using Signature = std::array<png_byte, 8>;

Signature read_signature(std::FILE* file, const std::string& path) {
  Signature signature{};
  if (std::fread(signature.data(), 1, signature.size(), file) != signature.size() ||
      png_sig_cmp(signature.data(), 0, signature.size()) != 0)
    throw Error(fmt::format("{} is not a PNG picture: give a .png file", path));
  return signature;
}

File open_picture(const std::string& path) {
  File file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr)
    throw Error(fmt::format("the picture {} cannot be read: {}; check the name", path, why()));
  return file;
}

// Twice as many as the largest picture that is read has, in chunks of 8 KiB.
constexpr int most_chunks = 1 << 18;

bool is_text(std::string_view type) { return type == "tEXt" || type == "zTXt" || type == "iTXt"; }

/// The header, the first text that begins with `start`, and the beginning of the pixels: what libpng reads
/// before it decodes a pixel. A text that follows the pixels is moved before them. Empty without such a text.
std::vector<png_byte> chunks_with_text(std::FILE* file, const std::string& path, const std::string& start,
                                       std::size_t most) {
  const auto signature = read_signature(file, path);
  std::vector<png_byte> kept(signature.begin(), signature.end());
  const auto require = [&](bool holds, const char* problem) {
    if (!holds) throw Error(fmt::format("{}: {} (the file is damaged or not a PNG)", path, problem));
  };
  const auto read = [&](void* to, std::size_t size) {
    require(std::fread(to, 1, size, file) == size, "it ends too early");
  };
  std::array<png_byte, 8> head{};
  std::string begin;
  bool has_text = false;
  for (int count = 0;; ++count) {
    if (count == most_chunks) throw Error(fmt::format("{}: it has more than {} chunks", path, most_chunks));
    read(head.data(), head.size());
    const std::string_view type{reinterpret_cast<const char*>(head.data()) + 4, 4};
    const std::size_t size = png_get_uint_32(head.data());
    begin.resize(std::min(size, start.size()));
    read(begin.data(), begin.size());
    const std::size_t rest = size - begin.size() + 4;  // with the sum of the contents
    const bool wanted = !has_text && is_text(type) && begin == start;
    if (type == "IEND") {
      require(size == 0, "its end is damaged");
      read(head.data(), 4);
      break;
    }
    if (type != "IHDR" && !wanted) {
      require(std::fseek(file, static_cast<long>(rest), SEEK_CUR) == 0, "it ends too early");
      continue;
    }
    has_text = has_text || wanted;
    require(kept.size() + size < 2 * most, "its text is too large");
    kept.insert(kept.end(), head.begin(), head.end());
    kept.insert(kept.end(), begin.begin(), begin.end());
    kept.resize(kept.size() + rest);
    read(kept.data() + kept.size() - rest, rest);
  }
  if (!has_text) return {};
  constexpr std::array<png_byte, 8> pixels{0, 0, 0, 0, 'I', 'D', 'A', 'T'};
  kept.insert(kept.end(), pixels.begin(), pixels.end());
  return kept;
}

void take(png_structp png, png_bytep to, std::size_t count) {
  auto& unread = *static_cast<std::span<const png_byte>*>(png_get_io_ptr(png));
  if (unread.size() < count) png_error(png, "it ends too early");
  std::copy_n(unread.begin(), count, to);
  unread = unread.subspan(count);
}

}  // namespace

void encode_png(const Image& image, std::span<const PngText> text, const ByteSink& sink, PngEffort effort) {
  const std::size_t pixels = static_cast<std::size_t>(std::max(image.width, 0)) *
                             static_cast<std::size_t>(std::max(image.height, 0));
  if (pixels == 0 || image.rgba.size() != pixels * 4)
    throw Error(fmt::format("{} x {} pixels with {} bytes are no RGBA picture", image.width, image.height,
                            image.rgba.size()));
  encode(image, text, sink, effort);
}

std::optional<std::string> read_png_text(const std::filesystem::path& path, const std::string& keyword,
                                         std::size_t most) {
  std::string name = path.string();
  const auto chunks = chunks_with_text(open_picture(name).get(), name, keyword + '\0', most);
  if (chunks.empty()) return std::nullopt;
  const Png png(Png::Direction::reading, name);
  std::span<const png_byte> unread = chunks;
  png_set_read_fn(png.png(), &unread, take);
  png_set_user_limits(png.png(), largest_side, largest_side);
  png_set_chunk_malloc_max(png.png(), most);
  png_read_info(png.png(), png.info());
  png_textp text = nullptr;
  // The library leaves out a text that it cannot unpack within the limit.
  if (png_get_text(png.png(), png.info(), &text, nullptr) == 0)
    throw Error(
        fmt::format("{}: its text is damaged or larger than {} bytes; use another picture", name, most));
  return text->text == nullptr ? std::string() : text->text;
}

}  // namespace orrery::render
