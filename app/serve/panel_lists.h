#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace orrery::app::serve {

/// The triangles of a frame that Dear ImGui draws over a picture. Numbers are little-endian, and most are
/// differences: what moves as a whole, such as a list that is scrolled, then stays the same but for its first
/// number.
struct PanelLists {
  /// 20 bytes each: left, top, right and bottom of the part that is drawn (i16, pixels), texture (u16), zero
  /// (u16), first vertex less that of the command before (i32), number of indices (u32).
  std::vector<std::byte> commands;
  /// 12 bytes each: x and y less those of the vertex before (i16, eighths of a pixel), place in the texture
  /// (two u16, 65535 at its end), colour (RGBA, 8 bits each).
  std::vector<std::byte> vertices;
  /// 2 bytes each: the index less the one before.
  std::vector<std::byte> indices;

  bool operator==(const PanelLists&) const = default;
};

/// Sizes of the units that the lists consist of, bytes.
constexpr std::size_t command_bytes = 20, vertex_bytes = 12, index_bytes = 2;

/// Writes the lists of a frame as what differs from the frame before, packed with zlib.
class PanelEncoder {
 public:
  /// `whole`: as if there had been no frame before.
  std::string encode(const PanelLists& lists, bool whole);

 private:
  PanelLists before_;
};

/// Appends what is to be done to make `now` of `before`: the number of units (u32) and of steps (u32); for
/// each step the first unit to copy from `before`, how many, and how many new ones follow (u32 each); then
/// the new units. Runs of `least` units and more are found wherever they were.
void write_differences(std::string& out, std::span<const std::byte> before, std::span<const std::byte> now,
                       std::size_t unit_bytes, std::size_t least);

/// The bytes packed with zlib, lightly. Throws sim::Error when out of memory.
std::string packed(std::span<const std::byte> bytes);

}  // namespace orrery::app::serve
