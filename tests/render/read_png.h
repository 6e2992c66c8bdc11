#pragma once

#include <fmt/format.h>
#include <png.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "render/error.h"
#include "render/picture/image.h"

namespace orrery::render {

/// The structures of libpng while it reads.
struct PngReader {
  explicit PngReader(std::string& name)
      : png(png_create_read_struct(PNG_LIBPNG_VER_STRING, &name, on_error, nullptr)),
        info(png_create_info_struct(png)) {}
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }

  [[noreturn]] static void on_error(png_structp png, png_const_charp message) {
    throw Error(fmt::format("{}: {}", *static_cast<const std::string*>(png_get_error_ptr(png)), message));
  }

  png_structp png;
  png_infop info;
};

/// Any PNG as 8-bit RGBA. Throws Error if the file cannot be read, is no PNG or is cut short.
inline Image read_png(const std::filesystem::path& path) {
  std::string name = path.string();
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "rbe"), std::fclose);
  if (file == nullptr) throw Error(fmt::format("the picture {} cannot be read", name));
  const PngReader reader(name);
  png_init_io(reader.png, file.get());
  png_read_info(reader.png, reader.info);
  png_set_expand(reader.png);
  png_set_scale_16(reader.png);
  png_set_gray_to_rgb(reader.png);
  png_set_add_alpha(reader.png, 0xff, PNG_FILLER_AFTER);
  png_set_interlace_handling(reader.png);
  png_read_update_info(reader.png, reader.info);
  Image image{static_cast<int>(png_get_image_width(reader.png, reader.info)),
              static_cast<int>(png_get_image_height(reader.png, reader.info)),
              {}};
  const std::size_t row = png_get_rowbytes(reader.png, reader.info);
  image.rgba.resize(row * static_cast<std::size_t>(image.height));
  std::vector<png_bytep> rows;
  for (std::size_t y = 0; y < static_cast<std::size_t>(image.height); ++y)
    rows.push_back(image.rgba.data() + y * row);
  png_read_image(reader.png, rows.data());
  png_read_end(reader.png, nullptr);
  return image;
}

}  // namespace orrery::render
