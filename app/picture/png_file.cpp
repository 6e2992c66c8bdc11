#include "app/picture/png_file.h"

#include "sim/core/file_writer.h"

namespace orrery::app {

void write_png(const std::filesystem::path& path, const render::Image& image,
               std::span<const render::PngText> text) {
  sim::FileWriter file(path, sim::Existing::keep);
  render::encode_png(image, text, [&](std::span<const std::byte> bytes) { file.write(bytes); });
  file.finish();
}

}  // namespace orrery::app
