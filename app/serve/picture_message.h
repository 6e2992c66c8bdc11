#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/serve/audience.h"

namespace orrery::app::serve {

/// Appends the lowest `count` bytes of a number, the lowest first.
inline void put_number(std::string& bytes, std::uint64_t value, int count) {
  for (int k = 0; k < count; ++k) bytes += static_cast<char>(value >> (8 * k) & 0xffU);
}
inline void put_number(std::vector<std::byte>& bytes, std::uint64_t value, int count) {
  for (int k = 0; k < count; ++k) bytes.push_back(static_cast<std::byte>(value >> (8 * k) & 0xffU));
}

/// The content of a binary message.
enum class PictureKind : std::uint8_t {
  panel = 0,      ///< the picture stays as it is
  key_frame = 1,  ///< VP9
  video = 2,      ///< VP9
  jpeg = 3,
  png = 4,  ///< the same picture as before, without loss
  png_texture = 5,
  jpeg_texture = 6
};

/// The head of a binary message, 32 bytes, little-endian: kind (1 byte), 1 if the panel is in lists and not
/// in the picture (1 byte), two bytes of zeros, number (u32), left, top, width and height of the part of the
/// window that the picture shows, then width and height of the window (u16 each), bytes of the picture (u32),
/// bytes of the panel's lists after it (u32; 0: as before), milliseconds since the server began (u32). For a
/// texture: its number, size and bytes.
struct PictureHead {
  PictureKind kind = PictureKind::panel;
  bool panel_in_lists = false;
  std::uint64_t number = 0;
  glm::ivec2 window{0};
  std::uint32_t milliseconds = 0;
};

/// The message with a picture and the panel's lists, each empty where there is none.
std::shared_ptr<const Outgoing> picture_message(const PictureHead& head, std::span<const std::byte> picture,
                                                std::string_view panel);

}  // namespace orrery::app::serve
