#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "command_line_testing.h"
#include "render/picture/image.h"

namespace orrery::test {

/// Commands that write pictures.
class Pictures : public CommandLine {
 protected:
  static nlohmann::json state_of(const std::filesystem::path& png) {
    const auto text = render::read_png_text(png, "orrery", std::size_t{1} << 22U);
    return text ? nlohmann::json::parse(*text) : nlohmann::json();
  }
  static double brightness(const render::Image& image) {
    double sum = 0.0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4)
      sum += image.rgba[i] + image.rgba[i + 1] + image.rgba[i + 2];
    return sum / static_cast<double>(image.rgba.size());
  }
};

}  // namespace orrery::test
