#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace orrery::app::serve {

/// A contiguous part of a file, in bytes.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
};

/// The part of a file of `size` bytes that a Range field asks for ("bytes=0-99", "bytes=100-", "bytes=-5").
/// Size 0: none of it exists (status 416). Empty: several parts or another form, which a server may ignore.
std::optional<ByteRange> requested_range(std::string_view field, std::uint64_t size);

}  // namespace orrery::app::serve
