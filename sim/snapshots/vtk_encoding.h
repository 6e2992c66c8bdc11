#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::sim {

/// Encoding of the binary data in a VTK XML file.
struct VtkEncoding {
  bool base64 = false;  ///< else as they are
  bool big_endian = false;
  bool long_headers = false;  ///< counts have 64 bits, else 32
  bool zlib = false;          ///< packed in blocks
};

/// The bytes of one array whose data begin at the front of `content` (which may continue after them): a count
/// and the bytes, or the sizes of packed blocks and the blocks. As many as `expected`, if that is given, and
/// no more than `content` can hold; nothing is allocated for more than is there. `problem` says why it
/// failed, "is cut off".
std::optional<std::vector<std::byte>> decode_vtk(std::string_view content, const VtkEncoding& encoding,
                                                 std::optional<std::size_t> expected, std::string& problem);

}  // namespace orrery::sim
