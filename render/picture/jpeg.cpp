#include <fmt/format.h>
#include <stb/stb_image.h>

#include <memory>

#include "render/error.h"
#include "render/picture/image.h"

namespace orrery::render {

namespace {

constexpr int largest_side = 16384;

struct Freeing {
  void operator()(stbi_uc* pixels) const { stbi_image_free(pixels); }
};

}  // namespace

Image read_jpeg(const std::filesystem::path& path) {
  const std::string name = path.string();
  Image image;
  int channels = 0;
  const bool known = stbi_info(name.c_str(), &image.width, &image.height, &channels) != 0;
  if (known && (image.width > largest_side || image.height > largest_side))
    throw Error(fmt::format("{} has {} x {} pixels; at most {} a side are read", name, image.width,
                            image.height, largest_side));
  const std::unique_ptr<stbi_uc, Freeing> pixels(
      known ? stbi_load(name.c_str(), &image.width, &image.height, &channels, 4) : nullptr);
  if (pixels == nullptr)
    throw Error(fmt::format("the picture {} cannot be read: {}", name, stbi_failure_reason()));
  const auto bytes = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4;
  image.rgba.assign(pixels.get(), pixels.get() + bytes);
  return image;
}

}  // namespace orrery::render
