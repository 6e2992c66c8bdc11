#include "app/picture/png_file.h"

namespace orrery::app {

std::filesystem::path write_png(const std::filesystem::path& path, const render::Image& image,
                                std::span<const render::PngText> text, sim::Existing existing) {
  sim::FileWriter file(path, existing);
  render::encode_png(image, text, [&](std::span<const std::byte> bytes) { file.write(bytes); });
  file.finish();
  return file.target();
}

}  // namespace orrery::app
