#pragma once

#include <filesystem>
#include <span>

#include "render/image.h"

namespace orrery::app {

/// Writes a picture to a new file, whole or not at all. Throws sim::Error if `path` exists or cannot be
/// written, render::Error if the picture is empty or a keyword of the text is none.
void write_png(const std::filesystem::path& path, const render::Image& image,
               std::span<const render::PngText> text = {});

}  // namespace orrery::app
