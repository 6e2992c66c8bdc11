#pragma once

#include <filesystem>
#include <span>

#include "render/picture/image.h"
#include "sim/core/file_writer.h"

namespace orrery::app {

/// Writes a picture to a new file, whole or not at all, and returns its name: `path`, or with
/// Existing::number the next one that is free. Throws sim::Error if `path` exists or cannot be written,
/// render::Error if the picture is empty or a keyword of the text is none.
std::filesystem::path write_png(const std::filesystem::path& path, const render::Image& image,
                                std::span<const render::PngText> text = {},
                                sim::Existing existing = sim::Existing::keep);

}  // namespace orrery::app
