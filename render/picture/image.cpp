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

/// Opens a PNG and reads its header; the file must outlive the result.
void read_header(const Png& png, std::FILE* file, std::string& path) {
  const auto signature = read_signature(file, path);
  png_init_io(png.png(), file);
  png_set_sig_bytes(png.png(), static_cast<int>(signature.size()));
  png_set_user_limits(png.png(), largest_side, largest_side);
  png_read_info(png.png(), png.info());
}

void expand_to_rgba(const Png& png) {
  png_set_expand(png.png());
  png_set_scale_16(png.png());
  png_set_gray_to_rgb(png.png());
  png_set_add_alpha(png.png(), 0xff, PNG_FILLER_AFTER);
  png_set_interlace_handling(png.png());
  png_read_update_info(png.png(), png.info());
}

Image read_pixels(const Png& png) {
  expand_to_rgba(png);
  Image image{static_cast<int>(png_get_image_width(png.png(), png.info())),
              static_cast<int>(png_get_image_height(png.png(), png.info())),
              {}};
  const std::size_t row = png_get_rowbytes(png.png(), png.info());
  image.rgba.resize(row * static_cast<std::size_t>(image.height));
  std::vector<png_bytep> rows;
  for (std::size_t y = 0; y < static_cast<std::size_t>(image.height); ++y)
    rows.push_back(image.rgba.data() + y * row);
  png_read_image(png.png(), rows.data());
  return image;
}

File open_picture(const std::string& path) {
  File file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr)
    throw Error(fmt::format("the picture {} cannot be read: {}; check the name", path, why()));
  return file;
}

// Larger texts, and more of them, are none of ours.
constexpr std::size_t largest_text = std::size_t{16} << 20U;
constexpr png_uint_32 most_texts = 64;
// Twice as many as the largest picture that is read has, in chunks of 8 KiB.
constexpr int most_chunks = 1 << 18;

bool is_kept(std::string_view type) {
  return type == "IHDR" || type == "tEXt" || type == "zTXt" || type == "iTXt";
}

/// The header, the texts and the beginning of the pixels: what libpng reads before it decodes a pixel. Texts
/// that follow the pixels are moved before them.
std::vector<png_byte> text_chunks(std::FILE* file, const std::string& path) {
  const auto signature = read_signature(file, path);
  std::vector<png_byte> kept(signature.begin(), signature.end());
  const auto require = [&](bool holds, const char* problem) {
    if (!holds) throw Error(fmt::format("{}: {} (the file is damaged or not a PNG)", path, problem));
  };
  std::array<png_byte, 8> head{};
  int count = 0;
  for (std::string_view type; type != "IEND"; ++count) {
    if (count == most_chunks) throw Error(fmt::format("{}: it has more than {} chunks", path, most_chunks));
    require(std::fread(head.data(), 1, head.size(), file) == head.size(), "it ends too early");
    type = {reinterpret_cast<const char*>(head.data()) + 4, 4};
    const std::size_t rest = std::size_t{png_get_uint_32(head.data())} + 4;  // the contents and their sum
    if (type == "IEND") require(rest == 4 && std::fread(head.data(), 1, 4, file) == 4, "it ends too early");
    if (!is_kept(type)) {
      require(std::fseek(file, static_cast<long>(rest), SEEK_CUR) == 0, "it ends too early");
      continue;
    }
    require(kept.size() + rest < largest_text, "its texts are larger than 16 MiB");
    kept.insert(kept.end(), head.begin(), head.end());
    const auto before = kept.size();
    kept.resize(before + rest);
    require(std::fread(kept.data() + before, 1, rest, file) == rest, "it ends too early");
  }
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

std::vector<PngText> texts_of(const Png& png) {
  png_textp entries = nullptr;
  int count = 0;
  png_get_text(png.png(), png.info(), &entries, &count);
  std::vector<PngText> text;
  text.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    text.push_back({entries[i].key, entries[i].text == nullptr ? "" : entries[i].text});
  return text;
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

Image read_png(const std::filesystem::path& path) {
  std::string name = path.string();
  const File file = open_picture(name);
  const Png png(Png::Direction::reading, name);
  read_header(png, file.get(), name);
  Image image = read_pixels(png);
  png_read_end(png.png(), nullptr);
  return image;
}

std::vector<PngText> read_png_text(const std::filesystem::path& path) {
  std::string name = path.string();
  std::vector<png_byte> chunks = text_chunks(open_picture(name).get(), name);
  const Png png(Png::Direction::reading, name);
  std::span<const png_byte> unread = chunks;
  png_set_read_fn(png.png(), &unread, take);
  png_set_user_limits(png.png(), largest_side, largest_side);
  png_set_chunk_malloc_max(png.png(), largest_text);
  // The library keeps two less.
  png_set_chunk_cache_max(png.png(), most_texts + 2);
  png_read_info(png.png(), png.info());
  return texts_of(png);
}

}  // namespace orrery::render
