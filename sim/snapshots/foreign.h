#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace orrery::sim {

/// A well-known kind of file that this version does not read.
struct ForeignFormat {
  std::string_view name;    ///< e.g. "an HDF5 file"
  std::string_view advice;  ///< advice to the user
};

/// The foreign format that the first bytes identify, if any. Never asks the file's name.
std::optional<ForeignFormat> foreign_format(std::span<const std::byte> bytes);

/// True if the beginning holds no byte that text does not hold, and no known other format.
bool is_plain_text(std::span<const std::byte> bytes);

/// The bytes as characters, without a UTF-8 byte order mark.
std::string_view text_of(std::span<const std::byte> bytes);

}  // namespace orrery::sim
