#pragma once

#include <filesystem>
#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <vector>

#include "render/picture/image.h"

namespace orrery::render {

/// False where the program was built without OpenEXR: then the functions here throw Error.
bool has_light_files();

/// Makes an OpenEXR file of linear light, 32-bit floats (R, G, B; Rec. 709 primaries), lossless. Rows come
/// piece by piece; the file, which is packed, stays in memory until it is complete.
class LightFileEncoder {
 public:
  /// `text`: entries of the header. Throws Error.
  LightFileEncoder(glm::ivec2 size, std::span<const PngText> text);
  LightFileEncoder(const LightFileEncoder&) = delete;
  LightFileEncoder& operator=(const LightFileEncoder&) = delete;
  ~LightFileEncoder();
  /// The next rows from the top: 3 floats per pixel. Throws Error.
  void add_rows(std::span<const float> values, int rows);
  /// All bytes of the file, once every row was added. Throws Error.
  std::span<const std::byte> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Linear light as it is in a file: 3 floats per pixel, top row first.
struct LightPicture {
  glm::ivec2 size{0, 0};
  std::vector<float> values;
};

/// Throws Error if the file is no OpenEXR with the channels R, G and B.
LightPicture read_light_file(const std::filesystem::path& path);
/// The text entries of a file's header. Throws Error.
std::vector<PngText> read_light_file_text(const std::filesystem::path& path);

}  // namespace orrery::render
